"""Tokens: how much of a model's attention a text costs."""

from __future__ import annotations

import math

__all__ = ["cut", "estimate"]

_ASCII_PER_TOKEN = 4
_OTHER_COST = 0.75


def estimate(text: str) -> int:
    """About how many tokens `text` is: four ASCII characters each, others nearly one."""
    other = 0 if text.isascii() else len(text) - len(text.encode("ascii", "ignore"))
    return math.ceil((len(text) - other) / _ASCII_PER_TOKEN + other * _OTHER_COST)


def cut(text: str, tokens: int) -> str:
    """The beginning of `text` that fits into `tokens`, with an ellipsis where it was cut."""
    if estimate(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate(text[:middle]) + 1 <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low] + "…"
