"""How much one session may have of what all share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["SessionLimits"]


@dataclass(frozen=True)
class SessionLimits:
    """How much one session may have of what all share, and for how long."""

    calls: int
    tabs: int
    room: Callable[[], bool]
    """Whether the server has room for one more tab."""
    uid: int
    """Who its browser runs as, when we are root."""
    idle: float
    """Seconds until it ends unused; 0 is never."""
    freeze: float
    """Seconds until an unused tab is frozen; 0 is never."""
    tab_idle: float
    """Seconds until an unused tab is closed; 0 is never."""
    download_bytes: int
    life: float
    """Seconds its jail may be unused; 0 is no limit."""
    jail_age: float
    """Seconds its jail may last in all; 0 is no limit."""
    jails: Callable[[str], bool]
    """Whether a tenant may have one more jail."""
    scratch: Path | None = None
    """Where its throw-away files are made; where the system keeps such files when unset."""
