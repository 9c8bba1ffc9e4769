"""Line cut: tabs that are offline for as long as a person is asked about what they want to send.

It is what holds back messages on WebSockets, which are no requests. What a page sends on one
meanwhile goes out afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from typing import Final

from stockade.engines.events import RequestAnswered, RequestFinished
from stockade.engines.port import Page
from stockade.errors import StockadeError

__all__ = ["LineCut", "on_arrival"]

_PATIENCE: Final = 2.0
_SENT_PATIENCE: Final = 2.0
"""Seconds that the answer to what left before a question may take."""
_UNREAD_BODY: Final = 0.5
"""Seconds after the head of an answer: nothing tells the end of a body that no page reads."""


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
        return self._until(self._begin_leaving(page))

    def note_sent(self, page: Page, url: str) -> None:
        """A request has just gone out: the line is not cut while its answer is on the way."""
        end = self._begin_leaving(page)

        def finish() -> None:
            late.cancel()
            end_listening()
            end()

        end_listening = on_arrival(page, url, finish)
        late = asyncio.get_running_loop().call_later(_SENT_PATIENCE, finish)

    def _begin_leaving(self, page: Page) -> Callable[[], None]:
        gone = asyncio.Event()
        self._leaving.setdefault(page, set()).add(gone)

        def end() -> None:
            gone.set()
            pending = self._leaving.get(page, set())
            pending.discard(gone)
            if not pending:
                self._leaving.pop(page, None)

        return end

    @contextmanager
    def _until(self, end: Callable[[], None]) -> Iterator[None]:
        try:
            yield
        finally:
            end()

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


def on_arrival(page: Page, url: str, arrived: Callable[[], None]) -> Callable[[], None]:
    """Call back once a request of a page has been answered or failed; call the result to stop."""

    def finished(event: RequestFinished) -> None:
        if event.request.url == url:
            arrived()

    def answered(event: RequestAnswered) -> None:
        if event.request.url == url:
            asyncio.get_running_loop().call_later(_UNREAD_BODY, arrived)

    offs = page.events.on(RequestFinished, finished), page.events.on(RequestAnswered, answered)

    def stop() -> None:
        for off in offs:
            off()

    return stop


async def _set(page: Page, *, offline: bool) -> None:
    """A tab that is gone, or cannot be told, sends nothing either."""
    emulation = page.emulation
    network = replace(emulation.network, offline=offline)
    with suppress(StockadeError):
        await page.emulate(replace(emulation, network=network), timeout=_PATIENCE)
