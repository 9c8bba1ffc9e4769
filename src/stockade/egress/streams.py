"""Streams: one side of a connection, read by the head or passed on as it comes.

What is passed on goes from one transport to the other within the callback that brought it, without
a copy; a side that does not take it as fast holds back the one that sends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar, cast

from stockade.egress.framing import Framing
from stockade.egress.limits import HEAD_SECONDS, IDLE_SECONDS, WRITE_BYTES

__all__ = ["Gone", "Stream"]

_Seen = TypeVar("_Seen")


class Gone(ConnectionError):
    """The other side of a stream went away, or was given up."""


class Stream(asyncio.Protocol):
    """A connection. Its deadline is looked at from outside: whoever passes it is cut off."""

    def __init__(self, connected: Callable[[Stream], None], lost: Callable[[Stream], None]) -> None:
        self._connected = connected
        self._lost = lost
        self.loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self.buffer = bytearray()
        """What came and nobody has taken yet."""
        self._ended = False
        self._waiter: asyncio.Future[None] | None = None
        self.pipe: Pipe | None = None
        """Where what comes goes on to."""
        self.feeding: Stream | None = None
        """Whose data goes out here; it waits when this side is full."""
        self._full = False
        self._stopped = False
        self.deadline = float("inf")
        self.used = False
        """Whether anything ever came from the other side."""

    # --- the connection -------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is there."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=WRITE_BYTES)
        self._connected(self)

    def connection_lost(self, _: Exception | None) -> None:
        """It is gone."""
        self._transport = None
        self._ended = True
        self._wake()
        if self.pipe is not None:
            self.pipe.fail(Gone("the connection was lost"))
        if self.feeding is not None and self.feeding.pipe is not None:
            self.feeding.pipe.fail(Gone("the connection was lost"))
        self._lost(self)

    @property
    def alive(self) -> bool:
        """Whether it can still be written to."""
        return self._transport is not None and not self._transport.is_closing()

    @property
    def quiet(self) -> bool:
        """Whether it is open and nothing came that nobody asked for."""
        return self.alive and not self._ended and not self.buffer

    def wait_until(self, seconds: float) -> None:
        """Give the other side that long from now."""
        self.deadline = self.loop.time() + seconds

    def close(self) -> None:
        """Send what is still to be sent, then close."""
        if self._transport is not None:
            self._transport.close()
            self.deadline = min(self.deadline, self.loop.time() + HEAD_SECONDS)

    def abort(self) -> None:
        """Cut it off."""
        if self._transport is not None:
            self._transport.abort()

    # --- out ------------------------------------------------------------------------------------

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send it, or forget it where nobody is left to take it."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def write_end(self) -> None:
        """Say that nothing more comes."""
        if self.alive and self._transport is not None and self._transport.can_write_eof():
            self._transport.write_eof()

    def pause_writing(self) -> None:
        """The other side does not take it as fast."""
        self._full = True
        if self.feeding is not None:
            self.feeding.stop_reading()

    def resume_writing(self) -> None:
        """It does again."""
        self._full = False
        if self.feeding is not None:
            self.feeding.go_on_reading()

    # --- in -------------------------------------------------------------------------------------

    def stop_reading(self) -> None:
        """Let the other side wait."""
        if self._transport is not None and not self._stopped:
            self._stopped = True
            self._transport.pause_reading()

    def go_on_reading(self) -> None:
        """Take in what it has to say."""
        if self._transport is not None and self._stopped:
            self._stopped = False
            self._transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Something came: it is passed on, or kept for who reads."""
        self.used = True
        if self.pipe is not None:
            self.pipe.take(data)
            return
        self.buffer += data
        if len(self.buffer) >= WRITE_BYTES:
            self.stop_reading()
        self._wake()

    def eof_received(self) -> bool:
        """Nothing more comes from there; it may still be spoken to."""
        self._ended = True
        if self.pipe is not None:
            self.pipe.end()
        self._wake()
        return True

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def until(
        self, ready: Callable[[bytearray], _Seen | None], seconds: float
    ) -> _Seen | None:
        """What `ready` makes of what has come so far, as soon as it makes anything of it.

        The first byte is waited for that long, what follows it no longer than a head may take.
        `None` where the other side ended without a word.
        """
        begun = bool(self.buffer)
        self.wait_until(HEAD_SECONDS if begun else seconds)
        while True:
            if self.buffer and (seen := ready(self.buffer)) is not None:
                return seen
            if self._ended:
                if self.buffer or not self.alive:
                    raise Gone("the connection ended too early")
                return None
            self._waiter = self.loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
            if not begun and self.buffer:
                begun = True
                self.wait_until(HEAD_SECONDS)

    def take(self, count: int) -> bytes:
        """The first bytes of what came."""
        found = bytes(self.buffer[:count])
        del self.buffer[:count]
        if len(self.buffer) < WRITE_BYTES:
            self.go_on_reading()
        return found

    def put_back(self, data: bytes) -> None:
        """What was read and belongs to what comes next."""
        self.buffer[:0] = data

    # --- passing on -----------------------------------------------------------------------------

    def pass_on(
        self, to: Stream, framing: Framing, counted: Callable[[int], None]
    ) -> asyncio.Future[bool]:
        """Send to another stream what comes here, until the message is whole.

        What is left of what came belongs to the next. The answer is whether it was whole: at the
        end of a stream some are not. A tunnel's end is passed on too.
        """
        pipe = self.pipe = Pipe(self, to, framing, counted)
        to.feeding = self
        if to._full:
            self.stop_reading()
        if self.buffer or framing.done:
            pipe.take(self.take(len(self.buffer)))
        if self._ended and not pipe.whole.done():
            pipe.end()
        if not to.alive:
            pipe.fail(Gone("the connection was lost"))
        return pipe.whole

    def stop_passing_on(self) -> None:
        """Read by the head again."""
        if self.pipe is not None:
            self.pipe.over()


class Pipe:
    """One direction of what is passed on."""

    def __init__(
        self, source: Stream, to: Stream, framing: Framing, counted: Callable[[int], None]
    ) -> None:
        self._source = source
        self._to = to
        self._framing = framing
        self._counted = counted
        self.whole: asyncio.Future[bool] = source.loop.create_future()

    def take(self, data: bytes) -> None:
        framing = self._framing
        source, to = self._source, self._to
        source.deadline = to.deadline = source.loop.time() + IDLE_SECONDS
        try:
            for piece in framing.feed(data):
                to.write(piece)
        except ValueError as error:
            self.fail(error)
            return
        self._counted(len(data) - len(framing.rest))
        if framing.done:
            source.put_back(framing.rest)
            self._finish(whole=True)

    def end(self) -> None:
        if self._framing.until_end:
            self._finish(whole=True)
        else:
            self._finish(whole=False)

    def _finish(self, *, whole: bool) -> None:
        self.over()
        if not self.whole.done():
            self.whole.set_result(whole)

    def fail(self, error: Exception) -> None:
        self.over()
        if not self.whole.done():
            self.whole.set_exception(error)
            self.whole.exception()  # who gave it up does not ask any more

    def over(self) -> None:
        if self._source.pipe is self:
            self._source.pipe = None
        if self._to.feeding is self._source:
            self._to.feeding = None
            if len(self._source.buffer) < WRITE_BYTES:
                self._source.go_on_reading()
