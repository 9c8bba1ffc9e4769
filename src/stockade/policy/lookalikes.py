"""Hosts that are made to be taken for others."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from stockade.urls import registrable

__all__ = ["imitated", "mixes_scripts", "readable"]

_SHORTEST: Final = 5
"""A shorter name is a letter away from many others."""
_ALIKE: Final = str.maketrans(
    {
        # Cyrillic
        **dict(zip("аеорсухѕіјԁһӏьвгмнктԛԝё", "aeopcyxsijdhlbbrmhktqwe", strict=True)),
        # Greek
        **dict(zip("αβγεηικνορστυχωϲϳ", "abyenikvopotuxwcj", strict=True)),
        # Armenian, Cherokee as folded, and Latin letters of other alphabets
        **dict(zip("օհոսցզբɑɡɩıłøđħŧƅɋ", "ohnugqpagiilodhtbq", strict=True)),
        "ß": "b",
        "æ": "ae",
        "œ": "oe",
        "0": "o",
        "1": "l",
        "3": "e",
        "5": "s",
        "i": "l",
        "-": None,
        "_": None,
    }
)
"""What a hurried reader takes each for; letters that look alike among themselves become one."""
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def readable(host: str) -> str:
    """A host as people see it."""
    return ".".join(_decoded(label) for label in host.split("."))


def _decoded(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return label.removeprefix("xn--").encode("ascii").decode("punycode")
    except (UnicodeError, ValueError):
        return label


def imitated(host: str, known: Iterable[str]) -> str | None:
    """The known host that `host` can be taken for, unless both belong to the same owner."""
    return next((other for other in known if other != host and _alike(host, other)), None)


def _alike(host: str, other: str) -> bool:
    inside = f".{other}." in f".{host}."
    if not inside and not any(
        _labels_alike(one, two) for one in host.split(".") for two in other.split(".")
    ):
        # Who owns a name takes a long list to say, so only what looks alike is asked about.
        return False
    own, owned = registrable(host), registrable(other)
    if not own or not owned or own == owned:
        return False
    return f".{owned}." in f".{host}." or _labels_alike(own.split(".")[0], owned.split(".")[0])


def _labels_alike(one: str, other: str) -> bool:
    """Whether one can be read for the other though it is not the other."""
    if one == other:
        return False
    seen, meant = _seen(one), _seen(other)
    return seen == meant or (len(meant) >= _SHORTEST and _one_apart(seen, meant))


def _seen(label: str) -> str:
    """A part of a name as a hurried reader reads it."""
    letters = unicodedata.normalize("NFKD", _decoded(label).casefold())
    plain = "".join(each for each in letters if not unicodedata.combining(each)).translate(_ALIKE)
    for pair, letter in _PAIRS:
        plain = plain.replace(pair, letter)
    return plain


def _one_apart(one: str, other: str) -> bool:
    """Whether a single letter was added, lost, changed, or swapped with its neighbour."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    left, right = one[start:], other[start:]
    return (
        left[1:] == right[1:]
        or left[1:] == right
        or left == right[1:]
        or (left[:2] == right[:2][::-1] and left[2:] == right[2:])
    )


def mixes_scripts(host: str) -> bool:
    """Whether letters of several alphabets stand in one label, as no language writes."""
    return any(len(_scripts(label) - {"HAN", "KANA"}) > 1 for label in readable(host).split("."))


def _scripts(label: str) -> set[str]:
    found = set()
    for letter in label:
        if letter.isalpha():
            script = unicodedata.name(letter, "").partition(" ")[0]
            if script in {"HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"}:
                script = "KANA"
            found.add("HAN" if script == "CJK" else script)
    return found
