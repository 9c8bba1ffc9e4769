"""The control socket, from the process's side."""

from __future__ import annotations

import asyncio
import socket
from collections import deque

from stockade.egress.datagrams import Datagram, receive, send
from stockade.egress.protocol import FromProcess, encode

__all__ = ["Control"]


class Control:
    """Hears what the server says, one message after another, and answers in order."""

    def __init__(self, control: socket.socket) -> None:
        control.settimeout(0)
        self._socket = control
        self._loop = asyncio.get_running_loop()
        self._unsent: deque[bytes] = deque()
        self._all_sent = asyncio.Event()
        self._all_sent.set()

    def tell(self, message: FromProcess) -> None:
        """Send a message after those before it."""
        self._unsent.append(encode(message))
        self._all_sent.clear()
        if len(self._unsent) == 1:
            self._send()

    async def told(self) -> None:
        """Wait until the server has everything, so that nobody else learns of it first."""
        await self._all_sent.wait()

    def _send(self) -> None:
        while self._unsent:
            try:
                send(self._socket, self._unsent[0])
            except BlockingIOError:
                self._loop.add_writer(self._socket.fileno(), self._send)
                return
            except OSError:
                # The server is gone: reading says so too, and ends us.
                self._unsent.clear()
                break
            self._unsent.popleft()
        self._loop.remove_writer(self._socket.fileno())
        self._all_sent.set()

    async def hear(self) -> Datagram:
        """The next message; one without content is the end."""
        while True:
            try:
                return receive(self._socket)
            except BlockingIOError:
                await self._readable()
            except ConnectionError:
                return Datagram()

    async def _readable(self) -> None:
        ready = asyncio.Event()
        number = self._socket.fileno()
        self._loop.add_reader(number, ready.set)
        try:
            await ready.wait()
        finally:
            self._loop.remove_reader(number)
