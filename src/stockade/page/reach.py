"""Looking into every frame and shadow root of a tab, with places given in the tab's coordinates."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from stockade.engines.geometry import Quad
from stockade.engines.port import DEADLINE, Frame
from stockade.errors import EngineError, InvalidArgument
from stockade.page.agent import PageAgent

__all__ = [
    "Actionable",
    "Answer",
    "Bounds",
    "Level",
    "Setting",
    "inside",
    "look",
    "look_everywhere",
    "named_frame",
    "setting",
    "time_to_search",
]

MOST_FRAMES = 50
"""Pages with more frames than this are looked at in part, and the answer says so."""

DEEPEST_ROOTS = 5
"""How many closed shadow roots inside one another are opened at one look."""

_SEARCH_SHARE = 0.8
_MOST_TO_ANSWER = 3.0

Actionable: TypeAlias = bool | Literal["disabled", "off-screen", "covered", "hidden"]


class Bounds(msgspec.Struct, frozen=True):
    """A rectangle in CSS pixels of the tab's viewport."""

    x: float
    y: float
    width: float
    height: float

    def overlap(self, other: Bounds) -> Bounds | None:
        """What lies in both."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        if right <= left or bottom <= top:
            return None
        return Bounds(left, top, round(right - left, 1), round(bottom - top, 1))


class Level(NamedTuple):
    """One frame's viewport of that size, lying as `quad` in its parent's."""

    quad: Quad
    width: float
    height: float

    def map(self, bounds: Bounds) -> Bounds:
        """The rectangle around what `bounds` becomes in the parent."""
        corners = [
            self.quad.at(x / self.width, y / self.height)
            for x in (bounds.x, bounds.x + bounds.width)
            for y in (bounds.y, bounds.y + bounds.height)
        ]
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        top, bottom = min(y for _, y in corners), max(y for _, y in corners)
        return Bounds(round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1))


@dataclass(frozen=True)
class Setting:
    """How a frame lies in its tab, what shows of it, and how input into it fares."""

    levels: tuple[Level, ...] = ()
    window: Bounds | None = None
    actionable: Actionable = True
    covered_by: str | None = None
    origin: str = ""
    """Whose it is, where that is another than of the tab."""

    def map(self, box: dict[str, Any] | None) -> Bounds | None:
        """A box of the frame's viewport, in the tab's; None where it has no place there."""
        if box is None or self.actionable == "hidden":
            return None
        bounds = msgspec.convert(box, Bounds)
        for level in self.levels:
            bounds = level.map(bounds)
        return bounds

    def place(self, item: dict[str, Any]) -> dict[str, Any]:
        """Move an item's `bbox` into the tab, cut to what shows of the frame."""
        if self.origin:
            item["origin"] = self.origin
        if not self.levels and self.actionable is True:
            return item
        whole = self.map(item.get("bbox"))
        shown = whole.overlap(self.window) if whole and self.window else None
        item["bbox"] = msgspec.to_builtins(shown or whole)
        item["clipped"] = bool(item.get("clipped")) or shown != whole
        if item.get("actionable") is True:
            item["actionable"] = self.actionable
            if self.actionable is True and shown is None:
                item["actionable"] = "off-screen"
            if self.covered_by:
                item["coveredBy"] = self.covered_by
        return item


class Answer(NamedTuple):
    """What one frame's agent said, and where that frame lies."""

    frame: Frame
    said: dict[str, Any]
    setting: Setting


async def setting(
    agent: PageAgent, frame: Frame, view: dict[str, Any], *, timeout: float = DEADLINE
) -> Setting:
    """How `frame`, whose viewport measures `view`, lies in the tab."""
    levels: list[Level] = []
    window: Bounds | None = None
    state: Actionable = True
    cover: str | None = None
    home = agent.page.main_frame.origin
    foreign = "" if view.get("origin", home) == home else view["origin"]
    inner = frame
    while inner.parent is not None:
        owner = await agent.owner_number(inner, timeout=timeout)
        place = await agent.call(inner.parent, "frame_place", owner=owner, timeout=timeout)
        if place["bbox"] is None:
            return Setting(actionable="hidden", origin=foreign)
        quad = await inner.owner_quad(timeout=timeout)
        level = Level(quad, view["width"] or 1, view["height"] or 1)
        levels.append(level)
        seen = msgspec.convert(place["bbox"], Bounds)
        window = level.map(window).overlap(seen) if window else seen
        if place["actionable"] is not True:
            state, cover = place["actionable"], place.get("coveredBy")
        inner, view = inner.parent, place["view"]
    return Setting(tuple(levels), window, state, cover, foreign)


def time_to_search(timeout: float) -> float:
    """Milliseconds that the agent may search for, so that its answer comes within `timeout`."""
    return max(timeout * _SEARCH_SHARE, timeout - _MOST_TO_ANSWER) * 1000


async def look(
    agent: PageAgent, frame: Frame, method: str, *, timeout: float = DEADLINE, **arguments: Any
) -> dict[str, Any]:
    """Call a method of the agent; where it met closed shadow roots, again with them open."""
    answer: dict[str, Any] = await agent.call(frame, method, timeout=timeout, **arguments)
    for _ in range(DEEPEST_ROOTS):
        suspects = answer.pop("suspects", 0)
        if not suspects or not await agent.adopt_closed_roots(frame, timeout=timeout):
            break
        answer = await agent.call(frame, method, timeout=timeout, **arguments)
    answer.pop("suspects", None)
    return answer


async def look_everywhere(
    agent: PageAgent, method: str, *, timeout: float = DEADLINE, **arguments: Any
) -> tuple[list[Answer], list[str]]:
    """Call a method in all frames at once; frames that go away meanwhile become warnings."""
    frames = agent.frames()
    for frame in frames:
        agent.prefix(frame)  # numbered in the order of the page, not of the answers

    async def one(frame: Frame) -> Answer | str:
        try:
            said = await look(agent, frame, method, timeout=timeout, **arguments)
            place = Setting()
            if frame.parent is not None:
                place = await setting(agent, frame, said["view"], timeout=timeout)
            return Answer(frame, said, place)
        except EngineError as error:
            if frame.parent is None:
                raise
            return f"a frame could not be looked into: {error.message}"

    found = await asyncio.gather(*(one(frame) for frame in frames[:MOST_FRAMES]))
    warnings = [answer for answer in found if isinstance(answer, str)]
    if len(frames) > MOST_FRAMES:
        warnings.append(f"looked into {MOST_FRAMES} of {len(frames)} frames")
    return [answer for answer in found if not isinstance(answer, str)], warnings


async def inside(
    agent: PageAgent, ref: str, *, timeout: float = DEADLINE
) -> tuple[Frame, int | None]:
    """Where to look for what is in an element: its frame and number, or the frame it holds."""
    frame, number = agent.locate(ref)
    for child in frame.children:
        if await agent.owner_number(child, timeout=timeout) == number:
            return child, None
    return frame, number


def named_frame(agent: PageAgent, name: str) -> Frame:
    """The frame that refs call `f2`; `f0` is the main one."""
    for frame in agent.frames():
        if (agent.prefix(frame) or "f0") == name:
            return frame
    raise InvalidArgument(f"there is no frame {name!r}", hint="Frames are named f0, f1, f2, …")
