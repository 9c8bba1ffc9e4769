"""Browsers: started when first wanted, shared or not as the isolation level says."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from typing import Literal

from stockade.engines.port import Browser, Engine
from stockade.engines.values import LaunchOptions
from stockade.errors import BrowserGone, StockadeError
from stockade.sessions.clock import NEVER, Agenda
from stockade.sessions.lease import Lease
from stockade.sessions.work import Job, Joint, Work

__all__ = ["Browsers", "Isolation"]

Isolation = Literal["shared", "process"]

_LAUNCHES = max(os.cpu_count() or 1, 2)
"""At a time: a crowd of browsers that all start at once all start too late."""
_LAUNCH_WAIT = 60.0
_PING_PATIENCE = 3.0
_GRACE = 3.0


@dataclass(eq=False)
class _Running:
    browser: Browser
    idle_since: float
    users: set[str] = field(default_factory=set)
    retired: bool = False
    """Nobody new is let in."""
    ending: Job[None] | None = None

    @property
    def usable(self) -> bool:
        return self.ending is None and self.browser.alive


class Browsers:
    """The browser processes of this server."""

    def __init__(
        self,
        engine: Engine,
        launch: LaunchOptions,
        isolation: Isolation,
        *,
        idle: float,
        work: Work,
        agenda: Agenda,
    ) -> None:
        self._engine = engine
        self._options = launch
        self._isolation = isolation
        self._idle = idle
        self._work = work
        self._agenda = agenda
        self._running: list[_Running] = []
        self._launching = Joint(work, self._launch)
        self._launches = Lease("the start of browsers", _LAUNCHES)
        self._stopping = False
        self.launched = 0

    @property
    def isolation(self) -> Isolation:
        """The level every session of this server gets."""
        return self._isolation

    @property
    def alive(self) -> list[Browser]:
        """Those whose process runs."""
        return [each.browser for each in self._running if each.usable]

    async def acquire(self, user: str) -> Browser:
        """A browser for the session `user`, started if need be."""
        if self._isolation == "process":
            running = await self._launch()
        else:
            running = self._open_to_all() or await self._launching.join()
        running.users.add(user)
        return running.browser

    def _open_to_all(self) -> _Running | None:
        return next((each for each in self._running if each.usable and not each.retired), None)

    async def _launch(self) -> _Running:
        async with self._launches.hold(_LAUNCH_WAIT):
            self._ensure_going_on()
            browser = await self._engine.launch(self._options)
        running = _Running(browser, self._agenda.now())
        self._running.append(running)
        self.launched += 1
        self._work.start(lambda: self._watch(running))
        self._rest(running)
        if self._stopping:
            self._end(running)
        self._ensure_going_on()
        return running

    def _ensure_going_on(self) -> None:
        if self._stopping:
            raise _stopped()

    async def _watch(self, running: _Running) -> None:
        """A browser that dies by itself is tidied up at once."""
        await running.browser.wait_gone()
        self._end(running)

    def _rest(self, running: _Running) -> None:
        """Nobody uses it now."""
        running.idle_since = self._agenda.now()
        self._agenda.expect(self._due(running))

    def _due(self, running: _Running) -> float:
        if not self._idle or running.users or running.ending is not None:
            return NEVER
        return running.idle_since + self._idle

    async def release(self, user: str, browser: Browser) -> None:
        """`user` is done; a browser of its own ends with it, a shared one may stay a while."""
        running = self._find(browser)
        if running is None:
            return
        running.users.discard(user)
        if running.users:
            return
        if self._isolation == "process" or running.retired or not running.usable:
            await self._end(running).result()
        else:
            self._rest(running)

    async def doubt(self, browser: Browser, *, retire: bool = False) -> None:
        """It did not do as it was told: it ends unless it answers, and may get nobody new."""
        running = self._find(browser)
        if running is None:
            return
        running.retired = running.retired or retire
        try:
            await browser.ping(timeout=_PING_PATIENCE)
        except StockadeError:
            await self._end(running, grace=0.0).result()

    def _find(self, browser: Browser) -> _Running | None:
        return next((each for each in self._running if each.browser is browser), None)

    def _end(self, running: _Running, grace: float = _GRACE) -> Job[None]:
        if running.ending is None:
            running.ending = self._work.start(lambda: self._close(running, grace))
        return running.ending

    async def _close(self, running: _Running, grace: float) -> None:
        try:
            await running.browser.close(grace=grace)
        finally:
            self._running.remove(running)

    def end_idle(self) -> list[Job[None]]:
        """Begin to end browsers nobody has used for a while, and note when the next is due."""
        ending = []
        for each in list(self._running):
            if self._due(each) <= self._agenda.now():
                ending.append(self._end(each))
            else:
                self._agenda.expect(self._due(each))
        return ending

    async def close(self) -> None:
        """End them all, and start no more."""
        self._stopping = True
        ending = [self._end(each) for each in list(self._running)]
        await self._launching.stop(_stopped())
        await asyncio.gather(*(each.ended() for each in ending))


def _stopped() -> BrowserGone:
    return BrowserGone("the server is stopping", hint="Wait until it runs again.")
