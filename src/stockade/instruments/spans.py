"""Stretches of a text: which of it was used, when ranges lie within ranges."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

__all__ = ["Span", "gaps", "innermost", "length", "union"]

Span = tuple[int, int]
"""From the first character to the one after the last."""


def innermost(ranges: Iterable[tuple[int, int, bool]]) -> list[Span]:
    """What is used when, of ranges that lie within each other, the innermost decides."""
    edges: list[tuple[int, bool]] = []
    around: list[tuple[int, bool]] = []
    for start, end, used in sorted(ranges, key=lambda each: (each[0], -each[1])):
        while around and around[-1][0] <= start:
            closed, _ = around.pop()
            edges.append((closed, around[-1][1] if around else False))
        edges.append((start, used))
        around.append((end, used))
    while around:
        closed, _ = around.pop()
        edges.append((closed, around[-1][1] if around else False))
    found: list[Span] = []
    for (start, used), (end, _) in pairwise(edges):
        if used and end > start:
            found.append((start, end))
    return union(found)


def union(spans: Iterable[Span]) -> list[Span]:
    """The same characters in as few spans as there can be."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def gaps(spans: Iterable[Span], total: int) -> list[Span]:
    """What lies between them, of a text of that length."""
    found: list[Span] = []
    at = 0
    for start, end in union(spans):
        if start > at:
            found.append((at, min(start, total)))
        at = max(at, end)
    if at < total:
        found.append((at, total))
    return found


def length(spans: Iterable[Span]) -> int:
    """How many characters, each counted once."""
    return sum(end - start for start, end in union(spans))
