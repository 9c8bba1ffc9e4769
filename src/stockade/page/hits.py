"""What input at a bare point meets: before it, and after."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from stockade.engines.port import Frame
from stockade.engines.values import Point
from stockade.errors import DeadlineExceeded, EngineError
from stockade.page.actions import Outcome
from stockade.page.agent import PageAgent
from stockade.page.probe import into

__all__ = ["with_hits"]

_PATIENCE = 1.0
_DEEPEST = 5


async def with_hits(
    agent: PageAgent, point: Point, act: Callable[[], Awaitable[Outcome]]
) -> Outcome:
    """Act on a point, and tell what was there and what is there now."""
    before = await _hit(agent, point)
    outcome = await act()
    after = await _hit(agent, point) if outcome.settled.effect != "dialog" else None
    told: dict[str, Any] = {}
    if before is not None:
        told["before"] = before["hit"]
    if after is not None:
        told["after"] = after["hit"]
    if before is not None and after is not None:
        told["focusChanged"] = before["focus"] != after["focus"]
    return replace(outcome, extra={**outcome.extra, "hit": told})


async def _hit(agent: PageAgent, point: Point) -> dict[str, Any] | None:
    """What is at a point, in whatever frame; nothing where the page cannot be asked."""
    frame: Frame | None = agent.page.main_frame
    found: dict[str, Any] | None = None
    focus: list[Any] = []
    for _ in range(_DEEPEST):
        if frame is None:
            break
        try:
            said = await agent.call(frame, "hit", x=point.x, y=point.y, timeout=_PATIENCE)
            focus.append((frame.document, said["active"]))
            found = said["hit"] or found
            number = said["frame"]
            child = await agent.child_frame(frame, number, timeout=_PATIENCE) if number else None
            if child is None:
                break
            frame, point = await into(child, point, _PATIENCE)
        except (EngineError, DeadlineExceeded):
            break
    return {"hit": found, "focus": focus} if focus else None
