"""Streams: a text that comes in pieces, masked as it goes on.

What is at the end of a piece may be the beginning of a secret, so as much is held back as the
longest spelling of one can be.
"""

from __future__ import annotations

from stockade.masking.folding import SEPARATOR
from stockade.masking.leaves import without
from stockade.masking.search import Search

__all__ = ["PIECE", "Stream"]

PIECE = 1_000_000
"""How much is searched at a time."""
_STAND_IN = "\x01"


class Stream:
    """Masks one text, piece by piece."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._held = ""

    def feed(self, text: str) -> str:
        """What can be told after this piece."""
        self._held += text
        reach = self._search.reach
        if len(self._held) < PIECE + 2 * reach:
            return ""
        hits = self._search.hits(self._held.replace(SEPARATOR, _STAND_IN))
        cut = len(self._held) - reach
        # Nothing that was found is cut in two.
        for hit in sorted(hits, reverse=True):
            if hit.start < cut < hit.stop:
                cut = hit.start
        told = without(self._held[:cut], [each for each in hits if each.stop <= cut])
        self._held = self._held[cut:]
        return told

    def end(self) -> str:
        """What was held back."""
        held, self._held = self._held, ""
        return without(held, self._search.hits(held.replace(SEPARATOR, _STAND_IN)))
