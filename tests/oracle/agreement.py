"""How far two lists of elements agree, counted both ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tests.oracle.corpus import Element


@dataclass(frozen=True)
class Mismatch:
    """What one side has and the other has not, at one place."""

    oracle: tuple[Element, ...]
    ours: tuple[Element, ...]


@dataclass(frozen=True)
class Agreement:
    """The outcome for one document, or for several together."""

    matches: int
    missing: int
    extra: int
    mismatches: tuple[Mismatch, ...] = ()

    @property
    def score(self) -> float:
        """The share of matches among all that either side reports; one for an empty document."""
        total = self.matches + self.missing + self.extra
        return self.matches / total if total else 1.0

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            self.matches + other.matches,
            self.missing + other.missing,
            self.extra + other.extra,
            self.mismatches + other.mismatches,
        )

    @classmethod
    def between(cls, oracle: Sequence[Element], ours: Sequence[Element]) -> Agreement:
        """Align both lists in document order and count what has no partner."""
        matcher = SequenceMatcher(None, oracle, ours, autojunk=False)
        mismatches = [
            Mismatch(tuple(oracle[start:stop]), tuple(ours[first:last]))
            for kind, start, stop, first, last in matcher.get_opcodes()
            if kind != "equal"
        ]
        matches = sum(block.size for block in matcher.get_matching_blocks())
        return cls(matches, len(oracle) - matches, len(ours) - matches, tuple(mismatches))
