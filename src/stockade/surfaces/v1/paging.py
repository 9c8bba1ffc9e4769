"""Paging: every list has a `limit`, a `cursor`, and says what comes `next`."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from stockade.errors import InvalidArgument

__all__ = ["Paged", "paged"]

USUAL: Final = 500
MOST: Final = 1000
_LONGEST_CURSOR = 500

T = TypeVar("T")
Place = tuple[float | int | str, ...]
"""Where a row stands: rows are in the order of their places, and no two share one."""


class Paged(BaseModel):
    """Which part of a list is wanted; names that mean nothing are refused."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    limit: int = Field(default=USUAL, ge=1, le=MOST, description="How many at most.")
    cursor: str | None = Field(
        default=None, max_length=_LONGEST_CURSOR, description="What `next` of the page before said."
    )


def paged(
    noun: str, rows: Sequence[T], place: Callable[[T], Place], wanted: Paged
) -> tuple[list[T], str | None]:
    """One page of rows that are in the order of their places, and the cursor of the next."""
    left = list(rows)
    if wanted.cursor is not None:
        after = _read(noun, wanted.cursor)
        try:
            left = [each for each in rows if place(each) > after]
        except TypeError:
            raise _refusal() from None
    page = left[: wanted.limit]
    following = _written(noun, place(page[-1])) if len(left) > len(page) else None
    return page, following


def _written(noun: str, place: Place) -> str:
    text = json.dumps([noun, *place], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read(noun: str, cursor: str) -> Place:
    padded = cursor + "=" * (-len(cursor) % 4)
    try:
        found: Any = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        raise _refusal() from None
    if not isinstance(found, list) or len(found) < 2 or found[0] != noun:  # noqa: PLR2004
        raise _refusal()
    return tuple(found[1:])


def _refusal() -> InvalidArgument:
    return InvalidArgument(
        "the cursor is not one of this list", hint="Begin again without a cursor."
    )
