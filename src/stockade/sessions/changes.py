"""Changes: what becomes of sessions and tabs, for those who want to hear of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stockade.engines.events import Download, Event

if TYPE_CHECKING:
    from stockade.sessions.session import Session
    from stockade.sessions.tab import Tab

__all__ = [
    "DownloadEnded",
    "SessionEnded",
    "SessionOpened",
    "SessionStarted",
    "TabGone",
    "TabOpened",
]


@dataclass(frozen=True)
class SessionOpened(Event):
    """A session is there."""

    session: Session


@dataclass(frozen=True)
class SessionStarted(Event):
    """A browser runs for a session."""

    session: Session


@dataclass(frozen=True)
class SessionEnded(Event):
    """Nothing can be done in a session any more."""

    session: Session
    reason: str


@dataclass(frozen=True)
class TabOpened(Event):
    """A session has one more tab."""

    tab: Tab


@dataclass(frozen=True)
class TabGone(Event):
    """A tab is no more, for whatever reason."""

    tab: Tab


@dataclass(frozen=True)
class DownloadEnded(Event):
    """A download is whole, or will never be."""

    session: Session
    download: Download
