"""Storms: a page that is refused ten thousand times is told of in sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import msgspec

from stockade.egress.protocol import Verdict

__all__ = ["Storm"]

_ALIKE = 200
_ANY = 500
_KINDS = 200

_Key = tuple[str, str, str, bool]


class Storm:
    """The verdicts of one session. What is beyond the first of a second waits for its end."""

    def __init__(self, tell: Callable[[Verdict], None]) -> None:
        self._tell = tell
        self._told: Counter[_Key] = Counter()
        self._held: dict[_Key, tuple[Verdict, int]] = {}

    def note(self, verdict: Verdict) -> None:
        """Tell of one, or add it to those that are told of later."""
        key = (verdict.rule, verdict.origin, verdict.method, verdict.denied)
        if self._told[key] < _ALIKE and self._told.total() < _ANY:
            self._told[key] += 1
            self._tell(verdict)
            return
        if key not in self._held and len(self._held) >= _KINDS:
            # More kinds than anyone reads: the last is told of with all that are like it.
            key = (verdict.rule, "", "", verdict.denied)
        _, times = self._held.get(key, (verdict, 0))
        self._held[key] = (verdict, times + 1)

    def settle(self) -> None:
        """A second has passed, or somebody wants to know."""
        held, self._held = self._held, {}
        self._told.clear()
        for verdict, times in held.values():
            self._tell(msgspec.structs.replace(verdict, times=times))
