"""Pointer programs: presses, moves, turns of the wheel and pauses, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal

from stockade.engines.port import Page
from stockade.engines.values import MouseButton, Point
from stockade.errors import DeadlineExceeded, StockadeError

__all__ = ["LONGEST_WAIT", "SHORTEST_MOVE", "Played", "Step", "play"]

SHORTEST_MOVE: Final = 0.005
LONGEST_WAIT: Final = 5.0
_FRAME = 0.016
_MOST_PARTS = 300
_PATIENCE = 1.0
_GONE = "the page went elsewhere: what was left of the gesture was not made"


@dataclass(frozen=True)
class Step:
    """One part of a gesture."""

    kind: Literal["down", "move", "up", "wait", "wheel"]
    point: Point | None = None
    """Where; the pointer stays where it is without."""
    seconds: float = 0.0
    button: MouseButton = "left"
    dx: float = 0.0
    dy: float = 0.0

    @property
    def lasts(self) -> float:
        """Seconds that it takes."""
        if self.kind == "wait":
            return min(self.seconds, LONGEST_WAIT)
        if self.kind == "move":
            return max(min(self.seconds, LONGEST_WAIT), SHORTEST_MOVE)
        return 0.0


@dataclass
class Played:
    """How far a gesture came."""

    steps: int = 0
    seconds: float = 0.0
    held: list[MouseButton] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


async def play(page: Page, steps: Sequence[Step], played: Played, *, timeout: float) -> None:
    """Make a gesture in the document that is there; it ends where that goes away.

    If it is broken off, no button stays down.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    document = page.main_frame.document
    try:
        for step in steps:
            if page.closed or page.main_frame.document != document:
                played.warnings.append(_GONE)
                await _let_go(page, played)
                break
            if page.dialog is not None:
                played.warnings.append("a dialog opened: what was left of the gesture was not made")
                break
            await _make(page, step, played, _left(began + timeout - loop.time()))
            played.steps += 1
    except BaseException:
        await _let_go(page, played)
        raise
    finally:
        played.seconds = loop.time() - began


async def _let_go(page: Page, played: Played) -> None:
    while played.held:
        with suppress(StockadeError):
            await page.mouse.up(played.held.pop(), timeout=_PATIENCE)


def _left(seconds: float) -> float:
    """What is left of the time; nothing goes on without any."""
    if seconds < 0:
        raise DeadlineExceeded("the gesture was not over in time")
    return seconds


async def _make(page: Page, step: Step, played: Played, left: float) -> None:
    mouse = page.mouse
    if step.kind == "wait":
        await asyncio.sleep(min(step.lasts, left))
        _left(left - step.lasts)
    elif step.kind == "wheel":
        at = step.point or mouse.position
        await mouse.wheel(at, dx=step.dx, dy=step.dy, timeout=left)
    elif step.kind == "move":
        await _move(page, step, left)
    else:
        if step.point is not None and step.point != mouse.position:
            await mouse.move(step.point, timeout=left)
        if step.kind == "down":
            await mouse.down(step.button, timeout=left)
            if step.button not in played.held:
                played.held.append(step.button)
        else:
            await mouse.up(step.button, timeout=left)
            if step.button in played.held:
                played.held.remove(step.button)


async def _move(page: Page, step: Step, left: float) -> None:
    """Go there in as many parts as there are frames, each when it is due."""
    start, end = page.mouse.position, step.point or page.mouse.position
    parts = min(max(round(step.lasts / _FRAME), 1), _MOST_PARTS)
    loop = asyncio.get_running_loop()
    began = loop.time()
    for part in range(1, parts + 1):
        share = part / parts
        at = Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
        await page.mouse.move(at, timeout=left)
        await asyncio.sleep(max(began + step.lasts * share - loop.time(), 0))
