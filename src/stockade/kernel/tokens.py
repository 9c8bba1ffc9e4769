"""Tokens: how much of a model's attention a text costs, by the page agent's own measure."""

from __future__ import annotations

import re

__all__ = ["cut", "estimate"]

_WIDE = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]"
)
_ELLIPSIS = "…"


def estimate(text: str) -> int:
    """About how many tokens `text` is: a quarter for each UTF-16 unit, CJK characters whole."""
    if text.isascii():
        return -(-len(text) // 4)
    units = len(text) + sum(character > "\uffff" for character in text)
    return -(-(units + 3 * len(_WIDE.findall(text))) // 4)


def cut(text: str, tokens: int) -> str:
    """The beginning of `text` that fits into `tokens`, with an ellipsis where it was cut."""
    if estimate(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate(text[:middle] + _ELLIPSIS) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low] + _ELLIPSIS if low else ""
