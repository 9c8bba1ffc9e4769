"""The search: where a text has secrets, however they are spelled."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation

from stockade.masking.folding import SEPARATOR, Folded, letters, narrowly
from stockade.masking.folding import folded as fold
from stockade.masking.needles import Kind, Needle, letters_of, needles_of
from stockade.masking.runs import spelled
from stockade.masking.views import (
    Read,
    bare_of_markup,
    quoted_printable,
    short_lines,
    style_escapes,
    unescaped,
)

__all__ = ["Hit", "Search"]

_LEVELS = 4
"""How many levels of escapes are undone."""
_RUNS_WITHIN = 2
"""How many times what base64 or numbers spell is searched for more of them."""
_LONGEST_SPELLING = 12
"""Letters that one character takes, as in `&#x0005A;` or twice escaped."""
_LINE = 1000
_QUICK = 32_768
"""Letters of needles for which the quicker automaton is not too big."""
_ENDS = ("", SEPARATOR, "\N{HORIZONTAL ELLIPSIS}")
_DOTS = "..."
_MARGIN = 32
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
_UNSHOWN = "".join(map(chr, (*range(0x20), *range(0x80, 0xC0))))


class Hit(NamedTuple):
    """A part of a text that belongs to a secret."""

    start: int
    stop: int
    shown: str


class Search:
    """Looks for some secrets at once."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        """Of secrets, each with what is shown in its place."""
        needles = [
            (each, shown) for secret, shown in secrets.items() for each in needles_of(secret)
        ]
        # What is a secret by itself is no half of another, and no bytes of one.
        needles.sort(key=lambda each: (not each[0].whole, each[0].kind is Kind.TEXT))
        found = {each.text: (shown, each) for each, shown in needles}
        self._shown = list(found.values())
        self.reach = _LONGEST_SPELLING * max(map(len, secrets), default=0) + _LINE
        """As long as what spells a secret may be."""
        self._spaced = any(" " in secret for secret in secrets)
        self._narrow = all(needle.isascii() for needle in found)
        self._near = 2 * max(map(len, found), default=0) + _MARGIN
        self._needles = _automaton(found)
        bare = {
            spelled: shown for secret, shown in secrets.items() if (spelled := letters_of(secret))
        }
        self._bare_shown = list(bare.values())
        self._bare = _automaton(bare)
        traces = {letters(each) for each in (*found, *bare)}
        self._traces = _automaton(traces) if all(traces) else None
        """Where none of these is, neither is anything else."""

    def hits(self, text: str) -> list[Hit]:
        """Every part of a text that belongs to a secret; they may overlap."""
        return self._hits(text, _LEVELS, _RUNS_WITHIN)

    def is_in(self, text: str) -> bool:
        """Whether any of them is in a text as it is written, escapes left as they are."""
        return bool(self._as_written(text))

    def _hits(self, text: str, levels: int, runs: int) -> list[Hit]:
        found = self._as_written(text)
        for view in unescaped(text, self._near, form=self._spaced) if levels else ():
            found += _back(view, self._hits(view.text, levels - 1, runs))
        for view in self._others(text) if runs else ():
            found += _back(view, self._hits(view.text, 1, 0))
        run = spelled(text) if runs else None
        if run is not None:
            found += _back(run, self._hits(run.text, 2, runs - 1))
        return found

    def _as_written(self, text: str) -> list[Hit]:
        folded = Folded(text, narrowly if self._narrow else fold)
        bare = Folded(folded.text, letters)
        if self._traces is not None and not self._traces.find_matches_as_indexes(bare.text):
            return []
        found: list[Hit] = []
        whole = set()
        for index, first, last in self._needles.find_matches_as_indexes(
            folded.text, overlapping=True
        ):
            shown, needle = self._shown[index]
            if needle.kind is Kind.HEAD or needle.kind is Kind.TAIL:
                found += _cut_off(text, folded, needle, first, last, shown)
            else:
                whole.add((first, last))
                found.append(_hit(text, folded.span(first, last), needle, shown))
        for index, first, last in self._bare.find_matches_as_indexes(bare.text, overlapping=True):
            place = bare.span(first, last)
            if place not in whole:
                found.append(Hit(*folded.span(*place), self._bare_shown[index]))
        return found

    def _others(self, text: str) -> Iterator[Read]:
        for read in (style_escapes, quoted_printable, bare_of_markup, short_lines):
            view = read(text, self._near)
            if view is not None:
                yield view


def _automaton(needles: Collection[str]) -> AhoCorasick:
    quick = sum(map(len, needles)) <= _QUICK
    return AhoCorasick(list(needles), implementation=Implementation.DFA if quick else None)


def _hit(text: str, span: tuple[int, int], needle: Needle, shown: str) -> Hit:
    start, stop = span
    if needle.kind is Kind.BASE64:
        start -= text[start - 1 : start] in _LETTERS
        stop += text[stop : stop + 1] in _LETTERS
    elif needle.kind is Kind.BYTES:
        rest = text[stop : stop + needle.after]
        stop += len(rest) - len(rest.lstrip(_UNSHOWN))
    return Hit(start, stop, shown)


def _cut_off(
    text: str, folded: Folded, half: Needle, first: int, last: int, shown: str
) -> list[Hit]:
    """What is left of a secret where its text was cut, if it was cut there."""
    if half.kind is Kind.HEAD:
        last += _alike(folded.text[last : last + len(half.whole)], half.whole[len(half.text) :])
    else:
        before = folded.text[max(first - len(half.whole), 0) : first]
        first -= _alike(before[::-1], half.whole[: -len(half.text)][::-1])
    if last - first == len(half.whole):
        return []  # all of it is there, and found as such
    start, stop = folded.span(first, last)
    if half.kind is Kind.HEAD:
        cut = text[stop : stop + 1] in _ENDS or text.startswith(_DOTS, stop)
    else:
        cut = text[max(start - 1, 0) : start] in _ENDS or text.endswith(_DOTS, 0, start)
    return [Hit(start, stop, shown)] if cut else []


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _back(view: Read, hits: Iterable[Hit]) -> list[Hit]:
    return [Hit(*view.span(start, stop), shown) for start, stop, shown in hits]
