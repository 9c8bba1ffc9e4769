"""What is wrong with which argument, in words and without the value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["complaints"]

_MOST = 5
_LONGEST_NAME = 40


def complaints(found: Sequence[Mapping[str, Any]]) -> str:
    """The first of what pydantic found, each by its place."""
    said = []
    for each in found[:_MOST]:
        where = ".".join(str(part)[:_LONGEST_NAME] for part in each["loc"]) or "arguments"
        said.append(f"{where}: {each['msg']}")
    if len(found) > _MOST:
        said.append(f"and {len(found) - _MOST} more")
    return "; ".join(said)
