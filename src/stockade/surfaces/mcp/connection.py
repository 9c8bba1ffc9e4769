"""One client on a wire, from its first line to its last."""

from __future__ import annotations

import asyncio
from typing import Final

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)

from stockade.kernel.dispatch import Kernel
from stockade.surfaces.mcp.caller import Caller
from stockade.surfaces.mcp.endpoint import made
from stockade.surfaces.mcp.framing import BUSY, Unreadable, decode, encode, failure
from stockade.surfaces.mcp.lines import LONGEST_LINE, Lines, TooLong
from stockade.surfaces.mcp.wire import Wire
from stockade.telemetry.logs import get_logger

__all__ = ["serve"]

_log = get_logger("stockade.mcp")

_CANCELLED: Final = "notifications/cancelled"
_MOST_REQUESTS: Final = 256
"""Requests that one client may have under way."""
_LAST_ANSWERS: Final = 5.0
"""Seconds in which a client that has said everything may still want its answers."""
_LAST_LOOK: Final = 0.1
_LAST_WRITE: Final = 2.0

_Incoming = MemoryObjectSendStream[SessionMessage | Exception]
_Outgoing = MemoryObjectReceiveStream[SessionMessage]


async def serve(kernel: Kernel, caller: Caller, wire: Wire) -> None:
    """Serve one client until it has left; every call it made has ended by then."""
    server = made(kernel, lambda _: caller)
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception]()
    write, outgoing = anyio.create_memory_object_stream[SessionMessage]()
    conversation = _Conversation(wire)
    async with anyio.create_task_group() as group:
        written = anyio.Event()

        async def writing() -> None:
            await conversation.write(outgoing)
            written.set()
            # Nobody reads us any more, or nothing more will be said: either way it is over.
            group.cancel_scope.cancel()

        group.start_soon(conversation.read, incoming)
        group.start_soon(writing)
        await server.run(read, write, server.create_initialization_options())
        with anyio.move_on_after(_LAST_WRITE):
            await written.wait()
        group.cancel_scope.cancel()


class _Conversation:
    """Lines on one side, messages on the other."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._under_way: set[RequestId] = set()
        self._answered = asyncio.Event()

    # --- from the client ------------------------------------------------------------------------

    async def read(self, incoming: _Incoming) -> None:
        """Pass on what the client says, until it has no more to say and has had its answers."""
        lines = Lines()
        async with incoming:
            while data := await self._wire.read():
                for line in lines.feed(data):
                    await self._take(line, incoming)
            await self._take(lines.rest(), incoming)
            await self._last_answers()

    async def _take(self, line: bytes | TooLong, incoming: _Incoming) -> None:
        if isinstance(line, TooLong):
            await self._send(failure(INVALID_REQUEST, f"a line has at most {LONGEST_LINE} bytes"))
        elif line.strip():
            try:
                await self._pass_on(decode(line), incoming)
            except Unreadable as error:
                await self._send(error.answer)

    async def _pass_on(self, message: JSONRPCMessage, incoming: _Incoming) -> None:
        if isinstance(message, JSONRPCRequest):
            if message.id in self._under_way:
                raise Unreadable(INVALID_REQUEST, "a request with this id is under way")
            if len(self._under_way) >= _MOST_REQUESTS:
                raise Unreadable(BUSY, f"{_MOST_REQUESTS} requests are under way", message.id)
            self._under_way.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == _CANCELLED:
            # It will have no answer.
            self._settle((message.params or {}).get("requestId"))
        try:
            await incoming.send(SessionMessage(message))
        except anyio.BrokenResourceError:
            _log.debug("a message came after the end")

    async def _last_answers(self) -> None:
        """Wait for what is under way, for a moment, as long as somebody is there to read it."""
        with anyio.move_on_after(_LAST_ANSWERS):
            while self._under_way and not self._wire.gone:
                self._answered.clear()
                with anyio.move_on_after(_LAST_LOOK):
                    await self._answered.wait()

    # --- to the client --------------------------------------------------------------------------

    async def write(self, outgoing: _Outgoing) -> None:
        """Tell the client what the server says, until one of them is gone."""
        async with outgoing:
            async for each in outgoing:
                if not await self._send(each.message):
                    return
                if isinstance(each.message, JSONRPCResponse | JSONRPCError):
                    self._settle(each.message.id)

    async def _send(self, message: JSONRPCMessage) -> bool:
        """Write a message; whether it could be."""
        try:
            await self._wire.write(encode(message))
        except OSError as error:
            _log.debug("the client is gone", error=error.strerror)
            return False
        return True

    def _settle(self, id: object) -> None:
        if isinstance(id, str | int):
            self._under_way.discard(id)
        self._answered.set()
