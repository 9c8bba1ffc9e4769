"""Calls of the tools in `streams`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class StreamRow(TypedDict):
    """One message."""

    url: str
    dir: str
    kind: str
    payload: str
    ts: str
    wsId: NotRequired[str]
    opcode: NotRequired[int]
    event: NotRequired[str]
    truncated: NotRequired[bool]


class SocketRow(TypedDict):
    """A WebSocket of the tab."""

    wsId: str
    url: str
    open: bool


class StreamLog(Beside):
    """The newest messages, oldest first."""

    total: int
    frames: list[StreamRow]
    sockets: list[SocketRow]


class WsSent(Beside):
    """A message is on its way."""

    ok: bool
    wsId: str
    url: str
    bytes: int


class WsData(TypedDict):
    """A message of the caller's own."""

    data: str


class WsRuleRow(TypedDict):
    """A rule that is in force."""

    pattern: str
    direction: str
    response: str


class WsIntercepted(Beside):
    """A rule was added."""

    ok: bool
    pattern: str
    direction: str
    response: str | dict[str, str]
    active: list[WsRuleRow]


class WsReleased(Beside):
    """Rules were removed."""

    ok: bool
    removed: int
    active: list[WsRuleRow]


class StreamsCalls(Calls):
    """Methods that call tools."""

    async def ws_read(
        self,
        *,
        limit: int | None = None,
        url_pattern: str | None = None,
    ) -> StreamLog:
        """The last WebSocket and server-sent messages of the tab, and its sockets. Untrusted."""
        answer = await self._call("ws_read", {}, {"limit": limit, "urlPattern": url_pattern}, in_tab=True)
        return cast("StreamLog", answer)

    async def ws_send(
        self,
        *,
        ws_id: str,
        message: str,
        base64: bool | None = None,
    ) -> WsSent:
        """Send a message on an open WebSocket of the page, as the page would."""
        answer = await self._call("ws_send", {"wsId": ws_id, "message": message}, {"base64": base64}, in_tab=True)
        return cast("WsSent", answer)

    async def ws_intercept(
        self,
        *,
        pattern: str,
        response: Literal['drop', 'echo'] | WsData,
        direction: Literal['sent', 'received', 'both'] | None = None,
    ) -> WsIntercepted:
        """Drop, echo or replace the messages of matching WebSockets, in all tabs of the session."""
        answer = await self._call("ws_intercept", {"pattern": pattern, "response": response}, {"direction": direction}, in_tab=False)
        return cast("WsIntercepted", answer)

    async def ws_unintercept(
        self,
        *,
        pattern: str | None = None,
    ) -> WsReleased:
        """Let the messages of WebSockets through again: those of a pattern, or all."""
        answer = await self._call("ws_unintercept", {}, {"pattern": pattern}, in_tab=False)
        return cast("WsReleased", answer)
