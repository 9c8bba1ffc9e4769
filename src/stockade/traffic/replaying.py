"""Recorded traffic that answers in place of the network."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence

import msgspec

from stockade.engines.routing import Answer, HeldRequest
from stockade.errors import InvalidArgument
from stockade.urls import origin_of

__all__ = ["Replay", "attachments"]

_MOST_PATTERNS = 50
_OF_THE_WIRE = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"}
)
"""Headers that described how the answer came, and not what it was."""
_LOWEST, _HIGHEST = 200, 599


class _Pair(msgspec.Struct):
    name: str
    value: str = ""


class _PostData(msgspec.Struct):
    text: str = ""
    encoding: str = msgspec.field(default="", name="_encoding")


class _Request(msgspec.Struct):
    method: str
    url: str
    headers: list[_Pair] = []
    postData: _PostData | None = None  # noqa: N815


class _Content(msgspec.Struct):
    size: float = -1
    text: str | None = None
    encoding: str = ""
    file: str | None = msgspec.field(default=None, name="_file")


class _Response(msgspec.Struct):
    status: int
    headers: list[_Pair] = []
    content: _Content = msgspec.field(default_factory=_Content)
    redirectURL: str = ""  # noqa: N815


class _Entry(msgspec.Struct):
    request: _Request
    response: _Response


class _Log(msgspec.Struct):
    entries: list[_Entry]


class _Archive(msgspec.Struct):
    log: _Log


def _read(content: bytes) -> _Archive:
    try:
        return msgspec.json.decode(content, type=_Archive)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise InvalidArgument("that file is not a HAR archive") from None


def attachments(content: bytes) -> set[str]:
    """The files that an archive keeps bodies in."""
    entries = _read(content).log.entries
    return {each.response.content.file for each in entries if each.response.content.file}


class Replay:
    """Answers as an archive says; what it does not know is left to others."""

    def __init__(
        self, content: bytes, attached: Callable[[str], bytes | None] = lambda _: None
    ) -> None:
        self._entries: dict[tuple[str, str], list[tuple[_Entry, bytes]]] = {}
        for each in _read(content).log.entries:
            body = _body(each.response, attached)
            if body is None or not _LOWEST <= each.response.status <= _HIGHEST:
                continue
            key = (each.request.method.upper(), each.request.url.partition("#")[0])
            self._entries.setdefault(key, []).append((each, body))

    def __len__(self) -> int:
        return sum(map(len, self._entries.values()))

    @property
    def patterns(self) -> Sequence[str]:
        """The addresses it may answer for."""
        origins = {origin_of(url) for _, url in self._entries}
        if len(origins) > _MOST_PATTERNS:
            return ("*",)
        return [f"{each}/*" for each in sorted(origins - {"null"})]

    def matches(self, request: HeldRequest) -> bool:
        """Whether it would answer."""
        return self._best(request) is not None

    def answer(self, request: HeldRequest) -> Answer | None:
        """What was answered to the request that is most like this one."""
        found = self._best(request)
        if found is None:
            return None
        entry, body = found
        response = entry.response
        headers = [
            (each.name, value)
            for each in response.headers
            if each.name.lower() not in _OF_THE_WIRE and not each.name.startswith(":")
            for value in each.value.split("\n")
        ]
        if response.redirectURL and not any(name.lower() == "location" for name, _ in headers):
            headers.append(("Location", response.redirectURL))
        return Answer(response.status, tuple(headers), body)

    def _best(self, request: HeldRequest) -> tuple[_Entry, bytes] | None:
        candidates = [
            each
            for each in self._entries.get((request.method.upper(), request.url), ())
            if _same_body(each[0].request, request)
        ]
        given = {(name.lower(), value) for name, value in request.headers.items()}

        def likeness(candidate: tuple[_Entry, bytes]) -> int:
            headers = candidate[0].request.headers
            return len(given & {(each.name.lower(), each.value) for each in headers})

        return max(candidates, key=likeness, default=None)


def _same_body(recorded: _Request, request: HeldRequest) -> bool:
    """Whether both ask with the same words, as far as that is known."""
    if recorded.postData is None or not request.body:
        return True
    return _bytes(recorded.postData.text, recorded.postData.encoding) == request.body


def _body(response: _Response, attached: Callable[[str], bytes | None]) -> bytes | None:
    """The recorded body; nothing when there was one that was not recorded."""
    content = response.content
    if content.file is not None:
        return attached(content.file)
    if content.text is None:
        return None if content.size > 0 and not response.redirectURL else b""
    return _bytes(content.text, content.encoding)


def _bytes(text: str, encoding: str) -> bytes:
    if encoding != "base64":
        return text.encode()
    try:
        return base64.b64decode(text)
    except ValueError:
        return b""
