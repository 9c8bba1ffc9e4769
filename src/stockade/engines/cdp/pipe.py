"""The debugging pipe: messages that end in a zero byte, over one socket pair."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import cast

__all__ = ["Pipe", "open_pipe"]

_BUFFER = 1 << 20


class Pipe(asyncio.Protocol):
    """Cuts the browser's bytes into messages, and writes ours."""

    def __init__(self, received: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        self._received = received
        self._lost = lost
        self._parts: list[bytes] = []
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin (called by the event loop)."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Take in bytes (called by the event loop)."""
        start = 0
        while (end := data.find(0, start)) >= 0:
            message = data[start:end]
            if self._parts:
                self._parts.append(message)
                message = b"".join(self._parts)
                self._parts.clear()
            self._received(message)
            start = end + 1
        if start < len(data):
            self._parts.append(data[start:] if start else data)

    def connection_lost(self, exc: Exception | None) -> None:
        """End (called by the event loop)."""
        del exc
        self._transport = None
        self._parts.clear()
        self._lost()

    def write(self, data: bytes) -> None:
        """Send bytes that already carry their zero bytes."""
        if self._transport is not None:
            self._transport.write(data)

    def close(self) -> None:
        """Close our end; the browser takes that as the order to leave."""
        if self._transport is not None:
            self._transport.abort()


async def open_pipe(
    received: Callable[[bytes], None], lost: Callable[[], None]
) -> tuple[Pipe, socket.socket]:
    """Open a pipe; the second value is the browser's end, to be closed once handed on."""
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
    ours.setblocking(False)  # noqa: FBT003
    _, pipe = await asyncio.get_running_loop().create_connection(
        lambda: Pipe(received, lost), sock=ours
    )
    return pipe, theirs
