"""Somebody who waits until a page is as it should be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["Waiter"]


class Waiter:
    """Looks again whenever the page has changed; an obstacle ends the wait."""

    def __init__(
        self, page: ChromiumPage, predicate: Callable[[], bool], *, even_if_closed: bool
    ) -> None:
        self.future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._page = page
        self._predicate = predicate
        self._even_if_closed = even_if_closed

    def check(self) -> None:
        """Look whether it is so now."""
        if self.future.done():
            return
        if self._predicate():
            self.future.set_result(None)
            return
        error = None if self._even_if_closed else self._page.obstacle()
        if error is not None:
            self.future.set_exception(error)
