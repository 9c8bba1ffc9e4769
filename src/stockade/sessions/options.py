"""What a session is opened with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from stockade.engines.values import Emulation
from stockade.sessions.ways_out import WayOut

__all__ = ["DialogMode", "DialogPolicy", "SessionOptions"]

DialogMode = Literal["accept", "dismiss", "raise", "accept-prompt-with"]


@dataclass(frozen=True)
class DialogPolicy:
    """What happens when a page opens a JavaScript dialog.

    `raise` leaves a question open and reports it; an alert, which asks nothing, is acknowledged
    in every mode.
    """

    mode: DialogMode = "raise"
    text: str = ""


@dataclass(frozen=True)
class SessionOptions:
    """How the browser of a session is set up."""

    emulation: Emulation = field(default_factory=Emulation)
    dialogs: DialogPolicy = field(default_factory=DialogPolicy)
    profile: str | None = None
    """What it begins with and what is kept of it, under that name."""
    way_out: WayOut | None = None
    """The proxy it goes through."""
