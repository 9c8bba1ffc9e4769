"""From an element in some frame to a point of the tab, with a hit test at every level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stockade.engines.port import Frame
from stockade.engines.values import Point
from stockade.errors import NotActionable
from stockade.page.agent import PageAgent
from stockade.page.upcoming import Patience, when_possible, while_moving

__all__ = ["Aim", "aim", "to_tab"]


@dataclass(frozen=True)
class Aim:
    """Where to put the pointer, and what is there."""

    frame: Frame
    number: int
    point: Point
    target: str
    via: str | None
    state: dict[str, Any]


async def aim(
    agent: PageAgent,
    ref: str,
    *,
    caller: str,
    enabled: bool = True,
    guard: bool = True,
    timeout: float,
) -> Aim:
    """Check the element, set the guard for it, and say where it is in the tab.

    What is about to be so is waited for.
    """
    frame, number = agent.locate(ref)

    async def attempt(patience: Patience) -> Aim:
        found = await agent.call(
            frame,
            "prepare",
            caller=caller,
            ref=number,
            enabled=enabled,
            guard=guard,
            timeout=timeout,
            **patience,
        )
        inner = point = Point(found["x"], found["y"])
        if frame.parent is not None:
            size = (found["width"], found["height"])
            point = await while_moving(
                agent,
                lambda: to_tab(agent, frame, inner, size, timeout=timeout),
                patience,
                timeout=timeout,
            )
        return Aim(frame, number, point, found["target"], found["via"], found["state"])

    return await when_possible(agent, attempt, timeout=timeout)


async def to_tab(
    agent: PageAgent, frame: Frame, point: Point, size: tuple[float, float], *, timeout: float
) -> Point:
    """Map a point of a frame's viewport to the tab's, scrolling the frames around into view."""
    at, inner = point, frame
    while inner.parent is not None:
        outer = inner.parent
        owner = await agent.owner_number(inner, timeout=timeout)
        quad = await inner.owner_quad(timeout=timeout)
        mapped = quad.at(at.x / size[0], at.y / size[1])
        hit = await _frame_hit(agent, outer, owner, mapped, timeout)
        if not hit["hit"] and not hit["inWindow"]:
            await agent.call(
                outer, "scroll_frame", owner=owner, x=mapped.x, y=mapped.y, timeout=timeout
            )
            quad = await inner.owner_quad(timeout=timeout)
            mapped = quad.at(at.x / size[0], at.y / size[1])
            hit = await _frame_hit(agent, outer, owner, mapped, timeout)
        if not hit["hit"]:
            raise NotActionable(
                f"{hit['by']} is in front of the frame"
                if hit["by"]
                else "the frame cannot be scrolled into view",
                reason="obscured" if hit["by"] else "off-screen",
                by=hit["by"],
            )
        at, inner, size = mapped, outer, (hit["width"], hit["height"])
    return at


async def _frame_hit(
    agent: PageAgent, frame: Frame, owner: int, point: Point, timeout: float
) -> dict[str, Any]:
    answer: dict[str, Any] = await agent.call(
        frame, "frame_hit", owner=owner, x=point.x, y=point.y, timeout=timeout
    )
    return answer
