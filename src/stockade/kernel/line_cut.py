"""Line cut: tabs that are offline for as long as a person is asked about what they want to send.

It is what holds back messages on WebSockets, which are no requests. What a page sends on one
meanwhile goes out afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from typing import Final

from stockade.engines.port import Page
from stockade.errors import StockadeError

__all__ = ["LineCut"]

_PATIENCE: Final = 2.0


class LineCut:
    """The tabs of a session whose line is cut."""

    def __init__(self) -> None:
        self._turns: dict[Page, asyncio.Lock] = {}
        self._over: dict[Page, asyncio.Event] = {}
        self._leaving: dict[Page, set[asyncio.Event]] = {}

    def is_cut(self, page: Page) -> bool:
        """Whether nothing leaves a tab now."""
        return page in self._over

    async def ended(self, page: Page) -> None:
        """Wait until a tab is online again."""
        over = self._over.get(page)
        if over is not None:
            await over.wait()

    def leaving(self, page: Page) -> AbstractContextManager[None]:
        """What waits for the line: from now until it has arrived, the line is not cut anew."""
        gone = asyncio.Event()
        self._leaving.setdefault(page, set()).add(gone)
        return self._until(page, gone)

    @contextmanager
    def _until(self, page: Page, gone: asyncio.Event) -> Iterator[None]:
        try:
            yield
        finally:
            gone.set()
            self._leaving[page].discard(gone)
            if not self._leaving[page]:
                del self._leaving[page]

    @asynccontextmanager
    async def turn(self, page: Page | None) -> AsyncIterator[None]:
        """One thing of a tab is asked about at a time."""
        if page is None:
            yield
            return
        self._turns = {each: lock for each, lock in self._turns.items() if not each.closed}
        async with self._turns.setdefault(page, asyncio.Lock()):
            yield

    @asynccontextmanager
    async def around(self, page: Page | None) -> AsyncIterator[None]:
        """Keep a tab offline meanwhile; one that is only just being opened has nothing to send."""
        if page is None or page.main_frame.url in {"", "about:blank"}:
            yield
            return
        for gone in tuple(self._leaving.get(page, ())):
            await gone.wait()
        before = page.emulation.network.offline
        over = self._over[page] = asyncio.Event()
        await _set(page, offline=True)
        try:
            yield
        finally:
            await _set(page, offline=before)
            del self._over[page]
            over.set()


async def _set(page: Page, *, offline: bool) -> None:
    """A tab that is gone, or cannot be told, sends nothing either."""
    emulation = page.emulation
    network = replace(emulation.network, offline=offline)
    with suppress(StockadeError):
        await page.emulate(replace(emulation, network=network), timeout=_PATIENCE)
