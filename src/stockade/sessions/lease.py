"""Leases: so many callers at a time, in the order they came."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from stockade.errors import Busy, StockadeError

__all__ = ["Lease"]

Released = Callable[[BaseException | None], None]


class Lease:
    """A place for `capacity` callers; the rest wait in line, each no longer than it wants to."""

    def __init__(self, name: str, capacity: int = 1, *, released: Released | None = None) -> None:
        self._name = name
        self._free = capacity
        self._line: deque[asyncio.Future[None]] = deque()
        self._ended: StockadeError | None = None
        self._released = released
        """Told whenever a caller leaves, with the error it left by."""
        self.users = 0
        """Callers that hold a place or wait for one."""

    @asynccontextmanager
    async def hold(self, wait: float) -> AsyncIterator[None]:
        """Take a place, waiting up to `wait` seconds for it."""
        self.users += 1
        failure: BaseException | None = None
        try:
            await self._take(wait)
            try:
                yield
            finally:
                self._pass_on()
        except BaseException as error:
            failure = error
            raise
        finally:
            self.users -= 1
            if self._released is not None:
                self._released(failure)

    async def _take(self, wait: float) -> None:
        if self._ended is not None:
            raise self._ended
        if self._free:
            # Places are free only while nobody is in line.
            self._free -= 1
            return
        place = asyncio.get_running_loop().create_future()
        self._line.append(place)
        try:
            async with asyncio.timeout(wait):
                await place
        except BaseException as error:
            if place in self._line:
                self._line.remove(place)
            elif not place.cancelled() and place.exception() is None:
                # The place came at the very moment the caller left.
                self._pass_on()
            if isinstance(error, TimeoutError):
                raise Busy(
                    f"{self._name} was busy for {wait:g} s",
                    waited=wait,
                    queue=self._name.partition(" ")[0],
                ) from None
            raise

    def _pass_on(self) -> None:
        """Give a place to the next in line."""
        while self._line:
            place = self._line.popleft()
            if not place.done():
                place.set_result(None)
                return
        self._free += 1

    def end(self, error: StockadeError) -> None:
        """What was leased is gone: all who wait are told now, and all who come later at once."""
        if self._ended is not None:
            return
        self._ended = error
        for place in self._line:
            if not place.done():
                place.set_exception(error)
                # Its caller may have left at the same moment.
                place.exception()
        self._line.clear()
