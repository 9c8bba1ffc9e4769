"""Heads: of requests, read strictly, and of answers, read as browsers do and written anew.

What is passed on is never what came but what was understood, so that nobody behind us reads it
otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stockade.egress.framing import Chunked, Framing, Sized, Unframed
from stockade.egress.limits import HEAD_BYTES, HEADERS

__all__ = ["Header", "Malformed", "Request", "Response", "end_of_request", "end_of_response"]

Header = tuple[bytes, bytes]

_TOKEN = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_REQUEST = re.compile(rb"(%b) ([\x21-\x7e]+) HTTP/1\.([01])" % _TOKEN)
_HEADER = re.compile(rb"(%b):[ \t]*([\t\x20-\x7e\x80-\xff]*)" % _TOKEN)
_STATUS = re.compile(rb"HTTP/1\.([01])[ \t]+([1-9][0-9]{2})(?:[ \t]+(.*))?")
_ABSOLUTE = re.compile(rb"(?i:http)://([^/?#\\]+)([/?][^#]*)?")
_HOST = re.compile(rb"[0-9A-Za-z.:_~%\[\]-]*")
_NUMBER = re.compile(rb"[0-9]{1,18}")
_LONE = re.compile(rb"(?<!\r)\n|\r(?=[^\n])")
_END = re.compile(rb"\r?\n\r?\n")
_UNFIT = re.compile(rb"[^\t\x20-\x7e\x80-\xff]")
_LARGEST_ANSWER = 4 * HEAD_BYTES
_MOST_OF_ANSWER = 8 * HEADERS
_LONGEST_METHOD = 32

_OURS = frozenset(
    {b"host", b"content-length", b"transfer-encoding", b"connection", b"keep-alive", b"te"}
    | {b"trailer", b"upgrade", b"http2-settings"}
)
"""What concerns one connection, or is written by us."""
_NO_BODY = frozenset({204, 304})
_REPEATABLE = frozenset({"GET", "HEAD", "OPTIONS"})


class Malformed(ValueError):
    """It is not HTTP as it should be."""


def end_of_request(buffer: bytearray) -> int | None:
    """Where a request's head ends; `None` while it may still come."""
    end = buffer.find(b"\r\n\r\n")
    if end >= 0 and end + 4 <= HEAD_BYTES:
        return end + 4
    if end >= 0 or len(buffer) > HEAD_BYTES:
        raise Malformed("the head is too large")
    if _LONE.search(buffer) is not None:
        raise Malformed("a line does not end as it should")
    return None


def end_of_response(buffer: bytearray) -> int | None:
    """Where an answer's head ends; `None` while it may still come."""
    end = _END.search(buffer)
    if end is not None and end.end() <= _LARGEST_ANSWER:
        return end.end()
    if end is not None or len(buffer) > _LARGEST_ANSWER:
        raise Malformed("the head is too large")
    return None


class _Headers:
    """The fields of a head."""

    headers: Sequence[Header]

    def all(self, name: bytes) -> list[bytes]:
        """The values of a field."""
        return [value for each, value in self.headers if each.lower() == name]

    def words(self, name: bytes) -> list[bytes]:
        """The words of a field that is a list, in lower case."""
        found = [word.strip().lower() for value in self.all(name) for word in value.split(b",")]
        return [word for word in found if word]

    def kept(self) -> list[Header]:
        """The fields that go on to the next."""
        named = set(self.words(b"connection"))
        return [
            (name, value)
            for name, value in self.headers
            if (low := name.lower()) not in _OURS
            and low not in named
            and not low.startswith(b"proxy-")
        ]


