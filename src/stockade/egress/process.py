"""The egress process: it does what the control socket says, and ends with it."""

from __future__ import annotations

import asyncio
import gc
import resource
import socket

import msgspec
import uvloop

from stockade.egress.confinement import confine
from stockade.egress.control import Control
from stockade.egress.conversation import Conversation
from stockade.egress.datagrams import Datagram, Malformed
from stockade.egress.limits import SWEEP_SECONDS
from stockade.egress.machine import Own
from stockade.egress.protocol import (
    Admit,
    Close,
    Count,
    Counters,
    Names,
    Open,
    Ready,
    Rules,
    Start,
    decode_to_process,
)
from stockade.egress.resolver import Resolver
from stockade.egress.roots import trusted_roots
from stockade.egress.session import Session, Surroundings
from stockade.egress.streams import Stream
from stockade.errors import InvalidArgument

__all__ = ["Process", "run"]

_SPARE = 256
"""Descriptors that are not for connections."""


class Process:
    """Every session's way out. Without a word from the server nothing is dialled."""

    def __init__(self, control: Control, room: int) -> None:
        self._control = control
        self._room = room
        self._group = asyncio.TaskGroup()
        self._around: Surroundings | None = None
        self._sessions: dict[str, Session] = {}

    async def run(self) -> None:
        """Do what is said until nothing more is; what makes no sense is the end too."""
        async with self._group:
            sweeping = self._group.create_task(self._sweep())
            try:
                while (heard := await self._control.hear()).data:
                    try:
                        await self._take(heard)
                    finally:
                        heard.close()
            finally:
                sweeping.cancel()
                for session in self._sessions.values():
                    session.close()

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for session in self._sessions.values():
                session.sweep(loop.time())

    async def _take(self, heard: Datagram) -> None:
        message = decode_to_process(heard.data)
        if isinstance(message, Start):
            self._around = Surroundings(
                self._control,
                Resolver(message.resolver, hosts=message.hosts, conf=message.conf),
                Own(message.own),
                self._begin,
                self._group.create_task,
                self._room,
            )
            self._control.tell(Ready("start"))
        elif self._around is None:
            raise Malformed("something was said before the start")
        elif isinstance(message, Names):
            self._around.resolver.learn(message.hosts, message.conf)
        elif isinstance(message, Open):
            await self._open(message, heard, self._around)
        elif isinstance(message, Admit):
            if message.session in self._sessions:
                self._sessions[message.session].admit(message.origins)
            self._control.tell(Ready("admit", message.session))
        elif isinstance(message, Close):
            self._close(message.session)
            self._control.tell(Ready("close", message.session))
        elif isinstance(message, Count):
            session = self._sessions.get(message.session)
            self._control.tell(Counters(message.session) if session is None else session.counters)

    async def _open(self, message: Open, heard: Datagram, around: Surroundings) -> None:
        if not heard.descriptors:
            raise Malformed("a session came without its socket")
        self._close(message.session)
        listener = socket.socket(fileno=heard.descriptors.pop(0))
        listener.settimeout(0)
        try:
            session = Session(message.session, message.rules, around)
        except InvalidArgument:
            # Rules that cannot be read allow nothing.
            session = Session(
                message.session, Rules(label=message.rules.label, closed=True), around
            )
        session.open(listener, elsewhere=message.elsewhere)
        self._sessions[message.session] = session
        self._control.tell(Ready("open", message.session))

    def _close(self, name: str) -> None:
        session = self._sessions.pop(name, None)
        if session is not None:
            session.close()

    def _begin(self, session: Session, client: Stream) -> asyncio.Task[None]:
        return self._group.create_task(Conversation(session, client).run())


async def _serve(control: socket.socket, room: int) -> int:
    code = 0
    with control:
        try:
            await Process(Control(control), room).run()
        except* (Malformed, msgspec.DecodeError):
            code = 2
    return code


def run(number: int, uid: int | None) -> int:
    """Give up what is not needed, then serve the control socket of that number; the exit code."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    trusted_roots()
    control = socket.socket(fileno=number)
    confine(uid)
    gc.freeze()
    return uvloop.run(_serve(control, (most - _SPARE) // 2))
