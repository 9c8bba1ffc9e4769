"""Pace: how fast one session may be, so that the others do not wait for it."""

from __future__ import annotations

import asyncio

__all__ = ["Pace"]


class Pace:
    """So many at once, and then so many a second."""

    def __init__(self, burst: int, per_second: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._room = float(burst)
        self._at = 0.0

    def take(self) -> float:
        """Take a turn; how many seconds it is until then."""
        now = asyncio.get_running_loop().time()
        self._room = min(self._room + (now - self._at) * self._per_second, self._burst) - 1
        self._at = now
        return max(-self._room / self._per_second, 0.0)

    async def next(self) -> None:
        """Wait for one's turn; each who waits has a turn of its own."""
        wait = self.take()
        if wait:
            await asyncio.sleep(wait)
