"""The ground: what every session of a server stands on, and what it has while a browser runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from stockade.engines.events import Events
from stockade.engines.port import Browser, Context
from stockade.sessions.arrivals import Arrivals
from stockade.sessions.attached import Attachment
from stockade.sessions.browsers import Browsers
from stockade.sessions.clock import Agenda
from stockade.sessions.downloads import Downloads
from stockade.sessions.outgoing import Exits
from stockade.sessions.work import Work

__all__ = ["Ground", "Live"]


@dataclass(frozen=True)
class Ground:
    """What every session of a server stands on."""

    browsers: Browsers | Attachment
    work: Work
    agenda: Agenda
    arrivals: Arrivals
    exits: Exits
    changes: Events = field(default_factory=Events)
    """Told of what becomes of sessions and tabs."""


@dataclass(eq=False)
class Live:
    """What a session has while a browser runs for it."""

    browser: Browser
    context: Context
    downloads: Downloads
    offs: tuple[Callable[[], None], ...] = field(default=())
