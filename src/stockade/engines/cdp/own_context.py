"""The state that a browser has by itself, which is not ours to throw away."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from stockade.engines.cdp.context import ChromiumContext
from stockade.engines.port import DEADLINE
from stockade.errors import BrowserGone

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["AttendedContext", "OwnContext"]


class OwnContext(ChromiumContext):
    """The browser's own profile; it lasts as long as the browser does."""

    async def _dispose(self, timeout: float) -> None:
        for page in self.pages:
            await page.close(timeout=timeout)


class AttendedContext(ChromiumContext):
    """A person's own profile, in which we have tabs of ours beside theirs."""

    _opened: frozenset[str] = frozenset()
    """The tabs we asked for."""

    async def new_page(self, *, timeout: float = DEADLINE) -> ChromiumPage:
        """Open an empty tab, which is ours."""
        page = await super().new_page(timeout=timeout)
        self._opened |= {page.id}
        return page

    def is_ours(self, page: ChromiumPage) -> bool:
        """Whether a tab was opened by us, or by one that was."""
        opener: ChromiumPage | None = page
        while opener is not None and opener.id not in self._opened:
            opener = opener.opener
        return opener is not None

    async def close(self, *, timeout: float = DEADLINE) -> None:
        """Close our own tabs; what was changed about the others ends with the connection."""
        if self._closed:
            return
        self._closed = True
        try:
            with suppress(BrowserGone):
                for page in self.pages:
                    if self.is_ours(page):
                        await page.close(timeout=timeout)
        finally:
            self.browser.downloads.forget(self)
            self.browser.contexts.pop(self.id, None)
