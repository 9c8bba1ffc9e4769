"""Calls of the tools in `network`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class BodyShown(Beside):
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


class NetworkEmulated(Beside):
    """What every tab of the session is subject to from now on."""

    ok: bool
    applied: Line
    reset: bool
    tokensEstimate: int
    warning: NotRequired[str]


class NetworkCalls(Calls):
    """Methods that call tools."""

    async def network_body(
        self,
        *,
        request_id: str,
        max_bytes: int | None = None,
    ) -> BodyShown:
        """The body of an answer, and of its request, by the id network_read gave. It is untrusted."""
        answer = await self._call("network_body", {"requestId": request_id}, {"maxBytes": max_bytes}, in_tab=True)
        return cast("BodyShown", answer)

    async def network_emulate(
        self,
        *,
        offline: bool | None = None,
        latency_ms: float | None = None,
        download_bps: float | None = None,
        upload_bps: float | None = None,
        packet_loss: float | None = None,
    ) -> NetworkEmulated:
        """Slow the line of all tabs down, or cut it; without arguments it is normal again."""
        answer = await self._call("network_emulate", {}, {"offline": offline, "latencyMs": latency_ms, "downloadBps": download_bps, "uploadBps": upload_bps, "packetLoss": packet_loss}, in_tab=False)
        return cast("NetworkEmulated", answer)
