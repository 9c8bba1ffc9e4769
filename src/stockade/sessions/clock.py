"""Time, and what is due when: nothing here looks at a clock at fixed intervals."""

from __future__ import annotations

import asyncio
import math
import time

__all__ = ["NEVER", "Agenda", "Clock"]

NEVER = math.inf


class Clock:
    """The time that idleness is measured by, in seconds."""

    def now(self) -> float:
        """Seconds since some moment in the past."""
        return time.monotonic()

    async def wait(self, event: asyncio.Event, until: float) -> None:
        """Wait until `event` is set or the moment has come, whichever is first."""
        try:
            async with asyncio.timeout(None if until == NEVER else until - self.now()):
                await event.wait()
        except TimeoutError:
            return


class Agenda:
    """Knows when the next thing is due, and wakes its keeper then and not before."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._due = NEVER
        self._sooner = asyncio.Event()

    def now(self) -> float:
        """The time by its clock."""
        return self._clock.now()

    def expect(self, at: float) -> None:
        """Something will be due at that moment."""
        if at < self._due:
            self._due = at
            self._sooner.set()

    async def come_due(self) -> None:
        """Wait for the next due moment; those after it have to be told again."""
        while self.now() < self._due:
            self._sooner.clear()
            await self._clock.wait(self._sooner, self._due)
        self._due = NEVER
