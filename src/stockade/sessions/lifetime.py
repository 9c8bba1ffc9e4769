"""Lifetime: how long a session may last, unused and in all, and what is said before its end."""

from __future__ import annotations

from collections.abc import Callable

from stockade.sessions.clock import NEVER, Agenda
from stockade.sessions.limits import SessionLimits

__all__ = ["Lifetime"]

_FIRST_WARNING = 3600.0
"""Seconds before the end at which it is said at the earliest."""
_OF_AGE = 0.1
_AGAIN = (1.0, 1 / 6, 1 / 60)
"""It is said again as the end comes nearer: at these parts of the first warning's time."""


class Lifetime:
    """When a session ends: unused for too long, or with a jail that is too old."""

    def __init__(self, agenda: Agenda, limits: SessionLimits, in_use: Callable[[], bool]) -> None:
        self._agenda = agenda
        self._limits = limits
        self._in_use = in_use
        self._jailed_at: float | None = None
        self._warnings: list[float] = []
        self.last_used = agenda.now()
        self.limit_met = ""
        """The setting that ended it, once one has."""

    def touch(self) -> None:
        """The session is in use."""
        self.last_used = self._agenda.now()

    def jailed(self) -> None:
        """Its browser is in a jail from now on."""
        self._jailed_at = self._agenda.now()
        first = min(_FIRST_WARNING, self._limits.jail_age * _OF_AGE)
        self._warnings = [first * part for part in _AGAIN]

    def released(self) -> None:
        """It has no jail any more."""
        self._jailed_at = None

    @property
    def idle_for(self) -> float:
        """Seconds since it was last used; none while it is."""
        return 0.0 if self._in_use() else self._agenda.now() - self.last_used

    @property
    def due_at(self) -> float:
        """When it is to end, if nobody uses it before."""
        return min(self._idle_at, self._unused_at, self._old_at)

    def reason_to_end(self) -> tuple[str, str]:
        """Why it has to end now, and the setting that says so; empty while it need not."""
        now, limits = self._agenda.now(), self._limits
        if self._old_at <= now:
            return f"a jail lasts {span(limits.jail_age)} in all", "jail_age"
        if self._idle_at <= now:
            return f"it was idle for {limits.idle:g} s", "session_idle"
        if self._unused_at <= now:
            return f"its jail was unused for {limits.life:g} s", "jail_life"
        return "", ""

    def warning(self) -> str:
        """What is to be said now of an end that is near; each time once."""
        left = self._old_at - self._agenda.now()
        due = [each for each in self._warnings if left <= each]
        if not due:
            return ""
        self._warnings = [each for each in self._warnings if left > each]
        return (
            f"this session ends in {span(max(left, 0))}, in use or not: a jail lasts "
            f"{span(self._limits.jail_age)} in all. Save what is needed"
        )

    @property
    def _idle_at(self) -> float:
        return self._after(self._limits.idle)

    @property
    def _unused_at(self) -> float:
        return self._after(self._limits.life) if self._jailed_at is not None else NEVER

    @property
    def _old_at(self) -> float:
        limited = self._limits.jail_age and self._jailed_at is not None
        return (self._jailed_at or 0.0) + self._limits.jail_age if limited else NEVER

    def _after(self, seconds: float) -> float:
        return self.last_used + seconds if seconds and not self._in_use() else NEVER


def span(seconds: float) -> str:
    """A length of time in words."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.0f} s"
