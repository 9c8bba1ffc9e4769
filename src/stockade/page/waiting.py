"""Waiting for something on the page, woken by its changes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import DeadlineExceeded, EngineError, NavigationRace, TabClosed, TabCrashed
from stockade.page.agent import PageAgent

__all__ = ["wait_until"]

T = TypeVar("T")
_Ask = Callable[[Frame], Awaitable[object]]

_LONGEST_LOOK_AWAY = 0.25
"""Changes that the page makes all the time wake nobody, so the condition is tried this often."""


async def wait_until(
    agent: PageAgent, condition: Callable[[], Awaitable[T | None]], *, timeout: float = DEADLINE
) -> T:
    """Try `condition` until it answers: now, and whenever a document of the tab changes."""
    loop = asyncio.get_running_loop()
    end = loop.time() + timeout
    while True:
        frames = agent.frames()
        await _everywhere(frames, lambda frame: agent.call(frame, "arm", timeout=1.0))
        try:
            answer = await condition()
        except NavigationRace:
            continue
        if answer is not None:
            return answer
        left = end - loop.time()
        if left <= 0:
            raise DeadlineExceeded("it did not come about in time")
        pause = min(left, _LONGEST_LOOK_AWAY)
        await _first(frames, lambda frame: _change(agent, frame, pause))  # noqa: B023


async def _change(agent: PageAgent, frame: Frame, cap: float) -> None:
    await agent.call(frame, "evidence", cap=cap * 1000, timeout=cap + 1.0)


async def _quietly(ask: _Ask, frame: Frame) -> None:
    """A frame that hangs or goes away says nothing; a tab that goes away ends the wait."""
    try:
        await ask(frame)
    except (TabClosed, TabCrashed):
        raise
    except (EngineError, DeadlineExceeded):
        return


async def _everywhere(frames: list[Frame], ask: _Ask) -> None:
    await asyncio.gather(*(_quietly(ask, frame) for frame in frames))


async def _first(frames: list[Frame], ask: _Ask) -> None:
    """Ask every frame, and go on with the first answer."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_quietly(ask, frame)) for frame in frames]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
