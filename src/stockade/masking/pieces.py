"""Pieces of a long text that overlap, each folded for comparing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from stockade.masking.background import check_stopped

__all__ = ["Piece", "Pieces"]


class Piece(NamedTuple):
    """A part of a text with what stands around it."""

    start: int
    """What begins from here on and before `stop` is found in this piece and in no other."""
    stop: int
    first: int
    """Where in the text its first character is."""
    text: str
    folded: str


class Pieces:
    """A text as pieces of a size, each with as much before and after it as is in reach.

    A text that is hardly longer is one piece. What two pieces have in common is folded once.
    """

    def __init__(self, text: str, size: int, reach: int, fold: Callable[[str], str]) -> None:
        """Of a text, whose characters are folded each by itself; a size is two reaches at least."""
        self._text = text
        self._size = size if len(text) > size + reach else max(len(text), 1)
        self._reach = reach
        self._segments: list[str] = []
        """Three for each piece: from its start to as far as the one before reaches, and so on."""
        for start in range(0, len(text), self._size):
            check_stopped()
            stop = start + self._size
            cuts = (start, start + reach if start else 0, max(stop - reach, 0), stop)
            self._segments += (fold(text[first:last]) for first, last in pairwise(cuts))

    @property
    def folded(self) -> str:
        """All of the text, folded."""
        return "".join(self._segments)

    def __iter__(self) -> Iterator[Piece]:
        for number, start in enumerate(range(0, len(self._text), self._size)):
            check_stopped()
            stop, first = start + self._size, max(start - self._reach, 0)
            yield Piece(
                start,
                stop,
                first,
                self._text[first : stop + self._reach],
                "".join(self._segments[max(3 * number - 1, 0) : 3 * number + 4]),
            )