@dataclass(frozen=True)
class Request(_Headers):
    """A request's head, in which nothing is ambiguous."""

    method: str
    target: bytes
    minor: int
    headers: Sequence[Header]
    framing: Framing | None
    """How its body ends, where it has one."""
    size: bytes
    """Of its body, as it is written."""

    @classmethod
    def parse(cls, head: bytes) -> Request:
        """Read a head with the empty line at its end."""
        first, *lines = head[:-4].split(b"\r\n")
        found = _REQUEST.fullmatch(first)
        if found is None or len(found[1]) > _LONGEST_METHOD:
            raise Malformed("the first line is not that of a request")
        if len(lines) > HEADERS:
            raise Malformed("there are too many headers")
        headers = [_header(line) for line in lines]
        request = cls(found[1].decode(), found[2], int(found[3]), headers, None, b"")
        request._check_host()
        framing, size = request._body()
        return cls(request.method, request.target, request.minor, headers, framing, size)

    def _check_host(self) -> None:
        hosts = self.all(b"host")
        if len(hosts) > 1 or (not hosts and self.minor):
            raise Malformed("there must be one Host")
        if hosts and not _HOST.fullmatch(hosts[0]):
            raise Malformed("the Host is none")

    def _body(self) -> tuple[Framing | None, bytes]:
        sizes, codings = self.all(b"content-length"), self.all(b"transfer-encoding")
        if codings:
            if sizes or len(codings) > 1 or codings[0].lower() != b"chunked" or not self.minor:
                raise Malformed("it cannot be told where the body ends")
            return Chunked(), b""
        if not sizes:
            return None, b""
        if len(sizes) > 1 or not _NUMBER.fullmatch(sizes[0]):
            raise Malformed("it cannot be told where the body ends")
        size = int(sizes[0])
        return Sized(size) if size else None, sizes[0]

    @property
    def upgrade(self) -> bool:
        """Whether it asks for a WebSocket."""
        return (
            self.method == "GET"
            and self.framing is None
            and self.words(b"upgrade") == [b"websocket"]
            and b"upgrade" in self.words(b"connection")
        )

    @property
    def last(self) -> bool:
        """Whether the client wants no other answer on its connection."""
        return b"close" in self.words(b"connection") + self.words(b"proxy-connection")

    @property
    def repeatable(self) -> bool:
        """Whether it may be sent twice where nobody can tell if it arrived."""
        return self.method in _REPEATABLE and self.framing is None and not self.upgrade

    def absolute(self) -> tuple[str, bytes]:
        """Authority and path of a request to a proxy."""
        found = _ABSOLUTE.fullmatch(self.target)
        if found is None or not self.minor:
            raise Malformed("a proxy is asked for a whole http address")
        path = found[2] or b"/"
        return found[1].decode("ascii"), path if path.startswith(b"/") else b"/" + path

    def written(self, target: bytes, host: str, extra: Iterable[Header] = ()) -> bytes:
        """The head as a server gets it."""
        lines = [b"%b %b HTTP/1.1" % (self.method.encode(), target), b"Host: " + host.encode()]
        lines += [b"%b: %b" % field for field in (*self.kept(), *extra)]
        if self.upgrade:
            lines += [b"Connection: Upgrade", b"Upgrade: websocket"]
        if isinstance(self.framing, Chunked):
            lines.append(b"Transfer-Encoding: chunked")
        elif self.size:
            lines.append(b"Content-Length: " + self.size)
        return b"\r\n".join([*lines, b"", b""])


@dataclass(frozen=True)
class Response(_Headers):
    """An answer's head."""

    status: int
    reason: bytes
    headers: Sequence[Header]
    minor: int

    @classmethod
    def parse(cls, head: bytes) -> Response:
        """Read a head; what a browser would overlook is left out."""
        first, *lines = (line.removesuffix(b"\r") for line in head.split(b"\n"))
        found = _STATUS.fullmatch(first)
        if found is None:
            raise Malformed("the first line is not that of an answer")
        headers: list[Header] = []
        for line in lines:
            if line[:1] in {b" ", b"\t"} and headers:
                name, value = headers[-1]
                headers[-1] = (name, b"%b %b" % (value, _UNFIT.sub(b"", line.strip(b" \t"))))
                continue
            field = _HEADER.fullmatch(_UNFIT.sub(b"", line))
            if field is not None:
                headers.append((field[1], field[2].rstrip(b" \t")))
        if len(headers) > _MOST_OF_ANSWER:
            raise Malformed("there are too many headers")
        reason = _UNFIT.sub(b"", found[3] or b"")
        return cls(int(found[2]), reason, headers, int(found[1]))

    @property
    def lasting(self) -> bool:
        """Whether its connection can be used again."""
        words = self.words(b"connection")
        return b"close" not in words and (self.minor == 1 or b"keep-alive" in words)

    @property
    def upgraded(self) -> bool:
        """Whether it grants a WebSocket."""
        return self.status == 101 and self.words(b"upgrade") == [b"websocket"]  # noqa: PLR2004

    def body(self, method: str) -> Framing:
        """How its body ends."""
        sizes = set(self.words(b"content-length"))
        if method == "HEAD" or self.status in _NO_BODY or self.status < 200:  # noqa: PLR2004
            return Sized(0)
        codings = self.words(b"transfer-encoding")
        if codings:
            return Chunked() if codings[-1] == b"chunked" else Unframed()
        if not sizes:
            return Unframed()
        if len(sizes) > 1 or not all(map(_NUMBER.fullmatch, sizes)):
            raise Malformed("it cannot be told where the body ends")
        return Sized(int(sizes.pop()))

    def written(self, framing: Framing) -> bytes:
        """The head as the browser gets it."""
        lines = [b"HTTP/1.1 %d %b" % (self.status, self.reason)]
        lines += [b"%b: %b" % field for field in self.kept()]
        sizes = self.words(b"content-length")
        if self.upgraded:
            lines += [b"Connection: Upgrade", b"Upgrade: websocket"]
        elif isinstance(framing, Chunked):
            codings = [
                coding for coding in self.words(b"transfer-encoding") if coding != b"chunked"
            ]
            lines.append(b"Transfer-Encoding: " + b", ".join([*codings, b"chunked"]))
        elif isinstance(framing, Unframed):
            lines.append(b"Connection: close")
        elif sizes and self.status >= 200 and _NUMBER.fullmatch(sizes[0]):  # noqa: PLR2004
            lines.append(b"Content-Length: " + sizes[0])
        return b"\r\n".join([*lines, b"", b""])


def _header(line: bytes) -> Header:
    found = _HEADER.fullmatch(line)
    if found is None:
        raise Malformed("a header is not one")
    return found[1], found[2].rstrip(b" \t")
