"""Provenance: where in a session an agent had a hand in what pages are, and by which call.

What it made up or left there may act later: an answer that is cached, a service worker, a text in
storage that a page runs. So the mark stays for as long as the session lasts, and goes with what is
kept of it: a saved state, a profile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

__all__ = ["Provenance"]

_OPAQUE = ("null", "")
_EVERYWHERE = "*"


@dataclass
class Provenance:
    """What of a session is no longer as its sites made it."""

    _everywhere: str = ""
    _origins: dict[str, str] = field(default_factory=dict)

    def note(self, by: str, origins: Iterable[str] | None = None) -> None:
        """A call has a hand in what pages of these origins are; without any, in all of them."""
        if origins is None:
            self._everywhere = self._everywhere or by
            return
        for each in origins:
            if each not in _OPAQUE:
                self._origins.setdefault(each, by)

    @property
    def marks(self) -> dict[str, str]:
        """Everything that is known of it, to be kept with what the session's browser knows."""
        everywhere = {_EVERYWHERE: self._everywhere} if self._everywhere else {}
        return {**self._origins, **everywhere}

    def take_over(self, marks: Mapping[str, str]) -> None:
        """What comes from another session was altered as it was there."""
        for origin, by in marks.items():
            self.note(by, None if origin == _EVERYWHERE else [origin])

    def altered_by(self, origin: str) -> str:
        """The call that had a hand in pages of an origin; empty if none had."""
        return self._everywhere or self._origins.get(origin, "")
