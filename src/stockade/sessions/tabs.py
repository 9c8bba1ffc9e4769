"""The tabs of a session: each with a number of its own, and one of them the current."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
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
_ID = re.compile(r"t([1-9]\d{0,8})")


class Tabs:
    """Adopts what opens, forgets what closes, and keeps the number within limits."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._tabs: dict[str, Tab] = {}
        self._current = ""
        self._last = 0
        self._opening = 0
        self.refused: deque[str] = deque(maxlen=_MOST_REFUSED)
        """Where the popups were to go that found no room; empty where that was not known yet."""

    def __len__(self) -> int:
        """How many are open, or about to be."""
        return len(self._tabs) + self._opening

    @property
    def open(self) -> list[Tab]:
        """Oldest first."""
        return [tab for tab in self._tabs.values() if not tab.page.closed]

    @property
    def current(self) -> Tab | None:
        """The one that a call means when it names none."""
        tab = self._tabs.get(self._current)
        return tab if tab is not None and not tab.page.closed else self._most_recent()

    def _most_recent(self) -> Tab | None:
        """The tab last used; of those that nobody has used, the last one opened."""
        return max(reversed(self.open), key=lambda tab: tab.turn, default=None)

    def of(self, page: Page | None) -> Tab | None:
        """The tab that shows `page`."""
        return next((tab for tab in self._tabs.values() if tab.page is page), None)

    def find(self, id: str) -> Tab:
        """The tab of that id."""
        tab = self._tabs.get(id) or next((t for t in self.open if t.uuid == id), None)
        if tab is not None and not tab.page.closed:
            return tab
        number = _ID.fullmatch(id)
        left = [each.id for each in self.open]
        if number is not None and int(number[1]) <= self._last:
            raise TabClosed(f"tab {id} is closed", tab=id, tabs=left)
        raise TabNotFound(f"session {self._session.name} has no such tab", tabs=left)

    def select(self, id: str) -> Tab:
        """Make a tab the current one."""
        tab = self.find(id)
        self._current = tab.id
        tab.touch()
        return tab

    # --- limits ---------------------------------------------------------------------------------

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place for a tab that is about to open."""
        full = self._full()
        if full is not None:
            raise full
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1

    def _full(self) -> QuotaExceeded | None:
        session = self._session
        if len(self) >= session.limits.tabs:
            return QuotaExceeded(
                f"session {session.name} has {session.limits.tabs} tabs open",
                hint="Close one first.",
            )
        if not session.limits.room():
            return QuotaExceeded("no more tabs can be open on this server", hint="Close one first.")
        return None

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

    def opened(self, event: PageOpened) -> None:
        """A page is there: one we asked for, or a popup."""
        asked_for = event.opener is None and self._opening > 0
        if asked_for:
            # It has its place already.
            self.adopt(event.page)
            return
        opener = self.of(event.opener) or self.current
        if self._full() is None:
            self.adopt(event.page, opener.group if opener is not None else "")
            if opener is not None:
                opener.recorder.opened(event.page)
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

    def clear(self, error: StockadeError) -> None:
        """All of them are gone."""
        tabs = list(self._tabs.values())
        self._tabs.clear()
        self._current = ""
        for tab in tabs:
            self._gone(tab, error)

    def _gone(self, tab: Tab, error: StockadeError) -> None:
        tab.gone(error)
        self._session.changes.emit(TabGone(tab))
