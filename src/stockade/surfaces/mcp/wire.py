"""A wire: two descriptors, read and written without holding the event loop up."""

from __future__ import annotations

import asyncio
import os
import select
import socket
from collections.abc import Callable
from contextlib import suppress

__all__ = ["Wire"]

_CHUNK = 1 << 16
_GONE = select.POLLERR | select.POLLHUP | select.POLLNVAL


class Wire:
    """A pair of pipes, a socket, a terminal or files: whatever we were started with."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._waits_to_read = not _made_nonblocking(incoming)
        _made_nonblocking(outgoing)
        self._writing = asyncio.Lock()
        self._kept = b""

    async def read_line(self, longest: int) -> bytes | None:
        """The next line without its end, or none if there is none of that length."""
        begun = b""
        while b"\n" not in begun:
            data = await self.read()
            if not data or len(begun) > longest:
                return None
            begun += data
        line, _, self._kept = begun.partition(b"\n")
        return line if len(line) <= longest else None

    async def read(self) -> bytes:
        """The next bytes, or nothing at the end."""
        if self._kept:
            kept, self._kept = self._kept, b""
            return kept
        loop = asyncio.get_running_loop()
        if self._waits_to_read:
            await _ready(self._incoming, loop.add_reader, loop.remove_reader)
        while True:
            try:
                return os.read(self._incoming, _CHUNK)
            except BlockingIOError:
                await _ready(self._incoming, loop.add_reader, loop.remove_reader)
            except OSError:
                # A reset connection, a terminal that was closed: there is nothing more to read.
                return b""

    async def write(self, data: bytes) -> None:
        """Write all of `data`; an `OSError` means that nobody reads any more."""
        loop = asyncio.get_running_loop()
        left = memoryview(data)
        async with self._writing:
            while left:
                try:
                    left = left[os.write(self._outgoing, left) :]
                except BlockingIOError:
                    await _ready(self._outgoing, loop.add_writer, loop.remove_writer)

    @property
    def gone(self) -> bool:
        """Whether whoever read from us has left for good."""
        asked = select.poll()
        asked.register(self._outgoing, 0)
        return any(state & _GONE for _, state in asked.poll(0))

    def end(self) -> None:
        """Tell the other side of a socket that no more will be written."""
        with suppress(OSError), socket.socket(fileno=os.dup(self._outgoing)) as other:
            other.shutdown(socket.SHUT_WR)


def _made_nonblocking(descriptor: int) -> bool:
    """Make it so, unless our error stream or a terminal's owner would be made so too."""
    if os.isatty(descriptor) or _is_error_stream(descriptor):
        return False
    os.set_blocking(descriptor, False)
    return True


def _is_error_stream(descriptor: int) -> bool:
    try:
        return os.path.sameopenfile(descriptor, 2)
    except OSError:
        return False


async def _ready(
    descriptor: int,
    add: Callable[[int, Callable[[], None]], None],
    remove: Callable[[int], bool],
) -> None:
    """Wait until a descriptor can be used; files can be at any time, and cannot be waited for."""
    ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def told() -> None:
        if not ready.done():
            ready.set_result(None)

    try:
        add(descriptor, told)
    except PermissionError:
        return
    try:
        await ready
    finally:
        remove(descriptor)
