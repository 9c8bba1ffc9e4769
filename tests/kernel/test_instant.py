"""Moments."""

from __future__ import annotations

from datetime import UTC, datetime

from stockade.kernel.instant import instant


def test_a_moment_in_utc() -> None:
    assert instant(0.25) == "1970-01-01T00:00:00.250Z"
    now = datetime.fromisoformat(instant())
    assert abs((datetime.now(UTC) - now).total_seconds()) < 60
