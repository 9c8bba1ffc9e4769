"""Admissions: origins off the allow list that a person let in, each for one document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from stockade.engines.events import FrameNavigated, PageClosed
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.urls import origin_of

__all__ = ["Admission", "Admissions"]


@dataclass(eq=False)
class Admission:
    """One origin, and the document it was let in for once that is there."""

    origin: str
    tab: Tab | None = None
    document: str = ""
    offs: list[Callable[[], None]] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether the document that it is for is still shown."""
        tab = self.tab
        return tab is not None and tab.page.main_frame.document == self.document


class Admissions:
    """Those of one session; a part of it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._all: list[Admission] = []

    def of(self, tab: Tab) -> frozenset[str]:
        """The origins that are let in for what a tab shows now."""
        return frozenset(each.origin for each in self._all if each.tab is tab and each.holds)

    async def open(self, origin: str) -> Admission:
        """Let an origin in for a navigation that is about to begin."""
        await self._session.outgoing.admit(origin)
        admission = Admission(origin)
        self._all.append(admission)
        return admission

    async def settle(self, admission: Admission, tab: Tab | None) -> None:
        """The navigation is over: bind it to the document that came of it, or end it."""
        shown = [tab] if tab is not None else [*reversed(self._session.tabs)]
        for each in shown:
            if not each.page.closed and origin_of(each.url) == admission.origin:
                self._bind(admission, each)
                return
        await self._end(admission)

    def _bind(self, admission: Admission, tab: Tab) -> None:
        admission.tab = tab
        admission.document = tab.page.main_frame.document

        def gone(_: object) -> None:
            if not admission.holds or tab.page.closed:
                self._session.work.start(lambda: self._end(admission))

        admission.offs += [
            tab.page.events.on(FrameNavigated, gone),
            tab.page.events.on(PageClosed, gone),
        ]

    async def _end(self, admission: Admission) -> None:
        if admission not in self._all:
            return
        self._all.remove(admission)
        for off in admission.offs:
            off()
        await self._session.outgoing.withdraw(admission.origin)
