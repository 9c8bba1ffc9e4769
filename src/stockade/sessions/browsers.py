"""Browsers: started when first wanted, shared or not as the isolation level says."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Literal

from stockade.engines.port import Browser, Engine
from stockade.engines.values import LaunchOptions

__all__ = ["Browsers"]


@dataclass
class _Running:
    browser: Browser
    users: set[str] = field(default_factory=set)
    idle_since: float = 0.0


class Browsers:
    """The browser processes of this server."""

    def __init__(
        self, engine: Engine, launch: LaunchOptions, isolation: Literal["shared", "process"]
    ) -> None:
        self._engine = engine
        self._launch = launch
        self._isolation = isolation
        self._running: list[_Running] = []
        self._starting = asyncio.Lock()
        self.launched = 0

    @property
    def isolation(self) -> Literal["shared", "process"]:
        """The level every session of this server gets."""
        return self._isolation

    @property
    def alive(self) -> list[Browser]:
        """Those that answer."""
        return [each.browser for each in self._running if each.browser.alive]

    async def acquire(self, user: str) -> Browser:
        """A browser for the session `user`, started if need be."""
        if self._isolation == "process":
            return await self._start(user)
        async with self._starting:
            for each in self._running:
                if each.browser.alive:
                    each.users.add(user)
                    return each.browser
            return await self._start(user)

    async def _start(self, user: str) -> Browser:
        browser = await self._engine.launch(self._launch)
        self._running.append(_Running(browser, {user}))
        self.launched += 1
        return browser

    async def release(self, user: str, browser: Browser) -> None:
        """`user` is done; a browser of its own ends with it, a shared one may stay a while."""
        for each in list(self._running):
            if each.browser is not browser:
                continue
            each.users.discard(user)
            if each.users:
                continue
            each.idle_since = time.monotonic()
            if self._isolation == "process" or not browser.alive:
                await self._end(each)

    async def _end(self, running: _Running) -> None:
        if running in self._running:
            self._running.remove(running)
        await running.browser.close()

    async def end_idle(self, idle: float) -> float | None:
        """End browsers nobody has used for `idle` seconds; the answer is when the next is due."""
        due: float | None = None
        for each in list(self._running):
            if each.users or not idle:
                continue
            left = each.idle_since + idle - time.monotonic()
            if left <= 0:
                await self._end(each)
            else:
                due = left if due is None else min(due, left)
        return due

    async def close(self) -> None:
        """End them all."""
        await asyncio.gather(*(self._end(each) for each in list(self._running)))
