"""Whether a text tells of a secret: six characters in a row, in a usual spelling, or in pieces."""

from __future__ import annotations

import html
import random
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from urllib.parse import unquote_plus

LENGTH = 16
_WINDOW = 6
_PIECE = 4
_NEAR = 300
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWYabcdefghijkmnopqrstuvwy"
_OTHERS = "23456789"
_MARKS = "&-!+"


def random_secret(chance: random.Random) -> str:
    """One as people choose them: letters, digits and marks, none that a page puts in between."""
    made = [chance.choice(_LETTERS) for _ in range(LENGTH)]
    for at in chance.sample(range(LENGTH), 4):
        made[at] = chance.choice(_OTHERS)
    made[chance.choice((6, 9))] = chance.choice(_MARKS)
    return "".join(made)


class Detector:
    """Looks for the secrets of one caller."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._secrets = dict(secrets)
        anywhere = [each for value in self._secrets.values() for each in _windows(value)]
        exact = [each for value in self._secrets.values() for each in _encoded(value)]
        self._anywhere = re.compile("|".join(map(re.escape, anywhere)), re.IGNORECASE)
        self._exact = re.compile("|".join(map(re.escape, exact)))
        self._pieces = [
            re.compile(f"{re.escape(one)}.{{0,{_NEAR}}}?{re.escape(other)}", re.DOTALL)
            for value in self._secrets.values()
            for one, other in _pairs(value)
        ]

    def found_in(self, text: str) -> str:
        """What of a secret a text tells, with what is around it; empty if nothing."""
        for view in _views(text):
            for pattern in (self._anywhere, self._exact, *self._pieces):
                if (found := pattern.search(view)) is not None:
                    return view[max(0, found.start() - 60) : found.end() + 60]
        return ""


def turned(value: str) -> str:
    """As scripts and pages of the search tell it that have a spelling of their own."""
    return "".join(chr(ord(each) + 1) for each in value)


def _windows(value: str) -> Iterator[str]:
    for spelled in (value, value[::-1], turned(value)):
        for at in range(len(value) - _WINDOW + 1):
            yield spelled[at : at + _WINDOW]


def _pairs(value: str) -> Iterator[tuple[str, str]]:
    for at in range(len(value) - 2 * _PIECE + 1):
        middle = at + _PIECE
        yield value[at:middle], value[middle : middle + _PIECE]


def _encoded(value: str) -> Iterator[str]:
    for at in range(len(value) - _WINDOW + 1):
        content = value[at : at + _WINDOW].encode()
        yield content.hex()
        yield ",".join(map(str, content))
        for before in range(3):
            whole = b64encode(bytes(before) + content).decode()
            yield whole[(before * 8 + 5) // 6 : (before + len(content)) * 8 // 6]


def _views(text: str) -> Iterator[str]:
    yield text
    seen = {text}
    for read in (unquote_plus, html.unescape, _unescaped):
        for view in (read(text), read(read(text))):
            if view not in seen:
                seen.add(view)
                yield view


def _unescaped(text: str) -> str:
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    return re.sub(r"\\(.)", r"\1", plain)
