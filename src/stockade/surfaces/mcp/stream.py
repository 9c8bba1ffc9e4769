"""Streams that a client keeps open to hear of what it has not asked for."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive, Send

__all__ = ["Stream"]


class Stream:
    """A response without an end of its own, which ends when its client leaves or we stop."""

    def __init__(self, receive: Receive, send: Send, stopping: asyncio.Event) -> None:
        self._receive = receive
        self._send = send
        self._stopping = stopping
        self._open = False

    async def receive(self) -> Message:
        """What comes next from the client; when we stop, that it has left."""
        async with asyncio.TaskGroup() as group:
            coming = group.create_task(self._next())
            stopping = group.create_task(self._stopping.wait())
            await asyncio.wait({coming, stopping}, return_when=asyncio.FIRST_COMPLETED)
            coming.cancel()
            stopping.cancel()
        return {"type": "http.disconnect"} if coming.cancelled() else coming.result()

    async def _next(self) -> Message:
        return await self._receive()

    async def send(self, message: Message) -> None:
        """Pass on a part of the response."""
        await self._send(message)
        self._open = message["type"] == "http.response.start" or message.get("more_body", False)

    async def finish(self) -> None:
        """End the response, if that has not been done."""
        if self._open:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
