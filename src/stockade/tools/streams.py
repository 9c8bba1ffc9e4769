"""Messages of WebSockets and server-sent events."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.events import StreamFrame
from stockade.errors import InvalidArgument
from stockade.kernel.arguments import RARE, AddressPattern, Arguments, InSession, InTab
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Result
from stockade.kernel.sanitise import shown_url
from stockade.kernel.tool import tool
from stockade.page.patterns import address_pattern
from stockade.policy.capabilities import Capability
from stockade.traffic.sockets import SocketNames, SocketRule, Sockets
from stockade.urls import origin_of

__all__ = ["ws_intercept", "ws_read", "ws_send", "ws_unintercept"]

_LONGEST_PAYLOAD = 2000
_TOKENS = 20_000


class WsRead(InTab):
    """Which messages."""

    limit: int = Field(50, ge=1, le=500)
    url_pattern: AddressPattern | None = None


class WsSend(InTab):
    """What to send on which socket."""

    ws_id: Annotated[str, Field(max_length=20, description="from ws_read")]
    message: str = Field(max_length=1_000_000)
    base64: Annotated[bool, Field(description="message is bytes in base64"), RARE] = False


class WsData(Arguments):
    """A message of the caller's own."""

    data: str = Field(max_length=1_000_000)


class WsIntercept(InSession):
    """Which sockets, and what becomes of their messages."""

    pattern: AddressPattern
    response: Literal["drop", "echo"] | WsData
    direction: Literal["sent", "received", "both"] = "both"


class WsUnintercept(InSession):
    """Which rule to remove: all, unless a pattern is given."""

    pattern: AddressPattern | None = None


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


class StreamLog(TypedDict):
    """The newest messages, oldest first."""

    total: int
    frames: list[StreamRow]
    sockets: list[SocketRow]


class WsSent(TypedDict):
    """A message is on its way."""

    ok: bool
    wsId: str
    url: str
    bytes: int


class WsRuleRow(TypedDict):
    """A rule that is in force."""

    pattern: str
    direction: str
    response: str


class WsIntercepted(TypedDict):
    """A rule was added."""

    ok: bool
    pattern: str
    direction: str
    response: str | dict[str, str]
    active: list[WsRuleRow]


class WsReleased(TypedDict):
    """Rules were removed."""

    ok: bool
    removed: int
    active: list[WsRuleRow]


async def _row(call: Call, names: SocketNames, frame: StreamFrame) -> dict[str, Any]:
    # Masked before it is cut: half a secret would not be found any more.
    payload = await call.masked(frame.payload)
    row: dict[str, Any] = {
        "url": shown_url(frame.url),
        "dir": "sent" if frame.direction == "sent" else "recv",
        "kind": frame.kind,
        "payload": payload[:_LONGEST_PAYLOAD],
        "ts": instant(frame.at),
    }
    if frame.kind == "ws":
        row["wsId"] = names.name(frame.request)
    if frame.opcode is not None:
        row["opcode"] = frame.opcode
    if frame.event is not None:
        row["event"] = frame.event
    if frame.truncated or len(payload) > _LONGEST_PAYLOAD:
        row["truncated"] = True
    return row


def _chosen(pattern: str | None, url: str) -> bool:
    return pattern is None or address_pattern(pattern).matches(url)


@tool(Capability.READ, gives=StreamLog, toolset="network", reads=True, held_by_dialog=False)
async def ws_read(call: Call, args: WsRead) -> Result:
    """The last WebSocket and server-sent messages of the tab, and its sockets. Untrusted."""
    page = call.tab.page
    requests = [*page.requests, *page.context.requests]
    names = SocketNames.of(call.tab.parts, requests)
    frames = sorted([*page.stream_frames, *page.context.stream_frames], key=lambda each: each.at)
    frames = [each for each in frames if _chosen(args.url_pattern, each.url)]
    sockets = [
        {"wsId": names.name(each.id), "url": shown_url(each.url), "open": _is_open(each)}
        for each in requests
        if each.type == "WebSocket" and _chosen(args.url_pattern, each.url)
    ]
    data = {
        "total": len(frames),
        "frames": [await _row(call, names, each) for each in frames[-args.limit :]],
        "sockets": sockets[-args.limit :],
    }
    return Result(data=data, source=origin_of(call.tab.url), tokens=_TOKENS)


def _is_open(socket: Any) -> bool:
    return socket.ended is None and socket.status is not None


@tool(Capability.ACTION, gives=WsSent, toolset="network")
async def ws_send(call: Call, args: WsSend) -> dict[str, Any]:
    """Send a message on an open WebSocket of the page, as the page would."""
    size = len(args.message.encode("utf-8", "replace"))
    if args.base64:
        try:
            size = len(base64.b64decode(args.message, validate=True))
        except binascii.Error:
            raise InvalidArgument("message is not base64") from None
    page = call.tab.page
    requests = [*page.requests, *page.context.requests]
    request = SocketNames.of(call.tab.parts, requests).find(args.ws_id, requests)
    await Sockets.of(call.session).send(
        page, request, args.message, encoded=args.base64, timeout=call.left
    )
    return {"ok": True, "wsId": args.ws_id, "url": shown_url(request.url), "bytes": size}


def _rows(sockets: Sockets) -> list[dict[str, str]]:
    return [
        {
            "pattern": each.pattern,
            "direction": each.direction,
            "response": each.response if isinstance(each.response, str) else "data",
        }
        for each in sockets.rules
    ]


@tool(
    Capability.ACTION,
    gives=WsIntercepted,
    toolset="network",
    reach="session",
    idempotent=True,
    alters="session",
)
async def ws_intercept(call: Call, args: WsIntercept) -> dict[str, Any]:
    """Drop, echo or replace the messages of matching WebSockets, in all tabs of the session."""
    given = args.response
    response = {"data": given.data} if isinstance(given, WsData) else given
    sockets = Sockets.of(call.session)
    rule = SocketRule(args.pattern, response, args.direction)
    await sockets.intercept(rule, timeout=call.left)
    return {
        "ok": True,
        "pattern": args.pattern,
        "direction": args.direction,
        "response": response,
        "active": _rows(sockets),
    }


@tool(Capability.ACTION, gives=WsReleased, toolset="network", reach="session", idempotent=True)
async def ws_unintercept(call: Call, args: WsUnintercept) -> dict[str, Any]:
    """Let the messages of WebSockets through again: those of a pattern, or all."""
    sockets = Sockets.of(call.session)
    removed = await sockets.let_go(args.pattern, timeout=call.left)
    return {"ok": True, "removed": removed, "active": _rows(sockets)}
