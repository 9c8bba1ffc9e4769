"""Dragging from one place to another, and what a press would take hold of."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, islice
from math import copysign
from typing import Any, Literal

from stockade.engines.port import DEADLINE, Frame
from stockade.engines.values import Point
from stockade.errors import DeadlineExceeded, EngineError, InvalidArgument
from stockade.page.actions import Actions, Outcome
from stockade.page.agent import PageAgent
from stockade.page.pointing import aim, to_tab
from stockade.page.probe import Brief, inspect, point_probe

__all__ = ["STEPS", "Drag", "Hold", "Position", "drag", "hold"]

STEPS = 12
_TRIES = (0, 0, 0, 1, 2, 3, 0, 0)
"""Which places are tried: most often the edge of the target, which swaps with what comes near in
many lists, and is where a list that sorts at the drop alone takes it."""
_WATCH = "drag_watch.js"
_TAKEN = 0.3
"""Seconds that one waits for the page to take hold of what is pressed: some do so after a delay."""
_STILL = 1.0
_MOVES_IN_PLACE = 8
"""How often what is held is moved in place while the page still answers to that."""
Position = Literal["onto", "before", "after"]
_CORNER = 18
"""CSS pixels of the corner by which a browser lets a box be resized."""


@dataclass(frozen=True)
class Drag:
    """A drag that was made."""

    outcome: Outcome
    start: Point
    end: Point


@dataclass(frozen=True)
class Hold:
    """What a press would take hold of."""

    point: Point
    hit: Brief | None
    resizes: bool
    """Whether it is something to resize by."""


async def drag(
    actions: Actions,
    source: str | Point,
    target: str | Point,
    *,
    caller: str,
    position: Position = "onto",
    steps: int = STEPS,
    timeout: float = DEADLINE,
) -> Drag:
    """Drag from an element or point to another, by mouse or as the platform drags.

    Before or after an element means beside it in a list, which is tried until it stands there.
    """
    if position != "onto" and isinstance(target, Point):
        raise InvalidArgument(f"{position} needs an element to drag to, not a point")
    way = _Way(actions, target, position, caller, steps, timeout)
    await actions.concealing.conceal_shown(timeout=timeout)
    if isinstance(source, Point):
        outcome = await actions.bare("drag", lambda: way.begin_at(source), timeout)
    else:
        outcome = await actions.pointed(
            "drag",
            source,
            caller,
            lambda _: way.begin_in(source),
            timeout,
        )
    return Drag(outcome, way.start, way.end)


class _Way:
    """From where a drag begins to where it is to end."""

    def __init__(
        self,
        actions: Actions,
        target: str | Point,
        position: Position,
        caller: str,
        steps: int,
        timeout: float,
    ) -> None:
        self.start = self.end = Point(0, 0)
        self._actions = actions
        self._agent = actions.agent
        self._target = target
        self._position = position
        self._caller = caller
        self._steps = steps
        self._timeout = timeout

    async def begin_at(self, start: Point) -> None:
        await self._move(start, await self._goal(), None)

    async def begin_in(self, source: str) -> None:
        # Aimed at last, because bringing the target into view may move the source.
        end = await self._goal()
        begin = await aim(self._agent, source, caller=self._caller, timeout=self._timeout)
        await self._move(begin.point, end, source)

    async def _goal(self) -> Point:
        if isinstance(self._target, Point):
            return self._target
        found = await aim(
            self._agent,
            self._target,
            caller=self._caller,
            enabled=False,
            guard=False,
            timeout=self._timeout,
        )
        return found.point

    async def _move(self, start: Point, end: Point, source: str | None) -> None:
        self.start, self.end = start, end
        mouse, timeout = self._agent.page.mouse, self._timeout
        await mouse.move(start, timeout=timeout)
        frame, held = self._grip(source)
        begun = await self._watch(frame, "begin", source=held, x=start.x, y=start.y)
        await mouse.down(timeout=timeout)
        try:
            if not begun.get("native"):
                await self._watch(frame, "take", _TAKEN)
            if self._position == "onto" or isinstance(self._target, Point):
                await mouse.move(end, steps=self._steps, timeout=timeout)
                await self._hold(frame)
            else:
                await self._carry_beside(source, self._target)
        finally:
            await mouse.up(timeout=timeout)
            await self._watch(frame, "end")

    def _grip(self, source: str | None) -> tuple[Frame, int | None]:
        if source is None:
            return self._agent.page.main_frame, None
        return self._agent.locate(source)

    async def _watch(
        self, frame: Frame, step: str, cap: float = 0.0, **about: Any
    ) -> dict[str, Any]:
        try:
            said: dict[str, Any] = await self._agent.call(
                frame, _WATCH, step=step, cap=cap * 1000, timeout=self._timeout, **about
            )
        except (EngineError, DeadlineExceeded):
            # It went away, hangs, or is held by a dialog: the window tells of all these.
            return {}
        return said

    async def _hold(self, frame: Frame) -> None:
        """Hold it where it is to be dropped until the page does nothing more about it.

        What is held still is heard of again, as it would be from a hand, which is never quite
        still: in the exact middle of an element some lists know neither before nor after it.
        """
        places = (self.end,) if isinstance(self._target, Point) else (self._beyond(), self.end)
        changes, idle = None, 0
        for place in islice(cycle(places), _MOVES_IN_PLACE):
            await self._agent.page.mouse.move(place, timeout=self._timeout)
            before, changes = changes, (await self._watch(frame, "still", _STILL)).get("changes")
            idle = idle + 1 if changes == before else 0
            if idle == len(places):
                break

    def _beyond(self) -> Point:
        """A pixel further the way it came, along both axes."""
        x, y = (
            copysign(1.0, there - here)
            for here, there in ((self.start.x, self.end.x), (self.start.y, self.end.y))
        )
        return Point(self.end.x + x, self.end.y + y)

    async def _carry_beside(self, source: str | None, target: str) -> None:
        """Carry it to one place after the other until it stands where it is to be.

        Where the list shows that only after the drop, the edge of the target is the place.
        """
        mouse, timeout = self._agent.page.mouse, self._timeout
        frame, number = self._agent.locate(target)
        held = self._agent.locate(source) if source is not None else (None, None)

        async def ask(step: str) -> dict[str, Any]:
            said: dict[str, Any] = await self._agent.call(
                frame,
                "drag_order.js",
                step=step,
                source=held[1] if held[0] is frame else None,
                target=number,
                side=self._position,
                timeout=timeout,
            )
            return said

        async def carry(plan: dict[str, Any], choice: int) -> dict[str, Any]:
            place = plan["points"][choice]
            self.end = Point(place["x"], place["y"])
            if frame.parent is not None:
                size = (plan["width"], plan["height"])
                self.end = await to_tab(self._agent, frame, self.end, size, timeout=timeout)
            await mouse.move(self.end, steps=self._steps, timeout=timeout)
            # What is held still is heard of again, as it would be from a hand; a list that has
            # only now begun to sort takes it from there.
            await self._agent.call(frame, "painted", timeout=timeout)
            await mouse.move(self.end, timeout=timeout)
            return await ask("look")

        plan = await ask("begin")
        try:
            for choice in _TRIES:
                if choice < len(plan["points"]):
                    plan = await carry(plan, choice)
                if plan["placed"]:
                    break
        finally:
            await ask("end")


async def hold(
    agent: PageAgent, source: str | Point, *, caller: str, timeout: float = DEADLINE
) -> Hold:
    """What a press there would take hold of; nothing is pressed."""
    if isinstance(source, Point):
        point = source
    else:
        found = await aim(agent, source, caller=caller, enabled=False, guard=False, timeout=timeout)
        point = found.point
    probe = await point_probe(agent, point.x, point.y, caller=caller, timeout=timeout)
    if not probe.stack:
        return Hold(point, None, resizes=False)
    hit = probe.stack[0]
    seen = await inspect(
        agent, hit.ref, caller=caller, styles=["cursor", "resize"], timeout=timeout
    )
    box = hit.box
    in_corner = (
        box is not None
        and seen.styles.get("resize", "none") != "none"
        and box.x + box.width - point.x <= _CORNER
        and box.y + box.height - point.y <= _CORNER
    )
    by_handle = "resize" in seen.styles.get("cursor", "") or hit.role == "separator"
    return Hold(point, hit, resizes=in_corner or by_handle)
