"""Needles: the spellings of a secret that are looked for as they are, folded."""

from __future__ import annotations

import codecs
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import product

from stockade.masking.folding import folded, letters
from stockade.masking.views import unescaped

__all__ = ["FEWEST", "Kind", "Needle", "letters_of", "needles_of", "parts_of"]

FEWEST = 6
"""A shorter needle would be found in everything."""

_FEWEST_LETTERS = 10
_PART = 5
_SHORTEST_PART = 4
_FEWEST_OF_A_LINE = 16
_LEVELS = 3
_MOST_BLANKS = 3
"""Blanks of which each may be written as a plus or not."""
_WINDOWS = [bytes([each]).decode("cp1252", "ignore") or chr(each) for each in range(256)]


class Kind(Enum):
    """What a needle is made of."""

    TEXT = auto()
    BYTES = auto()
    """Bytes that were taken for characters, not all of which show."""
    BASE64 = auto()
    """The letters beside it may hold some of its bits."""
    HEAD = auto()
    """The first half: as much may be left where a text was cut."""
    TAIL = auto()
    """The second half."""
    PART = auto()
    """A few characters, of a secret that a page has."""


@dataclass(frozen=True)
class Needle:
    """A spelling, folded."""

    text: str
    kind: Kind
    after: int
    """How many characters of the spelling come after the last one that shows."""
    whole: str = ""
    """What it is a half of."""


def needles_of(secret: str) -> Iterator[Needle]:
    """Every spelling of a secret that cannot be undone by reading a text differently."""
    for plain in {secret, *_read_differently(secret), *_lines(secret)}:
        for spelled, kind in _spelled(plain):
            if len(found := folded(spelled)) >= FEWEST:
                yield Needle(found, kind, _hidden_end(spelled))
        yield from _halves(folded(plain))


def _halves(whole: str) -> Iterator[Needle]:
    """So much that nobody who does not know it would guess it piece by piece."""
    least = max(_FEWEST_LETTERS, (len(whole) + 1) // 2)
    if len(whole) > least:
        yield Needle(whole[:least], Kind.HEAD, 0, whole)
        yield Needle(whole[-least:], Kind.TAIL, 0, whole)


def parts_of(secret: str) -> Iterator[Needle]:
    """Every few characters of a secret that stand one after the other."""
    whole = folded(secret)
    length = min(_PART, max(_SHORTEST_PART, len(whole) // 2))
    for at in range(len(whole) - length + 1):
        yield Needle(whole[at : at + length], Kind.PART, 0)


def letters_of(secret: str) -> str | None:
    """A secret without its punctuation, where enough is left of it to be told apart."""
    plain = folded(secret)
    left = letters(plain)
    return left if left == plain or len(left) >= _FEWEST_LETTERS else None


def _hidden_end(spelled: str) -> int:
    return next(at for at, each in enumerate(reversed(spelled)) if folded(each))


def _spelled(plain: str) -> Iterator[tuple[str, Kind]]:
    yield plain, Kind.TEXT
    yield from ((each, Kind.TEXT) for each in _with_pluses(plain))
    if plain[::-1] not in plain + plain:
        yield plain[::-1], Kind.TEXT
    yield codecs.encode(plain, "rot13"), Kind.TEXT
    narrow, wide = plain.encode("utf-8", "surrogatepass"), _wide(plain)
    if not plain.isascii():
        yield plain.encode("punycode").decode("ascii"), Kind.TEXT
        yield narrow.decode("latin-1"), Kind.BYTES
        yield "".join(map(_WINDOWS.__getitem__, narrow)), Kind.BYTES
        yield wide.decode("latin-1"), Kind.BYTES
    for content in (narrow, wide):
        yield content.hex(), Kind.TEXT
        for inner in _base64(content):
            yield inner, Kind.BASE64


def _with_pluses(plain: str) -> Iterator[str]:
    """As forms write blanks, all of them or, of a few, some: the others were escaped otherwise."""
    words = plain.split(" ")
    if 0 < len(words) - 1 <= _MOST_BLANKS:
        for chosen in product(("+", " "), repeat=len(words) - 1):
            if "+" in chosen:
                yield "".join(a + b for a, b in zip(words, (*chosen, ""), strict=True))
    elif " " in plain:
        yield plain.replace(" ", "+")


def _wide(plain: str) -> bytes:
    return plain.encode("utf-16-le", "surrogatepass")


def _read_differently(secret: str) -> Iterator[str]:
    """What becomes of a secret that looks escaped itself, in a text whose escapes are undone."""
    for _ in range(_LEVELS):
        view = unescaped(secret, len(secret))
        if view is None:
            return
        secret = view.text
        yield secret


def _lines(secret: str) -> list[str]:
    """The lines of a key or certificate, but for those that every one of them has."""
    lines = [each.strip() for each in secret.splitlines()]
    return [
        each for each in lines if len(each) >= _FEWEST_OF_A_LINE and not each.startswith("-----")
    ]


def _base64(content: bytes) -> Iterator[str]:
    """Its letters wherever it begins in what is encoded, without those that have other bits too."""
    for before in range(3):
        whole = b64encode(bytes(before) + content).decode()
        inner = whole[(before * 8 + 5) // 6 : (before + len(content)) * 8 // 6]
        yield inner
        if "+" in inner or "/" in inner:
            yield inner.replace("+", "-").replace("/", "_")
