"""Leases: one caller at a time, in the order they came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from stockade.errors import Busy

__all__ = ["Lease"]


class Lease:
    """A place for `capacity` callers; the rest wait in line, each no longer than it wants to."""

    def __init__(self, name: str, capacity: int = 1) -> None:
        self._name = name
        # asyncio's semaphore serves its waiters first come, first served.
        self._places = asyncio.Semaphore(capacity)
        self.users = 0
        """Callers that hold a place or wait for one."""

    @asynccontextmanager
    async def hold(self, wait: float) -> AsyncIterator[None]:
        """Take a place, waiting up to `wait` seconds for it."""
        self.users += 1
        try:
            try:
                async with asyncio.timeout(wait):
                    await self._places.acquire()
            except TimeoutError:
                raise Busy(f"{self._name} was busy for {wait:g} s", waited=wait) from None
            try:
                yield
            finally:
                self._places.release()
        finally:
            self.users -= 1
