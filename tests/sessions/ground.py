"""What tests of sessions stand on: a clock moved by hand, engines to watch, calls like a kernel's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from stockade.config import Settings
from stockade.egress.gateway import Gateway
from stockade.engines.cdp import ChromiumEngine
from stockade.engines.port import Browser
from stockade.engines.values import LaunchOptions, World
from stockade.policy.principal import Principal
from stockade.sessions.clock import Clock
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from tests.support.browsers import HEADLESS_SHELL
from tests.support.leaks import processes
from tests.support.site import LOOPBACK

ALICE = Principal("alice")
BOB = Principal("bob")
WAIT = 10.0
SOON = 2.0
"""Within which an error that is due at once must have come, on a busy machine."""


class HandClock(Clock):
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._waiting: dict[asyncio.Event, float] = {}

    def now(self) -> float:
        return self._now

    @property
    def planned(self) -> list[float]:
        """In how many seconds those who wait want to be woken."""
        return [until - self._now for until in self._waiting.values()]

    def advance(self, seconds: float) -> None:
        self._now += seconds
        for event, until in self._waiting.items():
            if until <= self._now:
                event.set()

    async def wait(self, event: asyncio.Event, until: float) -> None:
        if until <= self._now:
            return
        self._waiting[event] = until
        try:
            await event.wait()
        finally:
            del self._waiting[event]


class WatchedEngine:
    """Starts real browsers, and knows them all; a launch can be held back at either end."""

    def __init__(self) -> None:
        self.begun = 0
        self.browsers: list[Browser] = []
        self.pids: list[int] = []
        self.before = asyncio.Event()
        self.after = asyncio.Event()
        self.before.set()
        self.after.set()

    async def launch(self, options: LaunchOptions) -> Browser:
        self.begun += 1
        await self.before.wait()
        browser = await ChromiumEngine().launch(options)
        self.pids.append(browser.pid)
        try:
            await self.after.wait()
        except asyncio.CancelledError:
            await browser.close()
            raise
        self.browsers.append(browser)
        return browser

    async def attach(self, address: str, *, timeout: float) -> Browser:
        return await ChromiumEngine().attach(address, timeout=timeout)


class LentBrowser:
    """A browser that others use too: closing it gives it back."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._returned = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._browser, name)

    @property
    def alive(self) -> bool:
        return self._browser.alive and not self._returned.is_set()

    async def wait_gone(self) -> None:
        await self._returned.wait()

    async def close(self, *, grace: float = 0.0) -> None:
        del grace
        self._returned.set()


class LendingEngine:
    """Saves tests that harm no browser the time to start one."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    async def launch(self, options: LaunchOptions) -> Any:
        if options.room is not None:
            return await ChromiumEngine().launch(options)
        return LentBrowser(self._browser)

    async def attach(self, address: str, *, timeout: float) -> Any:
        return await ChromiumEngine().attach(address, timeout=timeout)


_lent: dict[str, Gateway] = {}


@asynccontextmanager
async def lending_gateway() -> AsyncIterator[None]:
    """Within it, all sessions go out through one process, which none of them harms."""
    async with Gateway(uid=Settings().egress_uid) as _lent["gateway"]:
        yield
    del _lent["gateway"]


def settings(place: Path, **given: Any) -> Settings:
    standing = {"chromium": HEADLESS_SHELL, "egress_allow": LOOPBACK}
    return Settings(**{"workspace": place, **standing, **given})


@asynccontextmanager
async def serving(
    engine: Any, place: Path, *, clock: Clock | None = None, **given: Any
) -> AsyncIterator[Sessions]:
    chosen = settings(place, **given)
    async with Sessions(engine, chosen, clock=clock, gateway=_lent.get("gateway")) as sessions:
        yield sessions


@asynccontextmanager
async def working(
    session: Session, tab: str | None = None, *, wait: float = WAIT
) -> AsyncIterator[Tab]:
    """Hold what a call holds while it works in a tab."""
    async with session.slots.hold(wait):
        found = await session.tab(tab)
        async with found.lease.hold(wait):
            found.ensure_open()
            yield found


async def main(tab: Tab, function: str, *arguments: Any, timeout: float = WAIT) -> Any:
    """Run code in the page's own world."""
    return await tab.page.main_frame.call(function, *arguments, world=World.MAIN, timeout=timeout)


async def until(condition: Callable[[], object], seconds: float = WAIT) -> None:
    """Wait for what no event tells of."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def group(leader: int) -> list[int]:
    """The processes that run in the session of one that a server started."""
    found = []
    for pid in processes():
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[3]) == leader and fields[0] not in "ZX":
            found.append(pid)
    return found


async def all_gone(leaders: Iterable[int]) -> None:
    """Wait until what has been killed is dead, or something was forgotten."""
    await until(lambda: not any(map(group, leaders)))
