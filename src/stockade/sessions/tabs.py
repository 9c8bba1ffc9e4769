"""The tabs of a session: each with a number of its own, and one of them the current."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from stockade.engines.events import DownloadStarted, PageClosed, PageOpened
from stockade.engines.port import Page
from stockade.errors import BrowserGone, QuotaExceeded, StockadeError, TabClosed, TabNotFound
from stockade.sessions.changes import TabGone, TabOpened
from stockade.sessions.tab import Tab

if TYPE_CHECKING:
    from stockade.sessions.session import Session

__all__ = ["Tabs"]

_CLOSE_PATIENCE = 10.0
_MOST_REFUSED = 100
_MOST_LOST = 200
_ID = re.compile(r"t([1-9]\d{0,8})")


class Tabs:
    """Adopts what opens, forgets what closes, and keeps the number within limits."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._tabs: dict[str, Tab] = {}
        self._current = ""
        self._last = 0
        self._opening = 0
        self._new: set[Tab] = set()
        """Opened for a caller that has not got hold of them yet."""
        self._leaving: set[Tab] = set()
        """Still there, but nobody's any more: their places are free."""
        self._lost: dict[str, None] = {}
        """Names of tabs that went with their browser."""
        self.refused: deque[str] = deque(maxlen=_MOST_REFUSED)
        """Where the popups were to go that found no room; empty where that was not known yet."""

    def __len__(self) -> int:
        """How many are open, or about to be."""
        # One that is there already does not take the place that is held for it, too.
        awaited = max(0, self._opening - len(self._new))
        return len(self._tabs) - len(self._leaving) + awaited

    @property
    def open(self) -> list[Tab]:
        """Oldest first."""
        return [tab for tab in self._tabs.values() if self._usable(tab)]

    def _usable(self, tab: Tab) -> bool:
        return not tab.page.closed and tab not in self._leaving

    @property
    def current(self) -> Tab | None:
        """The one that a call means when it names none."""
        tab = self._tabs.get(self._current)
        return tab if tab is not None and self._usable(tab) else self._most_recent()

    def _most_recent(self) -> Tab | None:
        """The tab last used; of those that nobody has used, the last one opened."""
        return max(reversed(self.open), key=lambda tab: tab.turn, default=None)

    def of(self, page: Page | None) -> Tab | None:
        """The tab that shows `page`."""
        return next((tab for tab in self._tabs.values() if tab.page is page), None)

    def find(self, id: str) -> Tab:
        """The tab of that id."""
        tab = self._tabs.get(id) or next((t for t in self.open if t.uuid == id), None)
        if tab is not None and self._usable(tab):
            return tab
        number = _ID.fullmatch(id)
        left = [each.id for each in self.open]
        if id in self._lost:
            raise TabClosed(
                "that tab went with its browser, which had to be restarted",
                lost="browser_restarted",
                tabs=left,
            )
        if number is not None and int(number[1]) <= self._last:
            raise TabClosed(f"tab {id} is closed", tab=id, tabs=left)
        raise TabNotFound(f"session {self._session.name} has no such tab", tabs=left)

    def select(self, id: str) -> Tab:
        """Make a tab the current one."""
        tab = self.find(id)
        self._new.discard(tab)
        self._current = tab.id
        tab.touch()
        return tab

    # --- limits ---------------------------------------------------------------------------------

    @asynccontextmanager
    async def place(self, *, recycle: bool = False) -> AsyncIterator[Tab | None]:
        """Hold a place for a tab that is about to open.

        With `recycle`, where there is none, the least used tab makes room, and is what is given.
        """
        full = self._full()
        spare = self._least_used() if full is not None and recycle else None
        if full is not None and spare is None:
            raise full
        # Between these two nobody else can take the place that is given up.
        if spare is not None:
            self._let_go(spare)
        self._opening += 1
        try:
            if spare is not None:
                await self._close(spare)
            yield spare
        finally:
            self._opening -= 1
            if not self._opening:
                # What came for a caller that gave up is a tab like any other.
                self._new.clear()

    def _full(self) -> QuotaExceeded | None:
        session = self._session
        if len(self) >= session.limits.tabs:
            return QuotaExceeded(
                f"session {session.name} has {session.limits.tabs} tabs open",
                hint="Close one first.",
                limit="max_tabs_per_session",
            )
        if not session.limits.room():
            return QuotaExceeded(
                "no more tabs can be open on this server",
                hint="Close one first.",
                limit="max_tabs",
            )
        return None

    # --- making room ----------------------------------------------------------------------------

    def _least_used(self) -> Tab | None:
        """The tab that is missed least; none in which somebody works, and last one with a dialog.

        A dialog waits for an answer, so somebody is in the middle of something there.
        """
        idle = [tab for tab in self.open if not tab.busy and tab not in self._new]
        return min(idle, key=lambda t: (t.page.dialog is not None, t.calls, t.turn), default=None)

    async def retire(self, tab: Tab) -> bool:
        """Close a tab that nobody works in; whether it was so."""
        if tab.busy or tab in self._new or not self._usable(tab):
            return False
        self._let_go(tab)
        await self._close(tab)
        return True

    def _let_go(self, tab: Tab) -> None:
        """From now on nobody gets it, although its page is still there."""
        self._leaving.add(tab)
        tab.lease.end(TabClosed(f"tab {tab.id} is closed", tab=tab.id))

    async def _close(self, tab: Tab) -> None:
        try:
            await tab.close()
        finally:
            # A page that would not close takes its place again.
            self._leaving.discard(tab)

    # --- coming and going -----------------------------------------------------------------------

    def adopt(self, page: Page, group: str = "") -> Tab:
        """The tab of a page, numbered if it is new."""
        tab = self.of(page)
        if tab is None:
            self._last += 1
            tab = Tab(f"t{self._last}", self._session, page, group)
            self._tabs[tab.id] = tab
            self._session.changes.emit(TabOpened(tab))
        return tab

    def claim(self, page: Page, group: str) -> Tab:
        """The tab of a page for the one who asked for it."""
        if page.closed:
            raise TabClosed("the tab was closed before it was ready")
        tab = self.adopt(page)
        tab.group = group
        return tab

    def opened(self, event: PageOpened) -> None:
        """A page is there: one we asked for, or a popup."""
        asked_for = event.opener is None and self._opening > 0
        if asked_for:
            # It has its place already.
            self._new.add(self.adopt(event.page))
            return
        opener = self.of(event.opener) or self.current
        if self._full() is None:
            self.adopt(event.page, opener.group if opener is not None else "")
            if opener is not None:
                opener.recorder.opened(event.page)
            return
        if self._session.isolation == "attached":
            # It may be a person's.
            return
        url = event.page.main_frame.url
        self.refused.append(url)
        if opener is not None:
            opener.recorder.refused(url)
        self._session.work.start(lambda: event.page.close(timeout=_CLOSE_PATIENCE))

    def closed(self, event: PageClosed) -> None:
        """A page is gone, for whatever reason."""
        tab = self.of(event.page)
        if tab is None:
            return
        del self._tabs[tab.id]
        self._leaving.discard(tab)
        self._new.discard(tab)
        opener = self.of(event.page.opener)
        if self._current == tab.id:
            heir = opener or self._most_recent()
            self._current = heir.id if heir is not None else ""
        if not event.page.context.browser.alive:
            self._gone(tab, BrowserGone(f"the browser of session {self._session.name} has ended"))
            return
        self._gone(tab, TabClosed(f"tab {tab.id} is closed", tab=tab.id))
        heir = opener or self.current
        if heir is not None:
            heir.recorder.closed(tab.id)
            if not tab.lease.users:
                # Whoever works in it still takes what it has to tell.
                heir.recorder.inherit(tab.recorder.take())

    def downloads(self, event: DownloadStarted) -> None:
        """A page began a download; a tab made for nothing else speaks through its opener."""
        page = event.page
        while page is not None and page.opener is not None and not page.main_frame.url:
            page = page.opener
        tab = self.of(page) or self.current
        if tab is not None:
            tab.recorder.began(event.download)
        while tab is not None:
            tab.recorder.downloads.append(event.download)
            tab = self.of(tab.page.opener)

    def clear(self, error: StockadeError) -> None:
        """All of them are gone."""
        tabs = list(self._tabs.values())
        self._tabs.clear()
        self._leaving.clear()
        self._new.clear()
        self._current = ""
        for tab in tabs:
            self._gone(tab, error)

    def _gone(self, tab: Tab, error: StockadeError) -> None:
        if isinstance(error, BrowserGone):
            self._lost |= {tab.id: None, tab.uuid: None}
            while len(self._lost) > _MOST_LOST:
                del self._lost[next(iter(self._lost))]
        tab.gone(error)
        self._session.changes.emit(TabGone(tab))
