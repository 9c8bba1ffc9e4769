"""Runs: parts of a text that spell other texts, in base64 or as the numbers of their characters."""

from __future__ import annotations

import binascii
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import accumulate

from stockade.masking.folding import SEPARATOR

__all__ = ["Spelled", "spelled"]

Place = Callable[[int], tuple[int, int]]
"""Where in the source a character is spelled."""


class Spelled:
    """What all runs of a source spell, as one text."""

    def __init__(self, runs: list[tuple[str, Place]]) -> None:
        self._runs = runs
        self.text = SEPARATOR.join([text.replace(SEPARATOR, " ") for text, _ in runs])

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(text) + 1 for text, _ in self._runs), initial=0))[:-1]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Where in the source a part of this text is spelled."""
        run = bisect_right(self._starts, start) - 1
        first, (_, place) = self._starts[run], self._runs[run]
        return place(start - first)[0], place(stop - 1 - first)[1]


def spelled(source: str) -> Spelled | None:
    """What a source spells; none if it has nothing that might."""
    # One byte for each character, whatever it is, so that this is as fast as looking for a word.
    codes = source.encode("latin-1", "replace")
    runs = [*_base64(source, codes), *_numbers(source, codes)]
    return Spelled(runs) if runs else None


def _class(members: bytes) -> bytes:
    return bytes(ord("x") if each in members else ord(" ") for each in range(256))


def _stretches(codes: bytes, members: bytes, shortest: int) -> Iterator[tuple[int, int]]:
    """Where a source has at least `shortest` of the members in a row."""
    kinds = codes.translate(members)
    wanted = b"x" * shortest
    start = kinds.find(wanted)
    while start >= 0:
        stop = kinds.find(b" ", start)
        stop = len(kinds) if stop < 0 else stop
        yield start, stop
        start = kinds.find(wanted, stop)


# --- base64 ---------------------------------------------------------------------------------------

_SIXTY_FOUR = _class(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
_SHORTEST_BASE64 = 16
_SHORTEST_LINE = 40
"""Base64 that is broken into lines has lines at least as long."""
_BREAK = re.compile(r"(?:\s|\\[rn])+")
_SHIFTS = 4
_is_word = bytes.islower
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")

Piece = tuple[int, int]


def _base64(source: str, codes: bytes) -> Iterator[tuple[str, Place]]:
    """What is spelled in base64, for each letter of a stretch that it may begin at."""
    found: list[list[Piece]] = []
    for start, stop in _stretches(codes, _SIXTY_FOUR, _SHORTEST_BASE64):
        if found and _goes_on(source, found[-1][-1], start):
            found[-1].append((start, stop))
        # Words and addresses are of the same letters, but seldom of both cases.
        elif stop - start >= _SHORTEST_LINE or not _is_word(codes[start:stop]):
            found.append([(start, stop)])
    for pieces in found:
        letters = b"".join(codes[start:stop] for start, stop in pieces)
        if letters.lower() != letters != letters.upper():
            letters = letters.translate(_TO_STANDARD)
            for shift in range(_SHIFTS):
                yield _decoded(letters[shift:]), partial(_within, pieces, shift)


def _goes_on(source: str, line: Piece, start: int) -> bool:
    end = line[1]
    return end - line[0] >= _SHORTEST_LINE and bool(_BREAK.fullmatch(source, end, start))


def _decoded(letters: bytes) -> str:
    rest = len(letters) % 4
    usable = letters[:-1] if rest == 1 else letters + b"=" * (-rest % 4)
    return binascii.a2b_base64(usable).decode("latin-1")


def _within(pieces: list[Piece], shift: int, index: int) -> tuple[int, int]:
    """Where the letters stand that spell one character."""
    return _letter(pieces, shift + index * 4 // 3), _letter(
        pieces, shift + (index * 4 + 3) // 3
    ) + 1


def _letter(pieces: list[Piece], number: int) -> int:
    for start, stop in pieces:
        if number < stop - start:
            return start + number
        number -= stop - start
    return pieces[-1][1] - 1


# --- numbers --------------------------------------------------------------------------------------

_NUMERIC = _class(b"0123456789abcdefABCDEFxX,:;-_.| \t\r\n\"'")
_NO_DIGITS = bytes(each for each in range(256) if each not in b"0123456789abcdefABCDEF")
_SHORTEST_NUMERIC = 16
_FEWEST_NUMBERS = 6
_NUMBER = re.compile(r"(?:0[xX])?([0-9a-fA-F]+)")
_LONGEST_POINT = 6
_LONGEST_OCTAL = 7
_OCTAL_DIGITS = frozenset("01234567")
_LAST = 0x10FFFF

Number = re.Match[str]


def _numbers(source: str, codes: bytes) -> Iterator[tuple[str, Place]]:
    """What is spelled by numbers, of bytes or of characters, hexadecimal or decimal."""
    for start, stop in _stretches(codes, _NUMERIC, _SHORTEST_NUMERIC):
        if len(codes[start:stop].translate(None, _NO_DIGITS)) < _FEWEST_NUMBERS:
            continue  # blanks, mostly
        numbers = list(_NUMBER.finditer(source, start, stop))
        for read in (_hexadecimal, _decimal, _octal) if _enough(numbers) else ():
            characters = [each for number in numbers for each in read(number)]
            yield "".join(each[0] for each in characters), partial(_of, characters)


def _of(characters: list[tuple[str, int, int]], index: int) -> tuple[int, int]:
    return characters[index][1:]


def _enough(numbers: list[Number]) -> bool:
    return len(numbers) >= _FEWEST_NUMBERS or any(
        len(each[1]) >= 2 * _FEWEST_NUMBERS for each in numbers
    )


def _hexadecimal(number: Number) -> list[tuple[str, int, int]]:
    digits, (start, stop) = number[1], number.span(1)
    if len(digits) <= _LONGEST_POINT:
        return [(_character(int(digits, 16)), number.start(), stop)]
    return [
        (chr(int(digits[at : at + 2], 16)), start + at, start + at + 2)
        for at in range(0, len(digits) - 1, 2)
    ]


def _decimal(number: Number) -> list[tuple[str, int, int]]:
    digits = number[0]
    if not digits.isdecimal() or len(digits) > _LONGEST_POINT + 1:
        return [(SEPARATOR, *number.span())]
    return [(_character(int(digits)), *number.span())]


def _octal(number: Number) -> list[tuple[str, int, int]]:
    digits = number[0]
    if len(digits) > _LONGEST_OCTAL or not _OCTAL_DIGITS.issuperset(digits):
        return [(SEPARATOR, *number.span())]
    return [(_character(int(digits, 8)), *number.span())]


def _character(code: int) -> str:
    return chr(code) if code <= _LAST else SEPARATOR
