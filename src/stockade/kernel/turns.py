"""Turns: a crowd of one caller's calls does not stand in the way of another caller's.

While one caller is alone nothing is held back. As soon as there are two, each has so many calls at
work at a time, and its other calls wait in line, its sessions in rotation. Most calls work for a
moment; one that takes longer mostly waits, for a site or a timer, so its turn is over by then, and
a site that hangs holds nobody up.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from stockade.errors import Busy

__all__ = ["Turn", "Turns"]

_WIDTH = max(1, (os.cpu_count() or 1) // 2)
_LENGTH = 0.25
"""Seconds after which a call is taken to wait rather than to work."""
_MEMORY = 10.0
"""Seconds for which whoever called last counts as there."""


@dataclass(eq=False)
class Turn:
    """One call's time at work."""

    end: Callable[[], None]
    over: bool = False


@dataclass(eq=False)
class _Caller:
    seen: float = 0.0
    working: int = 0
    lines: dict[Hashable, deque[asyncio.Future[None]]] = field(default_factory=dict)
    """Those that wait, by session; the one whose turn it is stands first."""

    @property
    def idle(self) -> bool:
        return not self.working and not self.lines


class Turns:
    """Who may work now."""

    def __init__(self, width: int = _WIDTH, length: float = _LENGTH) -> None:
        self._width = width
        self._length = length
        self._callers: dict[Hashable, _Caller] = {}

    @asynccontextmanager
    async def take(self, caller: Hashable, line: Hashable, wait: float) -> AsyncIterator[Turn]:
        """Have a turn; `line` is where calls of the same caller wait one after the other."""
        loop = asyncio.get_running_loop()
        entry = self._enter(caller, loop.time())
        if entry.lines or not self._has_room(entry):
            await self._queue(entry, line, wait)
        else:
            entry.working += 1
        turn = Turn(lambda: self._end(turn, entry))
        timer = loop.call_later(self._length, turn.end)
        try:
            yield turn
        finally:
            timer.cancel()
            turn.end()

    def _enter(self, caller: Hashable, now: float) -> _Caller:
        entry = self._callers.setdefault(caller, _Caller())
        entry.seen = now
        if len(self._callers) > 1:
            gone = now - _MEMORY
            for each, other in list(self._callers.items()):
                if other.idle and other.seen < gone:
                    del self._callers[each]
        return entry

    def _has_room(self, entry: _Caller) -> bool:
        return len(self._callers) == 1 or entry.working < self._width

    async def _queue(self, entry: _Caller, line: Hashable, wait: float) -> None:
        place = asyncio.get_running_loop().create_future()
        entry.lines.setdefault(line, deque()).append(place)
        try:
            async with asyncio.timeout(wait):
                await place
        except BaseException as error:
            if place.done() and not place.cancelled():
                # The turn came at the very moment the caller left.
                self._pass_on(entry)
            else:
                waiting = entry.lines[line]
                waiting.remove(place)
                if not waiting:
                    del entry.lines[line]
            if isinstance(error, TimeoutError):
                raise Busy(f"other calls of this caller took {wait:g} s", waited=wait) from None
            raise

    def _end(self, turn: Turn, entry: _Caller) -> None:
        if not turn.over:
            turn.over = True
            self._pass_on(entry)

    def _pass_on(self, entry: _Caller) -> None:
        entry.working -= 1
        while entry.lines and self._has_room(entry):
            line, waiting = next(iter(entry.lines.items()))
            place = waiting.popleft()
            # The next one of this line comes after those of all others.
            del entry.lines[line]
            if waiting:
                entry.lines[line] = waiting
            if not place.done():
                entry.working += 1
                place.set_result(None)
