"""The gateway: the server's hold on the egress process.

It makes the listening sockets and keeps them, so that each session's address stays the same
whatever becomes of the process. A process that dies takes every connection with it, and nothing
gets out until the next one has been told everything that the last one knew.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

import anyio

from stockade.egress.child import Child
from stockade.egress.denials import Denials
from stockade.egress.hosts import NameFiles
from stockade.egress.protocol import (
    Admit,
    Close,
    Count,
    Counters,
    Failed,
    FromProcess,
    Names,
    Open,
    Ready,
    Rules,
    Start,
    Verdict,
)
from stockade.errors import BrowserGone, LaunchFailed, StockadeError
from stockade.telemetry.logs import apart, get_logger

__all__ = ["Gateway", "Heard", "Traffic", "Way"]

_log = get_logger("stockade.egress")

_PATIENCE = 10.0
"""Seconds within which a new process must have taken everything in."""
_COUNT_PATIENCE = 1.0
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 10.0
_STEADY = 30.0
"""Seconds after which a process that dies was not one that cannot live."""
_NAMES_SECONDS = 2.0
"""How often the files are looked at that say what names mean."""
_BACKLOG = 512
_BROWSER = "browser"
"""Whose way it is that lets nothing out."""

Heard = Callable[[Verdict | Failed], None]
"""Told what was refused on a way, and what came to nothing."""


@dataclass
class Traffic:
    """What went through in all."""

    requests: int = 0
    sent: int = 0
    received: int = 0

    def add(self, counters: Counters) -> None:
        """Count it in."""
        self.requests += counters.requests
        self.sent += counters.sent
        self.received += counters.received


@dataclass(eq=False)
class Way:
    """A session's way out: an address that its browser takes for a proxy."""

    gateway: Gateway
    session: str
    rules: Rules
    heard: Heard
    listener: socket.socket
    address: str
    """As a browser is given it."""
    elsewhere: bool = False
    """Whether it listens in another network namespace than ours."""
    admitted: tuple[str, ...] = ()
    _told: list[str] = field(default_factory=list)
    """What the process has been sent and has not confirmed."""
    _settled: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def ended(self) -> bool:
        """Whether nobody listens any more: a jail closes its sockets when it ends."""
        return self.listener.fileno() < 0

    async def admit(self, origins: Iterable[str]) -> None:
        """Let these origins through beyond the lists, and no others; it holds from then on."""
        self.admitted = tuple(origins)
        child = self.gateway.child
        if child is not None:
            self._tell_admitted(child)
        await self.settled()

    async def settled(self) -> None:
        """Wait until the process knows all of it."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._settled.wait()
        except TimeoutError:
            if self.ended:
                return
            if self.gateway.child is not None:
                # It hears nothing: another may.
                self.gateway.child.leave()
            raise LaunchFailed(
                "the egress process does not run, so nothing gets out",
                hint="The server's log says why; `stockade doctor` looks into it.",
                reason=self.gateway.trouble,
            ) from None

    async def close(self) -> None:
        """End it with every connection on it."""
        self.gateway.forget(self)

    def catch_up(self) -> None:
        """Hear what the process has said by now: it speaks before a browser hears anything."""
        if self.gateway.child is not None:
            self.gateway.child.catch_up()

    # --- with the gateway -----------------------------------------------------------------------

    def introduce(self, child: Child) -> None:
        """Tell a process of it."""
        if self.ended:
            self._settled.set()
            return
        self._told = ["open"]
        self._settled.clear()
        child.tell(Open(self.session, self.rules, self.elsewhere), self.listener)
        if self.admitted:
            self._tell_admitted(child)

    def _tell_admitted(self, child: Child) -> None:
        self._told.append("admit")
        self._settled.clear()
        child.tell(Admit(self.session, self.admitted))

    def confirmed(self, what: str) -> None:
        """The process has taken something in; it does so in order."""
        if self._told and self._told[0] == what:
            del self._told[0]
            if not self._told:
                self._settled.set()

    def unsettle(self) -> None:
        """The process is gone."""
        self._told = []
        self._settled.clear()


class Gateway:
    """Starts the process with the first way that is opened, and another whenever it dies."""

    def __init__(self, *, uid: int, resolver: str = "", own: Iterable[str] = ()) -> None:
        self._uid = uid
        self._resolver = resolver
        self._own = tuple(own)
        self._names = NameFiles()
        self._group = asyncio.TaskGroup()
        self._supervised = False
        self._over = asyncio.Event()
        self._ways: dict[str, Way] = {}
        self._counted: dict[str, Counters] = {}
        self._past = Traffic()
        self._counting: set[str] = set()
        self._all_counted = asyncio.Event()
        self._denials = Denials()
        self.child: Child | None = None
        """The process, while there is one that can be told something."""
        self.restarts = 0
        self.trouble = ""
        """Why there is none although there should be."""

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        with anyio.CancelScope(shield=True):
            for way in tuple(self._ways.values()):
                self.forget(way)
            # Not by cancelling it: it has to see the process end, however long that takes.
            self._over.set()
            if self.child is not None:
                self.child.leave()
            await self._group.__aexit__(None, None, None)

    # --- state ----------------------------------------------------------------------------------

    @property
    def denied(self) -> Counter[tuple[str, str]]:
        """How often something was refused, by rule and by whose traffic it was."""
        return self._denials.counts

    @property
    def traffic(self) -> Traffic:
        """What went through, as far as the process has told."""
        found = Traffic(self._past.requests, self._past.sent, self._past.received)
        for each in self._counted.values():
            found.add(each)
        return found

    async def count(self) -> None:
        """Ask the process what went through; one that does not answer is not waited for."""
        if self.child is None or not self._ways:
            return
        self._counting = set(self._ways)
        self._all_counted.clear()
        for session in self._counting:
            self.child.tell(Count(session))
        try:
            async with asyncio.timeout(_COUNT_PATIENCE):
                await self._all_counted.wait()
        except TimeoutError:
            return

    # --- ways -----------------------------------------------------------------------------------

    async def open(
        self, session: str, rules: Rules, heard: Heard, listener: socket.socket | None = None
    ) -> Way:
        """A way out for a session; `heard` is told what was refused on it.

        It begins at a socket of ours, or at one that listens in another network namespace.

        Raises:
            BrowserGone: the jail that the socket is of has ended.
            LaunchFailed: there is no egress process.
        """
        way = self._add(session, rules, heard, listener)
        try:
            await way.settled()
        except BaseException:
            self.forget(way)
            raise
        if way.ended:
            self.forget(way)
            raise _gone()
        return way

    def closed(self) -> str:
        """The address of a way that lets nothing out: for what a browser does by itself."""
        way = self._ways.get(_BROWSER)
        if way is None:
            way = self._add(_BROWSER, Rules(label="browser", closed=True), lambda _: None)
        return way.address

    def close_off(self, name: str, listener: socket.socket) -> Way:
        """A way of that kind, which begins at a socket in another network namespace."""
        return self._add(name, Rules(label="browser", closed=True), lambda _: None, listener)

    def _add(
        self, session: str, rules: Rules, heard: Heard, listener: socket.socket | None = None
    ) -> Way:
        elsewhere = listener is not None
        if listener is None:
            listener = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
            listener.settimeout(0)
        elif listener.fileno() < 0:
            raise _gone()
        host, port = listener.getsockname()[:2]
        address = f"http://{host}:{port}"
        way = Way(self, session, rules, heard, listener, address, elsewhere)
        self._ways[session] = way
        if self.child is not None:
            way.introduce(self.child)
        elif not self._supervised:
            self._supervised = True
            self._group.create_task(self._supervise())
        return way

    def forget(self, way: Way) -> None:
        """A way is closed."""
        if self._ways.get(way.session) is not way:
            return
        del self._ways[way.session]
        way.unsettle()
        if self.child is not None:
            self.child.tell(Count(way.session))
            self.child.tell(Close(way.session))
        way.listener.close()

    # --- the process ----------------------------------------------------------------------------

    async def _supervise(self) -> None:
        """Keep a process running."""
        loop = asyncio.get_running_loop()
        pause = _FIRST_PAUSE
        while not self._over.is_set():
            begun = loop.time()
            trouble = await self._run()
            if self._over.is_set():
                return
            self.trouble = trouble
            self.restarts += 1
            pause = _FIRST_PAUSE if loop.time() - begun > _STEADY else min(pause, _LONGEST_PAUSE)
            apart(_log.error, "the egress process ended", why=self.trouble, again_in=pause)
            await self._wait(pause)
            pause *= 2

    async def _wait(self, seconds: float) -> None:
        """Wait so long, or until the end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._over.wait()

    async def _run(self) -> str:
        """One process to its end, and why it ended."""
        try:
            child = Child(self._uid, self._hear)
        except (StockadeError, OSError) as error:
            return str(error)
        try:
            known = self._names.content
            child.tell(Start(self._resolver, self._own, *known))
            for way in self._ways.values():
                way.introduce(child)
            self.child = child
            await self._keep_informed(child, known)
        finally:
            self.child = None
            for way in self._ways.values():
                way.unsettle()
            code = await child.end()
            for counters in self._counted.values():
                self._past.add(counters)
            self._counted.clear()
        return child.last_words or f"exit code {code}"

    async def _keep_informed(self, child: Child, known: tuple[str, str]) -> None:
        """Tell a process what names mean whenever that changes, until it is gone."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_NAMES_SECONDS):
                    await child.gone()
                    return
            if (now := self._names.content) != known:
                known = now
                child.tell(Names(*now))

    def _hear(self, message: FromProcess) -> None:
        way = self._ways.get(message.session)
        if isinstance(message, Verdict | Failed):
            if isinstance(message, Verdict):
                self._denials.note(message)
            if way is not None:
                way.heard(message)
        elif isinstance(message, Counters):
            self._counted[message.session] = message
            self._counting.discard(message.session)
            if not self._counting:
                self._all_counted.set()
        elif isinstance(message, Ready):
            if message.what == "close" and message.session in self._counted:
                self._past.add(self._counted.pop(message.session))
            elif message.what == "start":
                self.trouble = ""
            elif way is not None:
                way.confirmed(message.what)


def _gone() -> BrowserGone:
    return BrowserGone("the browser's jail ended before its way out was open")
