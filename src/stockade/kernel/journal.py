"""The journal: what happens to sessions, tabs and calls, as lines of the log.

A tab's coming and going to addresses is told at the end of the call that brought it about, so that
the line belongs to its request and no page can fill the log by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stockade.engines.events import FrameNavigated
from stockade.errors import MaskingFailed, StockadeError
from stockade.masking.masker import Masker
from stockade.sessions.changes import SessionEnded, SessionOpened, TabGone, TabOpened
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.telemetry.logs import JOURNAL, apart, get_logger

__all__ = ["Journal", "operation"]

_LONGEST_URL = 2000

_log = get_logger(JOURNAL)
_faults = get_logger("stockade.kernel")


@dataclass
class _Seen:
    """What has been told of a tab."""

    created: bool = False
    moved: bool = False
    """It has gone somewhere since."""


def operation(tool: str) -> str:
    """What a tool does, as a line calls it."""
    return tool.removeprefix("camofox_").replace("_", " ")


@dataclass(frozen=True)
class Journal:
    """Writes down what happens."""

    masker: Masker

    def follow(self, sessions: Sessions) -> None:
        """Tell of what becomes of sessions and their tabs."""
        changes = sessions.changes
        changes.on(SessionOpened, self._session_opened)
        changes.on(SessionEnded, self._session_ended)
        changes.on(TabOpened, lambda event: self._watch(event.tab))
        changes.on(TabGone, lambda event: self._tab_gone(event.tab))

    def _session_opened(self, event: SessionOpened) -> None:
        session = event.session
        way = session.options.way_out
        through = {"proxy": way.name} if way is not None else {}
        self._say("session created", session, session=session.id, **through)

    def _session_ended(self, event: SessionEnded) -> None:
        self._say("session closed", event.session, session=event.session.id, reason=event.reason)

    def _watch(self, tab: Tab) -> None:
        seen = tab.parts.of(_Seen, _Seen)

        def moved(event: FrameNavigated) -> None:
            seen.moved = seen.moved or event.frame.parent is None

        # The page's hub goes with the page, and this with it.
        tab.page.events.on(FrameNavigated, moved)

    def _tab_gone(self, tab: Tab) -> None:
        facts = {"userId": tab.session.name, "tabId": tab.uuid, "tab": tab.id}
        apart(_log.info, "tab closed", **self._told(facts))

    def call_ended(self, session: Session, worked_in: str) -> None:
        """Tell what a call has done to the tabs of its session, and to the one it worked in."""
        for tab in session.tabs:
            seen = tab.parts.of(_Seen, _Seen)
            where = {"tabId": tab.uuid, "tab": tab.id, "url": self._cut(tab.url)}
            if not seen.created:
                seen.created, seen.moved = True, seen.moved and tab.id == worked_in
                self._recycled(tab)
                self._say("tab created", session, **where)
            if seen.moved and tab.id == worked_in:
                seen.moved = False
                self._say("navigated", session, **where)

    def _recycled(self, tab: Tab) -> None:
        gone = tab.replaced
        if gone is not None:
            self._say("tab recycled", tab.session, tabId=gone.uuid, url=self._cut(gone.url))

    def call_failed(
        self, tool: str, session: Session | None, error: StockadeError, **facts: Any
    ) -> None:
        """Tell why a call failed."""
        who = {"userId": session.name} if session is not None else {}
        row = {**who, "error": error.message, "code": error.code, **facts}
        _log.error(f"{operation(tool)} failed", **self._told(row))

    def call_broke(self, tool: str, session: Session | None, **facts: Any) -> None:
        """Tell where a fault of ours came from; to be called while it is handled."""
        who = {"userId": session.name} if session is not None else {}
        _faults.exception(f"{operation(tool)} failed", **self._told({**who, **facts}))

    def _cut(self, url: str) -> str:
        """An address that fits into a line; of a secret at the end nothing is left over."""
        try:
            return self.masker.text(url)[:_LONGEST_URL]
        except MaskingFailed:
            return ""

    def _told(self, facts: dict[str, Any]) -> dict[str, Any]:
        """What a line says; nothing, if it cannot be made sure that no secret is in it."""
        try:
            told: dict[str, Any] = self.masker.value(facts)
        except MaskingFailed:
            return {"withheld": MaskingFailed.code}
        return told

    def _say(self, message: str, within: Session, /, **facts: Any) -> None:
        _log.info(message, **self._told({"userId": within.name, **facts}))
