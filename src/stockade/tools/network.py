"""Bodies of requests, and the quality of the line."""

from __future__ import annotations

from mimetypes import guess_extension
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.events import Request
from stockade.engines.port import Context, Page
from stockade.engines.values import NetworkConditions
from stockade.errors import ContentGone, DeadlineExceeded
from stockade.kernel.arguments import RARE, InSession, InTab
from stockade.kernel.call import Call
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import save, saved
from stockade.kernel.tokens import cut, estimate
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.sessions.device import change
from stockade.traffic.bodies import masked, shown
from stockade.urls import origin_of

__all__ = ["network_body", "network_emulate"]

_MOST_BYTES = 262_144
_MOST_TOKENS = 60_000
_LEFT_FOR_THE_REST = 2000
_PATIENCE = 10.0
_BODILESS = frozenset({204, 205, 304})


class NetworkBody(InTab):
    """Whose body."""

    request_id: Annotated[str, Field(max_length=20, description="from network_read")]
    max_bytes: Annotated[int, Field(ge=1, le=_MOST_BYTES), RARE] = _MOST_BYTES


class NetworkEmulate(InSession):
    """How bad the line is; nothing at all makes it good again."""

    offline: bool | None = None
    latency_ms: Annotated[float | None, Field(ge=0, le=600_000)] = None
    download_bps: Annotated[float | None, Field(ge=0, le=1e10, description="bytes/s")] = None
    upload_bps: Annotated[float | None, Field(ge=0, le=1e10)] = None
    packet_loss: Annotated[float | None, Field(ge=0, le=1)] = None


class BodyShown(TypedDict):
    """The body of an answer; one that is too long is cut here and whole in a file."""

    ok: bool
    requestId: str
    body: str
    base64Encoded: bool
    size: int
    status: NotRequired[int]
    mimeType: NotRequired[str]
    truncated: NotRequired[bool]
    uri: NotRequired[str]
    path: NotRequired[str]
    bytes: NotRequired[int]
    requestBody: NotRequired[str]
    requestBodyBase64: NotRequired[bool]
    requestBodyTruncated: NotRequired[bool]


class Line(TypedDict):
    """What is in force; 0 is no limit."""

    offline: bool
    latencyMs: float
    downloadBps: float
    uploadBps: float
    packetLoss: float


class NetworkEmulated(TypedDict):
    """What every tab of the session is subject to from now on."""

    ok: bool
    applied: Line
    reset: bool
    tokensEstimate: int
    warning: NotRequired[str]


async def _response(place: Page | Context, request: Request | None, call: Call, id: str) -> bytes:
    if request is not None and (request.method == "HEAD" or request.status in _BODILESS):
        return b""
    try:
        return await place.response_body(id, timeout=min(_PATIENCE, call.left))
    except DeadlineExceeded:
        raise ContentGone("the body has not come to its end", hint="Ask again later.") from None


async def _request(place: Page | Context, request: Request | None, call: Call, id: str) -> bytes:
    if request is None or not request.has_post_data:
        return b""
    try:
        return await place.request_body(id, timeout=call.left)
    except ContentGone:
        return b""


def _within(content: bytes, mime_type: str, most: int, tokens: int) -> tuple[str, bool, bool]:
    """A body as text or base64, whether it is base64, and whether it was cut."""
    part = content[:most]
    if len(part) < len(content):
        # Half a character at the end would make the rest look like no text.
        part = part.decode("utf-8", "ignore").encode() if _is_utf8(content) else part
    text, encoded = shown(part, mime_type)
    if estimate(text) <= tokens:
        return text, encoded, len(part) < len(content)
    if encoded:
        return text[: tokens * 4], True, True
    return cut(text, tokens).removesuffix("…"), False, True


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


@tool(Capability.NETWORK_BODY, gives=BodyShown, toolset="network", reads=True)
async def network_body(call: Call, args: NetworkBody) -> Result:
    """The body of an answer, and of its request, by the id network_read gave. It is untrusted."""
    page = call.tab.page
    place: Page | Context = page.context if args.request_id.startswith("w") else page
    request = next((each for each in place.requests if each.id == args.request_id), None)
    mime_type = request.mime_type if request is not None else ""
    content = await masked(call.masker, await _response(place, request, call, args.request_id))
    sent = await masked(call.masker, await _request(place, request, call, args.request_id))
    tokens = _MOST_TOKENS - _LEFT_FOR_THE_REST
    body, encoded, truncated = _within(content, mime_type, args.max_bytes, tokens)
    data: dict[str, Any] = {
        "ok": True,
        "requestId": args.request_id,
        "body": body,
        "base64Encoded": encoded,
        "size": len(content),
    }
    if request is not None and request.status is not None:
        data["status"] = request.status
    if mime_type:
        data["mimeType"] = mime_type
    if truncated:
        ending = guess_extension(mime_type) or ".bin"
        kept = await save(call, content, default=f"{args.request_id}{ending}", mime_type=mime_type)
        data |= {"truncated": True, **saved(call, kept)}
    if sent:
        left = max(tokens - estimate(body), 1)
        text, encoded, truncated = _within(sent, "", args.max_bytes, left)
        data["requestBody"] = text
        if encoded:
            data["requestBodyBase64"] = True
        if truncated:
            data["requestBodyTruncated"] = True
    source = origin_of(request.url if request is not None else call.tab.url)
    return Result(data=data, source=source, tokens=_MOST_TOKENS)


@tool(Capability.ACTION, gives=NetworkEmulated, toolset="network", reach="session", idempotent=True)
async def network_emulate(call: Call, args: NetworkEmulate) -> dict[str, Any]:
    """Slow the line of all tabs down, or cut it; without arguments it is normal again."""
    conditions = NetworkConditions(
        offline=bool(args.offline),
        latency_ms=args.latency_ms or 0.0,
        download_bytes_per_second=args.download_bps or -1.0,
        upload_bytes_per_second=args.upload_bps or -1.0,
        packet_loss_percent=(args.packet_loss or 0.0) * 100,
    )
    await change(call.session, timeout=call.left, network=conditions)
    data: dict[str, Any] = {
        "ok": True,
        "applied": {
            "offline": conditions.offline,
            "latencyMs": conditions.latency_ms,
            "downloadBps": args.download_bps or 0.0,
            "uploadBps": args.upload_bps or 0.0,
            "packetLoss": args.packet_loss or 0.0,
        },
        "reset": conditions == NetworkConditions(),
    }
    if args.packet_loss:
        data["warning"] = "the browser loses packets of WebRTC alone, not of HTTP"
    data["tokensEstimate"] = estimate(compact(data))
    return data
