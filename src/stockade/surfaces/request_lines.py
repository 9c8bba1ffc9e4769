"""What the log says of a request: a line when it begins and one when it has been answered."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs

import msgspec
from starlette.types import Message, Scope

from stockade.telemetry.logs import get_logger

__all__ = ["RequestLines"]

_QUIET = frozenset({"/health"})
"""Asked for so often that nobody wants to read of it."""
_NAMED = re.compile(r"(?:/v1)?/sessions/([^/]+)")
_ELSEWHERE = ("/v1", "/mcp")
"""Where no body says whose request it is."""
_LONGEST = 500
_LONGEST_USER = 100
_LARGEST_BODY = 1 << 20
_FAULT = 500

_log = get_logger("stockade.http")


class _Body(msgspec.Struct):
    userId: msgspec.Raw = msgspec.Raw()  # noqa: N815


class RequestLines:
    """The lines of one request.

    Whose it is may stand in its body; then the first line waits until that has come, but no longer
    than for the answer. A query is never shown: it may hold anything.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._path: str = scope["path"]
        self._said = self._path in _QUIET
        self._body = bytearray()
        self._user = self._user_in_address()
        if self._user or not self._has_telling_body():
            self.begin()

    def _user_in_address(self) -> str:
        named = _NAMED.match(self._path)
        if named is not None:
            return named[1][:_LONGEST_USER]
        query: bytes = self._scope.get("query_string", b"")
        if b"userId" not in query:
            return ""
        asked = parse_qs(query.decode("latin-1"), max_num_fields=_LONGEST)
        return asked.get("userId", [""])[0][:_LONGEST_USER]

    def _has_telling_body(self) -> bool:
        names = {name for name, _ in self._scope["headers"]}
        bodied = b"content-length" in names or b"transfer-encoding" in names
        return bodied and not self._path.startswith(_ELSEWHERE)

    def heard(self, message: Message) -> None:
        """A part of the request has come."""
        if self._said or message["type"] != "http.request":
            return
        self._body += message.get("body", b"")
        if len(self._body) > _LARGEST_BODY or not message.get("more_body", False):
            self._user = _user_in(bytes(self._body))
            self.begin()

    def begin(self) -> None:
        """Say that there is a request, unless that has been said."""
        self._body.clear()
        if not self._said:
            self._said = True
            _log.info("req", **self._who)

    def end(self, status: int, ms: float, **facts: Any) -> None:
        """Say how it was answered."""
        self.begin()
        if self._path in _QUIET:
            return
        log = _log.warning if status >= _FAULT else _log.info
        log("res", **self._who, status=status, ms=ms, **facts)

    @property
    def _who(self) -> dict[str, str]:
        user = {"userId": self._user} if self._user else {}
        return {"method": self._scope["method"], "path": self._path[:_LONGEST], **user}


def _user_in(body: bytes) -> str:
    """The user that a body names, as text whatever it is written as."""
    try:
        raw = bytes(msgspec.json.decode(body, type=_Body).userId)
        value = msgspec.json.decode(raw) if raw else ""
    except msgspec.DecodeError:
        return ""
    return str(value)[:_LONGEST_USER] if isinstance(value, str | int | float) else ""
