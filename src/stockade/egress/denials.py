"""Denials: counted all, and told to the operator as far as anyone can read them."""

from __future__ import annotations

import time
from collections import Counter

from stockade.egress.protocol import Verdict
from stockade.telemetry.logs import apart, get_logger

__all__ = ["Denials"]

_log = get_logger("stockade.egress")

_RULES = frozenset(
    {"address", "allowed_origins", "closed", "name", "own", "port", "resolve", "syntax", "tls"}
)
_PER_SECOND = 5.0
_BURST = 20.0


class Denials:
    """What was refused on any way."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        """By rule and by whose traffic it was."""
        self._room = _BURST
        self._at = time.monotonic()
        self._unsaid = 0

    def note(self, verdict: Verdict) -> None:
        """Count a denial, and log it unless there are too many."""
        if not verdict.denied:
            return
        # Entries of block lists are as many as an operator likes: they are one rule here.
        rule = verdict.rule if verdict.rule in _RULES else "blocked_origins"
        self.counts[rule, verdict.label] += verdict.times
        if not self._has_room():
            self._unsaid += verdict.times
            return
        unsaid, self._unsaid = self._unsaid, 0
        said = _log.info if verdict.label == "browser" else _log.warning
        apart(
            said,
            "egress denied",
            session=verdict.session.partition("/")[0],
            origin=verdict.origin,
            rule=verdict.rule,
            reason=verdict.reason,
            remedy=verdict.remedy,
            **({"address": verdict.address} if verdict.address else {}),
            **({"times": verdict.times} if verdict.times > 1 else {}),
            **({"unsaid": unsaid} if unsaid else {}),
        )

    def _has_room(self) -> bool:
        now = time.monotonic()
        self._room = min(self._room + (now - self._at) * _PER_SECOND, _BURST)
        self._at = now
        if self._room < 1:
            return False
        self._room -= 1
        return True
