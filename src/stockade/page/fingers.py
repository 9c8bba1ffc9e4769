"""Fingers that stay on a tab from one call to the next."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from stockade.engines.port import DEADLINE, Page
from stockade.engines.values import Emulation, Point
from stockade.errors import InvalidArgument

__all__ = ["Fingers"]

_MOST = 10


class Fingers:
    """The fingers that are down, each under its identifier; a part of the tab.

    A page that was told of no touch screen is told of one while there is a finger on it.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._lent = False
        self.down: dict[int, Point] = {}

    async def start(self, finger: int, point: Point, *, timeout: float = DEADLINE) -> None:
        """Put a finger down."""
        if finger in self.down:
            raise InvalidArgument(f"finger {finger} is down already", hint="Move or lift it.")
        if len(self.down) >= _MOST:
            raise InvalidArgument(f"no more than {_MOST} fingers can be down")
        await self._lend(timeout)
        self.down[finger] = point
        try:
            await self._page.touch.send("start", self.down, timeout=timeout)
        except BaseException:
            self.down.pop(finger, None)
            raise

    async def move(self, finger: int, point: Point, *, timeout: float = DEADLINE) -> None:
        """Move a finger that is down."""
        await self.move_all({finger: point}, timeout=timeout)

    async def move_all(self, places: dict[int, Point], *, timeout: float = DEADLINE) -> None:
        """Move several at once."""
        for finger in places:
            self._require(finger)
        self.down |= places
        await self._page.touch.send("move", self.down, timeout=timeout)

    async def end(self, finger: int | None = None, *, timeout: float = DEADLINE) -> list[int]:
        """Lift a finger, or all; which were lifted."""
        if finger is not None:
            self._require(finger)
        lifted = [finger] if finger is not None else list(self.down)
        if not lifted:
            raise InvalidArgument("no finger is down")
        try:
            for each in lifted:
                point = self.down.pop(each)
                await self._page.touch.send("end", {each: point}, timeout=timeout)
        finally:
            if not self.down:
                await self._take_back(timeout)
        return lifted

    async def swipe(
        self, finger: int, start: Point, end: Point, seconds: float, steps: int, *, timeout: float
    ) -> None:
        """Draw one finger from a point to another, in that time."""
        await self.start(finger, start, timeout=timeout)
        try:
            for point in _line(start, end, steps):
                # What is asked for is a movement of that length, not of that many events.
                await asyncio.sleep(seconds / steps)
                await self.move(finger, point, timeout=timeout)
        finally:
            if finger in self.down:
                await self.end(finger, timeout=timeout)

    async def pinch(
        self, centre: Point, scale: float, offset: float, steps: int, *, timeout: float
    ) -> tuple[int, int]:
        """Draw two fingers apart or together around a point."""
        first, second = [each for each in range(1, _MOST + 3) if each not in self.down][:2]

        def at(distance: float) -> dict[int, Point]:
            return {
                first: Point(centre.x - distance, centre.y),
                second: Point(centre.x + distance, centre.y),
            }

        try:
            for finger, point in at(offset).items():
                await self.start(finger, point, timeout=timeout)
            for step in range(1, steps + 1):
                part = offset + (offset * scale - offset) * step / steps
                await self.move_all(at(part), timeout=timeout)
        finally:
            for finger in (first, second):
                if finger in self.down:
                    await self.end(finger, timeout=timeout)
        return first, second

    def _require(self, finger: int) -> None:
        if finger not in self.down:
            down = ", ".join(map(str, self.down))
            raise InvalidArgument(
                f"finger {finger} is not down",
                hint=f"Down now: {down}." if down else "Put one down with `touch_start`.",
            )

    async def _lend(self, timeout: float) -> None:
        emulation = self._page.emulation
        if not emulation.viewport.touch:
            await self._page.emulate(_touching(emulation, on=True), timeout=timeout)
            self._lent = True

    async def _take_back(self, timeout: float) -> None:
        if self._lent:
            self._lent = False
            await self._page.emulate(_touching(self._page.emulation, on=False), timeout=timeout)


def _touching(emulation: Emulation, *, on: bool) -> Emulation:
    return replace(emulation, viewport=replace(emulation.viewport, touch=on))


def _line(start: Point, end: Point, steps: int) -> list[Point]:
    return [
        Point(
            start.x + (end.x - start.x) * step / steps, start.y + (end.y - start.y) * step / steps
        )
        for step in range(1, steps + 1)
    ]
