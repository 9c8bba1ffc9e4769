"""One run of the egress process, from its start to its end."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections import deque
from collections.abc import Callable

import msgspec

from stockade.egress.datagrams import Malformed, receive, send
from stockade.egress.protocol import FromProcess, ToProcess, decode_from_process, encode
from stockade.processes import Process, spawn

__all__ = ["Child"]

_CONTROL = 3
_AT_ONCE = 200
"""Messages taken in before others have their turn."""
_GRACE = 1.0


class Child:
    """A process and the socket that only we and it have. Without that socket it ends."""

    def __init__(self, uid: int, heard: Callable[[FromProcess], None]) -> None:
        self._heard = heard
        self._loop = asyncio.get_running_loop()
        self._unsent: deque[tuple[bytes, tuple[socket.socket, ...]]] = deque()
        self._over = asyncio.Event()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._control.settimeout(0)
            self._process = _started(uid, theirs)
        except BaseException:
            self._control.close()
            raise
        finally:
            theirs.close()
        self._loop.add_reader(self._control, self.catch_up)

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can still be told something."""
        return not self._over.is_set() and self._process.alive

    @property
    def last_words(self) -> str:
        """The last line of what it wrote to its error stream."""
        return self._process.error_output.strip().rpartition("\n")[2]

    # --- telling --------------------------------------------------------------------------------

    def tell(self, message: ToProcess, *sockets: socket.socket) -> None:
        """Send a message, after those that came before it."""
        if not self.alive:
            return
        self._unsent.append((encode(message), sockets))
        if len(self._unsent) == 1:
            self._send()

    def _send(self) -> None:
        self._loop.remove_writer(self._control)
        while self._unsent:
            data, sockets = self._unsent[0]
            numbers = [each.fileno() for each in sockets]
            try:
                # What was closed meanwhile is not to be opened any more.
                if all(number >= 0 for number in numbers):
                    send(self._control, data, *numbers)
            except BlockingIOError:
                self._loop.add_writer(self._control, self._send)
                return
            except OSError:
                self.leave()
                return
            self._unsent.popleft()

    # --- hearing --------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Take in what it has said so far."""
        for _ in range(_AT_ONCE):
            if self._over.is_set():
                return
            try:
                found = receive(self._control)
                found.close()
                if not found.data:
                    self.leave()
                    return
                message = decode_from_process(found.data)
            except BlockingIOError:
                return
            except (OSError, Malformed, msgspec.DecodeError):
                # Nothing it says can be relied on any more.
                self.leave()
                return
            self._heard(message)

    # --- end ------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Close the socket, which is how the process is told to end."""
        if not self._over.is_set():
            self._over.set()
            self._unsent.clear()
            self._loop.remove_reader(self._control)
            self._loop.remove_writer(self._control)
            self._control.close()

    async def gone(self) -> None:
        """Wait until it is over with it, from whichever side."""
        async with asyncio.TaskGroup() as group:
            ended = group.create_task(self._process.wait())
            closed = group.create_task(self._over.wait())
            await asyncio.wait([ended, closed], return_when=asyncio.FIRST_COMPLETED)
            ended.cancel()
            closed.cancel()

    async def end(self) -> int:
        """Close the socket and see the process end; its exit code."""
        if not self._over.is_set() and not self._process.alive:
            self.catch_up()
        self.leave()
        return await self._process.end(_GRACE)


def _started(uid: int, control: socket.socket) -> Process:
    """The process drops its privileges itself, once it has read what only we may read."""
    argv = [sys.executable, "-I", "-m", "stockade.egress"]
    if os.geteuid() == 0:
        argv.append(str(uid))
    return spawn(argv, environment={}, descriptors={_CONTROL: control.fileno()})
