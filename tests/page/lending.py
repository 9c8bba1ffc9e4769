"""A tab that goes from one test to the next, for as long as none leaves a trace in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from stockade.engines.cdp.browser import ChromiumBrowser
from stockade.engines.port import Browser, Page
from stockade.engines.values import ContextOptions
from stockade.errors import StockadeError

_PATIENCE = 2.0
TRACELESS = {
    "DOM.describeNode",
    "DOM.getBoxModel",
    "DOM.getContentQuads",
    "DOM.getFrameOwner",
    "DOM.resolveNode",
    "Page.createIsolatedWorld",
    "Page.getFrameTree",
    "Page.getLayoutMetrics",
    "Page.navigate",
    "Runtime.callFunctionOn",
    "Runtime.discardConsoleEntries",
    "Runtime.evaluate",
    "Runtime.getProperties",
    "Runtime.releaseObject",
    "Runtime.releaseObjectGroup",
}
"""What can be asked of a tab that the next document does not notice."""


class Lender:
    """Lends the same tab again, or a new one where more was asked of it than to show documents."""

    def __init__(self, browser: Browser, options: ContextOptions) -> None:
        assert isinstance(browser, ChromiumBrowser)
        self._connection = browser.connection
        self._browser = browser
        self._options = options
        self._page: Page | None = None
        self._asked: set[str] = set()
        self._post = browser.connection.post

    async def lend(self) -> Page:
        """A tab in which nothing was done yet, or nothing that matters."""
        if self._page is None:
            context = await self._browser.new_context(self._options)
            self._page = await context.new_page()
        self._asked.clear()
        self._connection.post = self._noted  # type: ignore[method-assign]
        return self._page

    async def take_back(self) -> None:
        """Empty it; what cannot be lent again is closed."""
        self._connection.post = self._post  # type: ignore[method-assign]
        page = self._page
        if page is None or self._asked - TRACELESS or len(page.context.pages) != 1:
            await self.close()
            return
        try:
            await page.navigate("about:blank", timeout=_PATIENCE)
        except StockadeError:
            await self.close()

    async def close(self) -> None:
        """Lend nothing more."""
        page, self._page = self._page, None
        if page is not None and self._browser.alive:
            await page.context.close()

    def _noted(self, session: Any, commands: Iterable[tuple[str, Any]]) -> list[int]:
        commands = list(commands)
        self._asked.update(method for method, _ in commands)
        return self._post(session, commands)
