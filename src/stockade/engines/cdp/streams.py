"""Messages of WebSockets and server-sent event streams."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Literal

import msgspec

from stockade.engines.cdp.connection import Session
from stockade.engines.cdp.requests import RequestLog
from stockade.engines.events import Events, StreamFrame

__all__ = ["StreamLog"]

_COUNT = 1000
_SIZE = 4 << 20
_LONGEST_PAYLOAD = 64 << 10


class _Payload(msgspec.Struct):
    opcode: float
    payloadData: str


class _SocketFrame(msgspec.Struct):
    requestId: str
    timestamp: float
    response: _Payload


class _ServerEvent(msgspec.Struct):
    requestId: str
    timestamp: float
    eventName: str = ""
    data: str = ""


class StreamLog:
    """Keeps the last messages, bounded by number and by size."""

    def __init__(self, events: Events, requests: RequestLog) -> None:
        self._events = events
        self._requests = requests
        self._frames: deque[StreamFrame] = deque()
        self._size = 0

    def watch(self, session: Session) -> None:
        """Log what one session tells."""
        session.on("Network.webSocketFrameSent", lambda e: self._socket(e, "sent"), _SocketFrame)
        session.on(
            "Network.webSocketFrameReceived", lambda e: self._socket(e, "received"), _SocketFrame
        )
        session.on("Network.eventSourceMessageReceived", self._server_event, _ServerEvent)

    @property
    def frames(self) -> Sequence[StreamFrame]:
        """The last messages, oldest first."""
        return tuple(self._frames)

    def _socket(self, event: _SocketFrame, direction: Literal["sent", "received"]) -> None:
        self._add(
            "ws",
            event.requestId,
            direction,
            event.response.payloadData,
            event.timestamp,
            opcode=int(event.response.opcode),
        )

    def _server_event(self, event: _ServerEvent) -> None:
        self._add(
            "sse",
            event.requestId,
            "received",
            event.data,
            event.timestamp,
            name=event.eventName,
        )

    def _add(
        self,
        kind: Literal["ws", "sse"],
        number: str,
        direction: Literal["sent", "received"],
        payload: str,
        timestamp: float,
        *,
        opcode: int | None = None,
        name: str | None = None,
    ) -> None:
        request = self._requests.numbered(number)
        if request is None:
            return
        frame = StreamFrame(
            kind,
            request.url,
            direction,
            payload[:_LONGEST_PAYLOAD],
            self._requests.wall_time(timestamp),
            request.id,
            opcode,
            name,
            len(payload) > _LONGEST_PAYLOAD,
        )
        self._frames.append(frame)
        self._size += len(frame.payload)
        while len(self._frames) > _COUNT or self._size > _SIZE:
            self._size -= len(self._frames.popleft().payload)
        if self._events.wanted(StreamFrame):
            self._events.emit(frame)
