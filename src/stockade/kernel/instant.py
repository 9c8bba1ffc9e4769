"""Moments, as results tell them."""

from __future__ import annotations

import time
from datetime import UTC, datetime

__all__ = ["instant"]


def instant(at: float | None = None) -> str:
    """A moment in UTC to the millisecond; now, when none is given."""
    moment = datetime.fromtimestamp(time.time() if at is None else at, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
