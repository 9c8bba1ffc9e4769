"""A WebSocket to a browser that somebody else started: messages over frames, as a client."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import struct
from collections.abc import Callable
from typing import cast

from stockade.errors import LaunchFailed

__all__ = ["Socket", "open_socket"]

_ACCEPT = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_LARGEST_ANSWER = 16384
_LARGEST_MESSAGE = 1 << 29
_SHORT, _MIDDLE = 125, 65535
_CONTINUED, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


class Socket(asyncio.Protocol):
    """Cuts the browser's frames into messages, and writes ours."""

    def __init__(
        self,
        request: bytes,
        key: bytes,
        received: Callable[[bytes], None],
        lost: Callable[[], None],
    ) -> None:
        self._request = request
        self._key = key
        self._received = received
        self._lost = lost
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._message = bytearray()
        self._open = False
        self.greeted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once the browser has agreed to talk."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin (called by the event loop)."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Take in bytes (called by the event loop)."""
        self._buffer += data
        if not self._open and not self._greet():
            return
        while self._take_frame():
            pass

    def connection_lost(self, exc: Exception | None) -> None:
        """End (called by the event loop)."""
        del exc
        self._transport = None
        if not self.greeted.done():
            self.greeted.set_exception(_not_a_browser())
        self._lost()

    # --- reading --------------------------------------------------------------------------------

    def _greet(self) -> bool:
        """Read the answer to our request; whether frames follow."""
        head, end, rest = bytes(self._buffer).partition(b"\r\n\r\n")
        if not end:
            if len(head) > _LARGEST_ANSWER:
                self.close()
            return False
        status, *lines = head.split(b"\r\n")
        fields = {name.strip().lower(): value.strip() for name, _, value in
                  (line.partition(b":") for line in lines)}  # fmt: skip
        expected = base64.b64encode(hashlib.sha1(self._key + _ACCEPT).digest())  # noqa: S324
        if b" 101 " not in status + b" " or fields.get(b"sec-websocket-accept") != expected:
            self.close()
            return False
        self._buffer = bytearray(rest)
        self._open = True
        if not self.greeted.done():
            self.greeted.set_result(None)
        return True

    def _take_frame(self) -> bool:
        """Take one frame out of the buffer; whether there was a whole one."""
        buffer = self._buffer
        if len(buffer) < 2:  # noqa: PLR2004
            return False
        length, start = buffer[1] & 0x7F, 2
        if length > _SHORT:
            form, start = ("!H", 4) if length == _SHORT + 1 else ("!Q", 10)
            if len(buffer) < start:
                return False
            [length] = struct.unpack_from(form, buffer, 2)
        if buffer[1] & 0x80 or length + len(self._message) > _LARGEST_MESSAGE:
            # A browser masks nothing, and says nothing so long.
            self.close()
            return False
        if len(buffer) < start + length:
            return False
        last, kind = bool(buffer[0] & 0x80), buffer[0] & 0x0F
        content = bytes(buffer[start : start + length])
        del buffer[: start + length]
        self._frame(kind, content, last=last)
        return self._transport is not None

    def _frame(self, kind: int, content: bytes, *, last: bool) -> None:
        if kind == _PING:
            self._send(_PONG, content)
        elif kind == _CLOSE:
            self.close()
        elif kind in {_CONTINUED, _TEXT, _BINARY}:
            self._message += content
            if last:
                message, self._message = bytes(self._message), bytearray()
                self._received(message)

    # --- writing --------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Send messages that each end in a zero byte."""
        for message in data.split(b"\0")[:-1]:
            self._send(_TEXT, message)

    def _send(self, kind: int, content: bytes) -> None:
        if self._transport is None:
            return
        length = len(content)
        if length <= _SHORT:
            head = struct.pack("!BB", 0x80 | kind, 0x80 | length)
        elif length <= _MIDDLE:
            head = struct.pack("!BBH", 0x80 | kind, 0x80 | _SHORT + 1, length)
        else:
            head = struct.pack("!BBQ", 0x80 | kind, 0x80 | _SHORT + 2, length)
        mask = os.urandom(4)
        self._transport.write(head + mask + _masked(content, mask))

    def close(self) -> None:
        """Close our end: the browser goes on without us."""
        if self._transport is not None:
            self._transport.abort()


def _masked(content: bytes, mask: bytes) -> bytes:
    length = len(content)
    repeated = (mask * (length // 4 + 1))[:length]
    mixed = int.from_bytes(content, "big") ^ int.from_bytes(repeated, "big")
    return mixed.to_bytes(length, "big")


def _not_a_browser() -> LaunchFailed:
    return LaunchFailed(
        "what listens there does not talk as a browser does",
        hint="Start the browser with a debugging port: stockade chrome start",
    )


async def open_socket(
    host: str,
    port: int,
    path: str,
    received: Callable[[bytes], None],
    lost: Callable[[], None],
) -> Socket:
    """Open a WebSocket; whoever calls bounds the time."""
    key = base64.b64encode(os.urandom(16))
    shown = f"[{host}]" if ":" in host else host
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {shown}:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key.decode()}\r\n\r\n"
    )
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: Socket(request.encode(), key, received, lost), host, port
    )
    try:
        await socket.greeted
    except BaseException:
        socket.close()
        raise
    return socket
