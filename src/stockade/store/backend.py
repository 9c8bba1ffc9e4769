"""What the two kinds of database have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from stockade.errors import StoreFailed

__all__ = ["Backend"]


@dataclass(frozen=True)
class Backend:
    """An engine whose statements stand alone, and how to make a transaction of several."""

    engine: AsyncEngine
    writing: Mapping[str, Any]
    """The execution options of a connection that is going to write."""
    explain: Callable[[BaseException], StoreFailed]
    """What to tell of an error of the driver."""
    writers: int
    """How many can write at a time."""
