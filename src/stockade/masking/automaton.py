"""An automaton that looks for many texts at once, in one pass over another."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Final

from ahocorasick_rs import AhoCorasick, BytesAhoCorasick, Implementation, MatchKind

__all__ = ["Automaton"]

_QUICK: Final = 32_768
"""Letters of needles for which the quicker automaton is not too big."""


class Automaton:
    """Looks for some needles; bytes are gone through faster than characters."""

    def __init__(self, needles: Collection[str]) -> None:
        self._needles = list(needles)
        self._is_small = sum(map(len, needles)) <= _QUICK
        self._implementation = Implementation.DFA if self._is_small else None
        self._narrow = all(map(str.isascii, needles))

    def is_in(self, text: str) -> bool:
        """Whether any of the needles is in a text."""
        if not self._is_small:
            # To make another automaton of these would take longer than it saves.
            return bool(self.matches(text))
        return bool(self._any.find_matches_as_indexes(_encoded(text)))

    def matches(self, text: str) -> list[tuple[int, int, int]]:
        """Which of the needles are in a text, from where to where; they may overlap."""
        if self._narrow and text.isascii():
            return self._bytes.find_matches_as_indexes(_encoded(text), overlapping=True)
        if self._is_small and not self.is_in(text):
            return []
        return self._characters.find_matches_as_indexes(text, overlapping=True)

    @cached_property
    def _any(self) -> BytesAhoCorasick:
        return BytesAhoCorasick(
            list(map(_encoded, self._needles)),
            matchkind=MatchKind.LeftmostFirst,
            implementation=self._implementation,
        )

    @cached_property
    def _bytes(self) -> BytesAhoCorasick:
        return BytesAhoCorasick(
            list(map(_encoded, self._needles)), implementation=self._implementation
        )

    @cached_property
    def _characters(self) -> AhoCorasick:
        return AhoCorasick(self._needles, implementation=self._implementation)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
