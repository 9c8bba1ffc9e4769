"""Turns: a crowd of one caller's calls does not stand in the way of another caller's.

While one caller is alone nothing is held back. As soon as there are two, each has so many calls at
work at a time, and its other calls wait in line, its sessions in rotation. Most calls work for a
moment; one that takes longer mostly waits, for a site or a timer, so its turn is over by then, and
a site that hangs holds nobody up.

A caller whose next call is there as soon as the last one has ended, or before, gives way to those
who pause between theirs: it begins none while one of theirs is at work, for a moment at the most.
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
_PAUSE = 0.025
"""Seconds between two calls from which on somebody thinks in between."""
_NEWEST = 0.2
"""How much the newest call counts when it is judged whether a caller pauses."""
_HURRIED = 0.5
_ANSWERING = 0.01
"""Seconds that an answer has to go out before a caller that gave way goes on."""
_MOST_PATIENT = 0.25
"""Seconds after which a call begins whoever else is at work."""


@dataclass(eq=False)
class Turn:
    """One call's time at work."""

    end: Callable[[], None]
    over: bool = False


@dataclass(eq=False)
class _Caller:
    seen: float = 0.0
    ended: float = 0.0
    working: int = 0
    hurry: float = 0.0
    """Which part of its calls came without a pause, of late."""
    overdue: bool = False
    """Whether its next call has given way for long enough."""
    lines: dict[Hashable, deque[asyncio.Future[None]]] = field(default_factory=dict)
    """Those that wait, by session; the one whose turn it is stands first."""

    @property
    def idle(self) -> bool:
        return not self.working and not self.lines

    @property
    def hurried(self) -> bool:
        return self.hurry > _HURRIED

    def note_call(self, now: float) -> None:
        """Judge by one more call whether it pauses between them."""
        at_once = not self.idle or now - self.ended < _PAUSE
        self.hurry += (at_once - self.hurry) * _NEWEST
        self.seen = now


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
        entry.note_call(loop.time())
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
        if len(self._callers) > 1:
            gone = now - _MEMORY
            for each, other in list(self._callers.items()):
                if other is not entry and other.idle and other.seen < gone:
                    del self._callers[each]
        return entry

    def _has_room(self, entry: _Caller) -> bool:
        if len(self._callers) == 1:
            return True
        return entry.working < self._width and not self._gives_way(entry)

    def _gives_way(self, entry: _Caller) -> bool:
        if not entry.hurried or entry.overdue:
            return False
        return any(each.working and not each.hurried for each in self._callers.values())

    async def _queue(self, entry: _Caller, line: Hashable, wait: float) -> None:
        place = asyncio.get_running_loop().create_future()
        entry.lines.setdefault(line, deque()).append(place)
        late = asyncio.get_running_loop().call_later(_MOST_PATIENT, self._hasten, entry)
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
        finally:
            late.cancel()

    def _hasten(self, entry: _Caller) -> None:
        entry.overdue = True
        self._admit(entry)

    def _end(self, turn: Turn, entry: _Caller) -> None:
        if not turn.over:
            turn.over = True
            self._pass_on(entry)

    def _pass_on(self, entry: _Caller) -> None:
        entry.working -= 1
        loop = asyncio.get_running_loop()
        entry.ended = loop.time()
        self._admit(entry)
        if not entry.hurried:
            # Its answer goes out first.
            loop.call_later(_ANSWERING, self._admit_hurried)

    def _admit_hurried(self) -> None:
        for each in list(self._callers.values()):
            self._admit(each)

    def _admit(self, entry: _Caller) -> None:
        """Let those begin who wait, as far as there is room."""
        while entry.lines and self._has_room(entry):
            line, waiting = next(iter(entry.lines.items()))
            place = waiting.popleft()
            # The next one of this line comes after those of all others.
            del entry.lines[line]
            if waiting:
                entry.lines[line] = waiting
            if not place.done():
                entry.working += 1
                entry.overdue = False
                place.set_result(None)
