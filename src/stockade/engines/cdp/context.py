"""A browser context: one isolated state and its tabs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stockade.engines.events import Download, Events, PageClosed, PageCrashed, PageOpened
from stockade.engines.port import DEADLINE, Worker
from stockade.engines.values import ContextOptions

if TYPE_CHECKING:
    from stockade.engines.cdp.browser import ChromiumBrowser
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["ChromiumContext"]


class ChromiumContext:
    """Cookies, storage, cache and way out that no other context shares."""

    def __init__(self, browser: ChromiumBrowser, context_id: str, options: ContextOptions) -> None:
        self.browser = browser
        self.id = context_id
        self.options = options
        self.events = Events()
        self.download_list: list[Download] = []
        self.worker_list: list[Worker] = []

    @property
    def pages(self) -> Sequence[ChromiumPage]:
        """Its open tabs, oldest first."""
        return [page for page in self.browser.pages.values() if page.context is self]

    @property
    def workers(self) -> Sequence[Worker]:
        """All workers of this context."""
        return tuple(self.worker_list)

    @property
    def downloads(self) -> Sequence[Download]:
        """The downloads of this context."""
        return tuple(self.download_list)

    async def new_page(self, *, timeout: float = DEADLINE) -> ChromiumPage:
        """Open an empty tab."""
        answer = await self.browser.connection.root.send(
            "Target.createTarget",
            {"url": "about:blank", "browserContextId": self.id},
            timeout=timeout,
        )
        # The target is announced before the answer to the command that made it.
        page = self.browser.pages[answer["targetId"]]
        await page.ready(timeout=timeout)
        return page

    async def close(self, *, timeout: float = DEADLINE) -> None:
        """Close its tabs and forget its state."""
        await self.browser.connection.root.send(
            "Target.disposeBrowserContext", {"browserContextId": self.id}, timeout=timeout
        )
        self.browser.contexts.pop(self.id, None)

    def opened(self, event: PageOpened) -> None:
        """A tab is ready."""
        self.events.emit(event)
        self.browser.events.emit(event)

    def released(self, event: PageClosed) -> None:
        """A tab is gone."""
        self.events.emit(event)
        self.browser.events.emit(event)

    def crashed(self, event: PageCrashed) -> None:
        """A tab's renderer died."""
        self.events.emit(event)
        self.browser.events.emit(event)
