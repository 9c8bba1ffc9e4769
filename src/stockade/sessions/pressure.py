"""Pressure: which tabs to close when memory is short, and what kept the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, NamedTuple

from stockade.sessions.manager import Sessions
from stockade.sessions.notices import closed_tab
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab

__all__ = ["Cleanup", "Count", "Reason", "Relief", "Row", "relieve"]

Reason = Literal[
    "locked", "session_minimum", "first_observation", "recently_active", "below_min_idle"
]
_HASH_LENGTH = 12
_ENDED = "it had no tabs, and memory was wanted"


@dataclass(frozen=True)
class Relief:
    """How far a cleanup goes."""

    dry: bool = True
    """Only say what would be closed."""
    min_idle: float = 600.0
    most: int = 4
    min_tabs: int = 1
    """So many tabs every session keeps."""
    empty_sessions: bool = True
    """Sessions without tabs end, once they have been idle as long."""


class Count(NamedTuple):
    """How much there is."""

    sessions: int
    tabs: int


class Row(NamedTuple):
    """A tab, under names that nobody can use."""

    session: str
    tab: str
    group: str
    idle: float
    calls: int


@dataclass
class Cleanup:
    """What a cleanup found and did."""

    before: Count
    after: Count
    candidates: int = 0
    selected: list[Row] = field(default_factory=list)
    closed: list[Row] = field(default_factory=list)
    preserved: Counter[Reason] = field(default_factory=Counter)


@dataclass
class _Seen:
    """The use of a tab as the last cleanup saw it."""

    turn: int = -1


async def relieve(sessions: Sessions, among: Sequence[Session], relief: Relief) -> Cleanup:
    """Close the tabs that have been idle longest, as far as `relief` allows.

    A tab is closed only if a cleanup before this one saw it, and nobody used it since.
    """
    before = _count(among)
    done = Cleanup(before, before)
    found = [
        tab
        for session in among
        for tab in session.tabs
        if _eligible(tab, len(session.tabs), relief, done.preserved)
    ]
    found.sort(key=lambda tab: (-tab.idle_for, tab.calls))
    done.candidates = len(found)
    chosen = found[: relief.most]
    done.selected = [_row(tab) for tab in chosen]
    if not relief.dry:
        for tab in chosen:
            row, session = _row(tab), tab.session
            if len(session.tabs) > relief.min_tabs and await session.retire_tab(tab):
                done.closed.append(row)
                session.notices.add(closed_tab(tab.id, tab.url, "memory was wanted"))
        if relief.empty_sessions:
            await _end_empty(sessions, among, relief)
    done.after = _count([each for each in among if not each.closed])
    return done


def _eligible(tab: Tab, tabs: int, relief: Relief, preserved: Counter[Reason]) -> bool:
    seen = tab.parts.of(_Seen, _Seen)
    reason: Reason | None = None
    if tab.busy:
        reason = "locked"
    elif tabs <= relief.min_tabs:
        reason = "session_minimum"
    elif seen.turn != tab.turn:
        reason = "first_observation" if seen.turn < 0 else "recently_active"
        seen.turn = tab.turn
    elif tab.idle_for < relief.min_idle:
        reason = "below_min_idle"
    if reason is None:
        return True
    preserved[reason] += 1
    return False


async def _end_empty(sessions: Sessions, among: Sequence[Session], relief: Relief) -> None:
    for session in among:
        used = session.tab_count or session.slots.users or session.closed
        if not used and session.life.idle_for >= relief.min_idle:
            await sessions.close(session, _ENDED)


def _count(sessions: Sequence[Session]) -> Count:
    return Count(len(sessions), sum(len(each.tabs) for each in sessions))


def _row(tab: Tab) -> Row:
    session = tab.session
    return Row(
        _hashed(session.name), _hashed(tab.uuid), _hashed(tab.group), tab.idle_for, tab.calls
    )


def _hashed(name: str) -> str:
    return sha256(name.encode()).hexdigest()[:_HASH_LENGTH]
