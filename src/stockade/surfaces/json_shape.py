"""The shape of JSON: how deep and how many values it may have.

Reading a few megabytes of tiny values takes seconds, in which nobody else would be served; as many
bytes of text are read in a moment.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["DEEPEST", "MOST_VALUES", "shape_fault"]

DEEPEST: Final = 64
MOST_VALUES: Final = 100_000
_TOKENS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+\\?(?:"|\Z)|[\[{]|[\]}]|,', re.DOTALL)
"""Strings, so that what is in them does not count, brackets and commas. One pass over any text."""


def shape_fault(body: bytes) -> str:
    """What is wrong with the shape of some JSON; nothing if it may be read."""
    opening = body.count(b"[") + body.count(b"{")
    if opening <= DEEPEST and opening + body.count(b",") < MOST_VALUES:
        return ""
    depth, values = 0, 1
    for found in _TOKENS.finditer(body):
        token = found[0]
        if token in b"[{":
            depth += 1
            values += 1
            if depth > DEEPEST:
                return f"nested more than {DEEPEST} deep"
        elif token in b"]}":
            depth -= 1
        else:
            # Where no comma follows, a string was counted with what came before it.
            values += token == b","
            if values > MOST_VALUES:
                return f"made of more than {MOST_VALUES} values"
    return ""
