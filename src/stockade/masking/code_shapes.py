"""Code shapes: numbers that could be a code, told by how many digits they have and by nothing else.

Whoever looks for one of these learns nothing of what the code is.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

__all__ = ["numbers_like"]

_ESCAPED_TWICE: Final = 2
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{8,}")
_MOST_BASE64: Final = 4096
"""Characters of one run that are read as base64: pictures are long, and no numbers are in them."""


def numbers_like(text: str, digits: int) -> set[str]:
    """The numbers of so many digits that stand by themselves in a text, escaped or in base64 too.

    Digits next to letters are more often a part of some key, and after a dot the name of a file.
    """
    pattern = _number(digits)
    return {found[0] for each in _readings(text) for found in pattern.finditer(each)}


def _readings(text: str) -> Iterator[str]:
    yield text
    plain = text
    for _ in range(_ESCAPED_TWICE):
        if "%" not in plain:
            break
        plain = unquote(plain, errors="replace")
        yield plain
    for found in _BASE64.finditer(plain):
        if found.end() - found.start() <= _MOST_BASE64 and (read := _decoded(found[0])):
            yield read


def _decoded(text: str) -> str:
    """What base64 says, if that is a text."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_").decode("ascii")
    except (binascii.Error, UnicodeDecodeError):
        return ""


@lru_cache(32)
def _number(digits: int) -> re.Pattern[str]:
    return re.compile(rf"(?<![0-9A-Za-z.])\d{{{digits}}}(?![0-9A-Za-z])", re.ASCII)
