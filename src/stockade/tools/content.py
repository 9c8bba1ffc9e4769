"""Content that is given whole: beside the rest of a result where it fits, else as a file."""

from __future__ import annotations

import json
from typing import Any

from stockade.kernel.call import Call
from stockade.kernel.downloads import link_to
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import save, saved
from stockade.kernel.tokens import estimate

__all__ = ["MOST_INLINE", "fits", "whole"]

MOST_INLINE = 20_000
"""Tokens that a result may take because its content was asked for."""
_ROOM = 500


def fits(content: Any, tokens: int = MOST_INLINE) -> bool:
    """Whether content can stand in a result."""
    return estimate(compact(content)) <= tokens


async def whole(
    call: Call, data: dict[str, Any], field: str, *, default: str, source: str
) -> Result:
    """A result with all of `data[field]`, or with what fits of it and the rest in a file.

    A list keeps as many of its first items as fit; anything else is in the file alone.
    """
    content = data[field]
    if fits(data):
        return Result(data=data, source=source, tokens=MOST_INLINE + _ROOM)
    plain = isinstance(content, str) and default.endswith(".txt")
    text = content if plain else json.dumps(content, ensure_ascii=False)
    kept = await save(call, text.encode("utf-8", "replace"), default=default)
    if isinstance(content, list):
        shown: Any = _first(content)
        data = {**data, field: shown, "shown": len(shown), **saved(call, kept)}
    else:
        rest = {name: value for name, value in data.items() if name != field}
        data = {**rest, **saved(call, kept)}
    return Result(data=data, source=source, links=(link_to(kept),), tokens=MOST_INLINE + _ROOM)


def _first(items: list[Any]) -> list[Any]:
    """The first items that take up no more than half of the room."""
    left = MOST_INLINE // 2
    kept = []
    for item in items:
        left -= estimate(compact(item))
        if left < 0:
            break
        kept.append(item)
    return kept
