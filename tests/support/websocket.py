"""The server's side of a WebSocket, as far as tests need it: whole messages, no extensions."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import struct
from typing import Final

_MAGIC: Final = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_CONTINUATION, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


class WebSocket:
    """An accepted WebSocket: `receive` until it says None, `send`, `close`."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, early: bytes = b""
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._early = bytearray(early)
        self._closed = False

    @staticmethod
    def accept_key(key: str) -> str:
        """The handshake's answer to the client's key."""
        return base64.b64encode(hashlib.sha1((key + _MAGIC).encode()).digest()).decode()

    async def receive(self) -> str | bytes | None:
        """The next message, or None once the client has closed."""
        parts = bytearray()
        kind = _TEXT
        while True:
            final, opcode, payload = await self._frame()
            if opcode == _CLOSE:
                await self._write(_CLOSE, payload[:2])
                self._closed = True
                return None
            if opcode == _PING:
                await self._write(_PONG, payload)
            elif opcode in {_CONTINUATION, _TEXT, _BINARY}:
                kind = opcode or kind
                parts += payload
                if final:
                    return parts.decode() if kind == _TEXT else bytes(parts)

    async def send(self, message: str | bytes) -> None:
        """Send one message in one frame."""
        if isinstance(message, str):
            await self._write(_TEXT, message.encode())
        else:
            await self._write(_BINARY, message)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Say goodbye, and wait for the client's own goodbye."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._write(_CLOSE, struct.pack(">H", code) + reason.encode())
            while (await self._frame())[1] != _CLOSE:
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            return

    async def _frame(self) -> tuple[bool, int, bytes]:
        first, second = await self._exactly(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", await self._exactly(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", await self._exactly(8))
        mask = await self._exactly(4) if second & 0x80 else bytes(4)
        data = await self._exactly(length)
        payload = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        return bool(first & 0x80), first & 0x0F, payload

    async def _exactly(self, count: int) -> bytes:
        taken = bytes(self._early[:count])
        del self._early[:count]
        return taken + await self._reader.readexactly(count - len(taken))

    async def _write(self, opcode: int, payload: bytes) -> None:
        head = bytearray([0x80 | opcode])
        if len(payload) < 126:
            head.append(len(payload))
        elif len(payload) < 1 << 16:
            head += struct.pack(">BH", 126, len(payload))
        else:
            head += struct.pack(">BQ", 127, len(payload))
        self._writer.write(bytes(head) + payload)
        await self._writer.drain()
