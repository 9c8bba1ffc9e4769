"""Numbers as people write them: `4.20 €`, `1,234.56`, `1.234,56`, `1 234`, `-3 %`."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

__all__ = ["Number", "read_number"]

_SPACES: Final = "\u0020\u00a0\u2009\u202f\u2007'’"  # noqa: RUF001
_GROUP: Final = re.compile(
    rf"(?<![\w.,])([-+\u2212]?)[^\S\n]?\(?(?:[^\W\d]{{0,4}}[$€£¥₹₽₩₺₴₪฿]{{0,1}})?"
    rf"([.,]?\d(?:[\d.,]|[{_SPACES}](?=\d{{3}}(?!\d)))*)(?:[eE]([-+]?\d{{1,3}})(?!\w))?"
)
_MULTIPLIED: Final = re.compile(
    r"\s?(?:[kKMB]|bn|[Mm]io|[Mm]rd|[Tt]sd|thousand|[mb]illions?)(?![^\W\d_])"
)
_COMMA: Final = re.compile(
    "af|az|be|bg|bs|ca|cs|da|de|el|es|et|eu|fi|fo|fr|gl|hr|hu|hy|id|is|it|ka|kk|lt|lv|mk|nb|nl|nn|"
    "no|pl|pt|ro|ru|sk|sl|sq|sr|sv|tr|uk|uz|vi"
)
"""Languages that write decimals after a comma."""


class Number(NamedTuple):
    """A number, and whether it could have been meant otherwise."""

    value: float | int
    doubtful: bool = False


def read_number(text: str, language: str = "") -> Number | None:
    """The one number in a text, or None where there is none, more than one, or no clear one.

    A lone separator before three digits divides thousands or decimals; then the language of the
    page decides, and without one a comma divides thousands and a point decimals.
    """
    plain = "".join(
        str(unicodedata.digit(letter)) if letter.isdigit() and not letter.isascii() else letter
        for letter in text.strip()
    )
    found = list(_GROUP.finditer(plain))
    if len(found) != 1 or len(re.findall(r"\d", found[0][0])) != len(re.findall(r"\d", plain)):
        return None
    if _MULTIPLIED.match(plain, found[0].end()):
        return None
    sign, digits, exponent = found[0].groups()
    ordered = _ordered(digits.rstrip(".,"), language)
    if ordered is None:
        return None
    written, doubtful = ordered
    if exponent:
        written = f"{written}e{exponent}"
    value = float(written)
    if value in (float("inf"), float("-inf")):
        return None
    number: float | int = int(written) if re.fullmatch(r"\d{1,300}", written) else value
    return Number(-number if sign in ("-", "\u2212") else number, doubtful)


def _ordered(digits: str, language: str) -> tuple[str, bool] | None:
    """Digits with a point for decimals and nothing else, or None where they make no number."""
    bare = re.sub(f"[{_SPACES}]", "", digits)
    marks = [letter for letter in bare if letter in ".,"]
    if not marks:
        return bare, False
    if len(set(marks)) == 2:  # noqa: PLR2004
        decimal = marks[-1]
        if marks.count(decimal) > 1:
            return None
        whole, _, part = bare.rpartition(decimal)
        return (f"{re.sub('[.,]', '', whole)}.{part}", False) if _thousands(whole) else None
    mark = marks[0]
    if len(marks) > 1:
        return (bare.replace(mark, ""), False) if _thousands(bare) else None
    whole, _, part = bare.partition(mark)
    if len(part) != 3 or len(whole) > 3 or whole in ("", "0"):  # noqa: PLR2004
        return f"{whole or '0'}.{part}", False
    known = language.partition("-")[0].lower()
    decimal = "," if _COMMA.fullmatch(known) else "."
    return (f"{whole}.{part}" if mark == decimal else f"{whole}{part}"), not known


def _thousands(text: str) -> bool:
    """Whether separators stand before groups of three."""
    first, *rest = re.split("[.,]", text)
    return 1 <= len(first) <= 3 and all(len(group) == 3 for group in rest)  # noqa: PLR2004
