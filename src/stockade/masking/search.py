"""The search: where a text has secrets, however they are spelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from itertools import takewhile
from typing import Final, NamedTuple

from stockade.masking.automaton import Automaton
from stockade.masking.folding import SEPARATOR, Folded, letters, narrowly
from stockade.masking.folding import folded as fold
from stockade.masking.needles import Kind, Needle, letters_of, needles_of, parts_of
from stockade.masking.pieces import Pieces
from stockade.masking.runs import spelled
from stockade.masking.views import (
    Read,
    bare_of_markup,
    joined_items,
    octal_escapes,
    quoted_printable,
    short_lines,
    style_escapes,
    unescaped,
    utf7,
)

__all__ = ["Hit", "Search"]

_LEVELS = 4
"""How many levels of escapes are undone."""
_LEVELS_WITHIN = 2
"""The same in what base64 or numbers spell."""
_LONGEST_SPELLING = 12
"""Letters that one character takes, as in `&#x0005A;` or twice escaped."""
_LINE = 1000
_LONG_ENOUGH = 64
"""Characters of which parts are looked for at either end of a secret."""
_PIECE = 16_384
_ENDS = ("", SEPARATOR, "\N{HORIZONTAL ELLIPSIS}")
_DOTS = "..."
_MARGIN = 32
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
_UNSHOWN = "".join(map(chr, (*range(0x20), *range(0x80, 0xC0)))).replace(SEPARATOR, "")


Reading = Callable[[str, int], Read | None]

_OF_PARTS: Final[tuple[tuple[Reading, int], ...]] = (
    (style_escapes, 0),
    (octal_escapes, 0),
    (quoted_printable, 1),
    (utf7, 0),
)
_OTHERS: Final = (*_OF_PARTS, (bare_of_markup, 1), (short_lines, 0))
"""Other ways to read a text, and how many levels of escapes may be within."""
_OF_WHOLE: Final = ((bare_of_markup, 1), (short_lines, 0))
"""Those that take away what may be of any length."""


class Hit(NamedTuple):
    """A part of a text that belongs to a secret."""

    start: int
    stop: int
    shown: str
    part: bool = False
    """Whether it is a few characters of a secret and not all of it."""
    like: bool = False
    """Whether it is only like the secret, as every text that looks so is."""


Finder = Callable[[str, str | None], list[Hit]]
"""Finds hits in a text, given that text folded where that was done before."""


class Search:
    """Looks for some secrets at once."""

    def __init__(self, secrets: Mapping[str, str], parted: Collection[str] = ()) -> None:
        """Of secrets, each with what is shown in its place; of some, parts are looked for too."""
        needles = [
            (each, shown) for secret, shown in secrets.items() for each in needles_of(secret)
        ]
        needles += [(each, secrets[secret]) for secret in parted for each in parts_of(secret)]
        # What is a secret by itself is no half of another, and no bytes of one.
        # A part is one only where it is nothing else.
        needles.sort(
            key=lambda each: (
                each[0].kind is not Kind.PART,
                not each[0].whole,
                each[0].kind is Kind.TEXT,
            )
        )
        found = {each.text: (shown, each) for each, shown in needles}
        self._shown = list(found.values())
        self.reach = _LONGEST_SPELLING * max(map(len, secrets), default=0) + _LINE
        """As long as what spells a secret may be."""
        self._fold = narrowly if all(map(str.isascii, found)) else fold
        self._near = 2 * max(map(len, found), default=0) + _MARGIN
        self._needles = Automaton(found)
        bare = {
            spelled: shown for secret, shown in secrets.items() if (spelled := letters_of(secret))
        }
        ends = (
            each for secret in secrets for each in {secret[:_LONG_ENOUGH], secret[-_LONG_ENOUGH:]}
        )
        self._parts = Automaton({each.text for end in ends for each in parts_of(end)})
        traces = {letters(each): "" for each in found} | bare
        self._leave_traces = all(traces)
        """Whether nothing is in a text that has none of these letters."""
        self._letters = Automaton(traces if self._leave_traces else bare)
        self._letters_shown = list((traces if self._leave_traces else bare).values())
        """What is shown for letters that are all of a secret; none for others."""

    def hits(self, text: str, *, parted: bool | None = None) -> list[Hit]:
        """Every part of a text that belongs to a secret; they may overlap.

        It is gone through in pieces that overlap by as much as may spell a secret. What stands
        between its letters, as markup and the heads of lines do, may be of any length, so that is
        taken away from the whole of it. Who knows whether it `has_parts` says so.

        Every reading is at most a few times as long as the text, and there are so many of them and
        no more: what a page makes up costs no more than its length.
        """
        pieces = self._pieces(text)
        found = self._in_pieces(pieces, self._of_part)
        for read, levels in _OF_WHOLE:
            view = read(text, self._near)
            if view is not None:
                find = partial(self._unescaping, levels=levels, find=self._as_written)
                found += _back(view, self._in_pieces(self._pieces(view.text), find))
        parted = self._parts.is_in(pieces.folded) if parted is None else parted
        items = joined_items(text, self._near) if parted else None
        if items is not None:
            found += _back(items, self._in_pieces(self._pieces(items.text), self._as_written))
        return found

    def is_in(self, text: str) -> bool:
        """Whether any of them is in a text as it is written, escapes left as they are."""
        return bool(self._as_written(text))

    def has_parts(self, text: str) -> bool:
        """Whether a text may have some of a secret, so that the rest may be beside it."""
        return self._parts.is_in(self._pieces(text).folded)

    def _pieces(self, text: str) -> Pieces:
        return Pieces(text, max(_PIECE, 2 * self.reach), self.reach, self._fold)

    def _in_pieces(self, pieces: Pieces, find: Finder) -> list[Hit]:
        found: list[Hit] = []
        for piece in pieces:
            found += (
                hit._replace(start=piece.first + hit.start, stop=piece.first + hit.stop)
                for hit in find(piece.text, piece.folded)
                if piece.start <= piece.first + hit.start < piece.stop
            )
        return found

    def _of_part(self, text: str, folded: str | None) -> list[Hit]:
        """What is found by reading a text in each of the usual ways, but for those of the whole."""
        found = self._in_ways(text, folded, _OF_PARTS)
        view = unescaped(text, self._near)
        if view is not None:
            inner = self._unescaping(view.text, None, levels=_LEVELS - 1, find=self._in_all_ways)
            found += _back(view, inner)
        return found

    def _unescaping(self, text: str, folded: str | None, *, levels: int, find: Finder) -> list[Hit]:
        """What is found in a text, and in what is left of it when its escapes are undone."""
        found = find(text, folded)
        view = unescaped(text, self._near) if levels else None
        if view is not None:
            inner = self._unescaping(view.text, None, levels=levels - 1, find=find)
            found += _back(view, inner)
        return found

    def _in_all_ways(self, text: str, folded: str | None) -> list[Hit]:
        return self._in_ways(text, folded, _OTHERS)

    def _in_ways(
        self, text: str, folded: str | None, others: Iterable[tuple[Reading, int]]
    ) -> list[Hit]:
        found = self._as_written(text, folded)
        for read, levels in others:
            view = read(text, self._near)
            if view is not None:
                found += _back(view, self._written_within(view.text, levels))
        run = spelled(text)
        if run is not None:
            found += _back(run, self._written_within(run.text, _LEVELS_WITHIN))
            inner = spelled(run.text)
            if inner is not None:
                found += _back(run, _back(inner, self._written_within(inner.text, 1)))
        return found

    def _written_within(self, text: str, levels: int) -> list[Hit]:
        return self._unescaping(text, None, levels=levels, find=self._as_written)

    def _as_written(self, text: str, plain: str | None = None) -> list[Hit]:
        """What is found in a text as it is, which may have been folded before."""
        plain = self._fold(text) if plain is None else plain
        bare = letters(plain)
        traces = self._letters.matches(bare)
        if self._leave_traces and not traces:
            return []
        folded = Folded(text, self._fold, plain)
        found: list[Hit] = []
        halves: list[tuple[Needle, int, int, str]] = []
        whole: set[tuple[int, int]] = set()
        matches = self._needles.matches(plain)
        many = Counter(index for index, _, _ in matches)
        for index, first, last in matches:
            shown, needle = self._shown[index]
            if needle.whole:
                halves.append((needle, first, last, shown))
            else:
                whole.add((first, last))
                find = folded.span_of_only if many[index] == 1 else folded.span
                found.append(_hit(text, find(first, last), needle, shown))
        for half, first, last, shown in halves:
            length = len(half.whole)
            all_of_it = (first, first + length) if half.kind is Kind.HEAD else (last - length, last)
            if all_of_it not in whole:
                found += _cut_off(text, folded, half, first, last, shown)
        known = _bare_places(plain, whole)
        origins = Folded(plain, letters, bare)
        for index, first, last in traces:
            if (shown := self._letters_shown[index]) and (first, last) not in known:
                place = origins.span(first, last)
                found.append(Hit(*folded.span(*place), shown))
        return found


def _bare_places(plain: str, places: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Where places of a folded text are when only its letters are left.

    Counting up to each takes a fraction of what it takes to go back from there.
    """
    at, count = 0, 0
    counts: dict[int, int] = {}
    for edge in sorted({edge for place in places for edge in place}):
        count += len(letters(plain[at:edge]))
        at, counts[edge] = edge, count
    return {(counts[first], counts[last]) for first, last in places}


def _hit(text: str, span: tuple[int, int], needle: Needle, shown: str) -> Hit:
    start, stop = span
    if needle.kind is Kind.BASE64:
        start -= text[start - 1 : start] in _LETTERS
        stop += text[stop : stop + 1] in _LETTERS
    elif needle.kind is Kind.BYTES:
        rest = text[stop : stop + needle.after]
        stop += len(rest) - len(rest.lstrip(_UNSHOWN))
    return Hit(start, stop, shown, part=needle.kind is Kind.PART)


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
    return [Hit(*view.span(hit.start, hit.stop), hit.shown, hit.part) for hit in hits]
