"""Folding: a text as it is compared, without case, accents, and what does not show."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Collection
from functools import cached_property, lru_cache
from itertools import chain, compress, count, repeat

__all__ = ["SEPARATOR", "Folded", "folded", "letters", "narrowly"]

SEPARATOR = "\x02"
"""Stays where all like it goes, so that texts can be searched as one without running together."""

_SMALL = 16
"""Characters that are gone through one by one."""
_BESIDE = (-64, 64)
"""How far from where it is likely to be a character is looked for at first."""
_AROUND = 512
"""The same for a part that is nowhere else."""
_MANY = 64
"""Places that are asked for one by one."""
_FEW = 40
_PLAIN = bytes(range(128))
_FIRST_BEYOND = 128

_GONE = re.compile(
    r"[\s\x00\x01\x03-\x1f\x7f-\x9f\xad"
    # Accents and other marks that stand above, below or across any letter, and variations.
    r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a"
    r"\ufe00-\ufe0f\ufe20-\ufe2f"
    # Letters without width, directions, fillers, tags.
    r"\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufeff\uffa0\ufff0-\ufffc\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_BEYOND_ASCII = re.compile(r"([^\x00-\x7f]+)")
_HALF = re.compile(r"[\ud800-\udfff]")
_LOWER = bytes(range(256)).lower()
_UNSEEN = bytes(code for code in (*range(0x21), 0x7F) if chr(code) != SEPARATOR)
_FIRST_OF_SEVERAL = 0xC0
_LOWER_OR_APART = _LOWER[:_FIRST_OF_SEVERAL].ljust(256, SEPARATOR.encode())
"""What begins a character beyond ASCII in UTF-8 keeps apart what is beside it."""
_UNSEEN_OR_WITHIN = _UNSEEN + bytes(range(0x80, _FIRST_OF_SEVERAL))
"""The rest of such a character is left out."""
_PUNCTUATION = re.compile(r"[^\w\x02]|_")
_MARKS = bytes(code for code in range(128) if not chr(code).isalnum() and chr(code) != SEPARATOR)


def folded(text: str) -> str:
    """What is left of a text for comparing: the same for each of its characters by itself."""
    if not text.isascii():
        text = _replaced(text, _beyond_ascii(_encoded(text)), _fold)
    return _plain(text) if text.isascii() else _mixed(text)


def narrowly(text: str) -> str:
    """The same where only ASCII is looked for."""
    if text.isascii():
        return _plain(text)
    try:
        return _western(text)
    except UnicodeEncodeError:
        codes = _encoded(text)
    others = [each for each in _beyond_ascii(codes) if _narrow(each) != SEPARATOR]
    if others:
        codes = _encoded(_replaced(text, others, _narrow))
    return codes.translate(_LOWER_OR_APART, _UNSEEN_OR_WITHIN).decode("ascii")


def _western(text: str) -> str:
    """The same for a text of one byte for each character, as bytes that were decoded are."""
    codes = text.encode("latin-1")
    found = codes.translate(None, _ONEFOLD)
    if found:
        for each in set(found.decode("latin-1")):
            text = text.replace(each, _narrow(each))
        codes = text.encode("latin-1")
    return codes.translate(*_WESTERN).decode("ascii")


def _plain(text: str) -> str:
    # Bytes are translated faster than characters.
    return text.encode("ascii").translate(_LOWER, _UNSEEN).decode("ascii")


def _beyond_ascii(codes: bytes) -> set[str]:
    """The characters beyond ASCII that an encoded text has."""
    return set(codes.translate(None, _PLAIN).decode("utf-8", "surrogatepass"))


def _replaced(text: str, kinds: Collection[str], fold: Callable[[str], str]) -> str:
    """With these characters folded; if they are many, all beyond ASCII."""
    if len(kinds) <= _FEW:
        # Dashes and quotes in a page that is plain otherwise.
        for each in kinds:
            text = text.replace(each, fold(each))
        return text
    return _BEYOND_ASCII.sub(lambda found: "".join(map(fold, found[0])), text)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _mixed(text: str) -> str:
    pieces = _BEYOND_ASCII.split(text)
    pieces[::2] = map(_plain, pieces[::2])
    return "".join(pieces)


@lru_cache(65_536)
def _fold(character: str) -> str:
    plain = unicodedata.normalize("NFKD", character).casefold()
    return _GONE.sub("", _HALF.sub(_byte, plain))


@lru_cache(65_536)
def _narrow(character: str) -> str:
    return "".join(each if each.isascii() else SEPARATOR for each in _fold(character))


def _byte(half: re.Match[str]) -> str:
    """Half a character; bytes that are no text are read as such."""
    return chr(ord(half[0]) & 0xFF)


_BYTES = list(map(chr, range(256)))
_ONEFOLD = bytes(ord(each) for each in _BYTES if len(_narrow(each)) <= 1)
_WESTERN = (
    bytes(ord((_narrow(each) or " ")[0].lower()) for each in _BYTES),
    bytes(ord(each) for each in _BYTES if not _narrow(each)),
)
"""What each becomes, and what is left out."""


def letters(text: str) -> str:
    """What is left of a folded text without punctuation."""
    if text.isascii():
        return text.encode("ascii").translate(None, _MARKS).decode("ascii")
    return _PUNCTUATION.sub("", text)


class Folded:
    """A text that was folded character by character, and knows where each comes from."""

    def __init__(self, source: str, fold: Callable[[str], str], text: str | None = None) -> None:
        """Of a source that may have been folded before, into `text`."""
        self._source = source
        self._fold = fold
        self.text = fold(source) if text is None else text
        self._known = [0, len(source)]
        """Places in the source of which it is known where they are in the folded text."""
        self._folded = [0, len(self.text)]
        self._asked = 0

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Where in the source a part of the folded text stands."""
        self._asked += 1
        if self._asked > _MANY:
            origins = self._all_origins
            return origins[start], origins[stop - 1] + 1
        first = self._origin(start)
        last = first + stop - start
        # Most of what is found has nothing in it that is left out.
        plain = self._fold(self._source[first:last]) == self.text[start:stop]
        if plain and len(self._fold(self._source[last - 1 : last])) == 1:
            return first, last
        return first, self._origin(stop - 1) + 1

    def span_of_only(self, start: int, stop: int) -> tuple[int, int]:
        """The same for a part that is nowhere else in the folded text."""
        part = self.text[start:stop]
        likely = len(self._source) * start // len(self.text)
        before = max(likely - _AROUND, 0)
        near = self._source[before : likely + len(part) + _AROUND]
        first = near.lower().find(part)
        last = first + len(part)
        # Where a part of the source is folded to nothing else, it comes from there.
        if first >= 0 and self._fold(near[first:last]) == part and self._fold(near[last - 1]):
            return before + first, before + last
        nearby = Folded(near, self._fold)
        first = nearby.text.find(part)
        if first < 0:
            return self.span(start, stop)
        first, last = nearby.span(first, first + len(part))
        return before + first, before + last

    @cached_property
    def _all_origins(self) -> list[int]:
        return self._origins(0, len(self._source))

    def _origin(self, index: int) -> int:
        # Hits are few in most texts: as little as possible is folded once more.
        guesses = iter(_BESIDE)
        while True:
            at = bisect_right(self._folded, index)
            first, last = self._known[at - 1 : at + 1]
            before, after = self._folded[at - 1 : at + 1]
            if last - first <= _SMALL:
                return self._origins(first, last)[index - before]
            middle = (first + last) // 2
            if (beside := next(guesses, 0)) != 0:
                # What is left out is spread evenly in most texts.
                likely = first + (last - first) * (index - before) // (after - before)
                middle = min(max(likely + beside, first + 1), last - 1)
            if middle - first < last - middle:
                place = before + len(self._fold(self._source[first:middle]))
            else:
                place = after - len(self._fold(self._source[middle:last]))
            self._known.insert(at, middle)
            self._folded.insert(at, place)

    def _origins(self, first: int, last: int) -> list[int]:
        left = list(map(_left(self._fold).__getitem__, self._source[first:last]))
        if max(left) <= 1:
            return list(compress(count(first), left))
        return list(chain.from_iterable(map(repeat, count(first), left)))


class _Left(dict[str, int]):
    """How much is left of each character."""

    def __init__(self, fold: Callable[[str], str]) -> None:
        super().__init__((each, len(fold(each))) for each in map(chr, range(_FIRST_BEYOND)))
        self._fold = fold

    def __missing__(self, character: str) -> int:
        # Few are kept: a page may have any of them.
        return len(self._fold(character))


@lru_cache(8)
def _left(fold: Callable[[str], str]) -> _Left:
    return _Left(fold)
