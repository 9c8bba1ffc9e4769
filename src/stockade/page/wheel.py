"""The wheel, turned where the pointer is, until what it moves has come to rest."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from stockade.engines.port import DEADLINE, Frame
from stockade.engines.values import Point
from stockade.errors import DeadlineExceeded, EngineError
from stockade.page.actions import Actions, Outcome

__all__ = ["turn_wheel"]

_WATCH = "wheel_watch.js"
_PATIENCE = 3.0
_FIRST_SCROLL = 0.5
"""Seconds in which a turn that can move something has begun to."""


async def turn_wheel(
    actions: Actions, *, dx: float = 0, dy: float = 0, timeout: float = DEADLINE
) -> Outcome:
    """Turn the wheel; what cannot be moved that way, or is at its end, is not waited for."""
    agent, page = actions.agent, actions.agent.page
    size = await agent.call(page.main_frame, "page_size", timeout=timeout)
    place = _place(page.mouse.position, Point(size["viewportWidth"], size["viewportHeight"]))
    way = {"x": place.x, "y": place.y, "dx": dx, "dy": dy}

    async def turn() -> bool:
        begun = await agent.call(page.main_frame, _WATCH, step="begin", timeout=timeout, **way)
        frames = [page.main_frame]
        if begun["frame"]:
            others = [frame for frame in agent.frames() if frame is not page.main_frame]
            await asyncio.gather(*(ask(frame, "begin") for frame in others))
            frames += others
        await page.mouse.wheel(place, dx=dx, dy=dy, timeout=timeout)
        return await moved_in(frames, _FIRST_SCROLL if begun["can"] else 0.0)

    async def ask(frame: Frame, step: str, cap: float = 0.0) -> dict[str, Any]:
        try:
            said: dict[str, Any] = await agent.call(
                frame, _WATCH, step=step, dx=dx, dy=dy, cap=cap * 1000, timeout=cap + _PATIENCE
            )
        except (EngineError, DeadlineExceeded):
            # It went away, hangs, or is held by a dialog: the window tells of all these.
            return {"moved": False}
        return said

    async def moved_in(frames: Sequence[Frame], cap: float) -> bool:
        """Until one of them has moved and rests, or none did in time."""
        async with asyncio.TaskGroup() as group:
            pending = {group.create_task(ask(frame, "end", cap)) for frame in frames}
            moved = False
            while pending and not moved:
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                moved = any(task.result()["moved"] for task in done)
            for task in pending:
                task.cancel()
        return moved

    return await actions.bare("scroll", turn, timeout)


def _place(pointer: Point, size: Point) -> Point:
    """Where the pointer was put, so that what was clicked is what moves; the middle before that."""
    if 0 < pointer.x < size.x and 0 < pointer.y < size.y:
        return pointer
    return Point(size.x / 2, size.y / 2)
