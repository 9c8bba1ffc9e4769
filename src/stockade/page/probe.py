"""One element or one point of the tab, looked at closely; and content that does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from stockade.engines.port import DEADLINE, Frame
from stockade.engines.values import Point
from stockade.errors import EngineError
from stockade.page.agent import PageAgent
from stockade.page.reach import Actionable, Bounds, Setting, look, look_everywhere, setting
from stockade.page.search import MatchContext

__all__ = [
    "Brief",
    "Inspection",
    "Overflow",
    "Overflows",
    "PointProbe",
    "Scroll",
    "inspect",
    "into",
    "overflow_detect",
    "point_probe",
]

DEEPEST = 8


class Brief(msgspec.Struct, frozen=True, omit_defaults=True):
    """An element in a few words."""

    ref: str
    tag: str
    role: str | None = None
    name: str = ""
    box: Bounds | None = None


class Scroll(msgspec.Struct, frozen=True, rename="camel"):
    """How far an element is scrolled, and how far it could be."""

    scroll_left: int
    scroll_top: int
    scroll_width: int
    scroll_height: int
    client_width: int
    client_height: int


class ScrollContainer(Scroll, frozen=True, rename="camel", omit_defaults=True):
    """The element that scrolls what was asked about."""

    ref: str
    tag: str
    role: str | None = None
    name: str = ""


class Overflowing(msgspec.Struct, frozen=True):
    """Whether content is larger than its box."""

    x: bool
    y: bool


class Inspection(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """All that can be told about an element; what a secret field holds is never told."""

    found: bool
    ref: str
    tag: str
    role: str | None
    box: Bounds | None
    visible: bool
    actionable: Actionable
    clickable: bool
    states: dict[str, Any]
    styles: dict[str, str]
    overflowing: Overflowing
    scroll: Scroll
    child_count: int
    attributes: dict[str, str]
    clickable_ancestors: list[Brief]
    name: str = ""
    description: str = ""
    value: str | None = None
    truncated: bool = False
    """Whether the value goes on."""
    text: str = ""
    visible_box: Bounds | None = None
    covered_by: Brief | None = None
    concealed: str = ""
    context: MatchContext | None = None


class PointProbe(msgspec.Struct, frozen=True, rename="camel"):
    """What is at a point, top to bottom, through shadow roots and frames."""

    point: Point
    stack: list[Brief]
    scroll_container: ScrollContainer | None
    clickable_ancestor: Brief | None


class Overflow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Content that does not fit its place."""

    ref: str
    tag: str
    selector: str
    bbox: Bounds
    type: Literal["layout", "clipped", "text-ellipsis", "viewport-horizontal"]
    evidence: str
    role: str | None = None
    name: str = ""


class Overflows(msgspec.Struct, frozen=True):
    """Findings in document order."""

    scope: str
    findings: list[Overflow]
    truncated: bool
    warnings: list[str]


async def inspect(
    agent: PageAgent,
    ref: str,
    *,
    caller: str,
    styles: Sequence[str] | None = None,
    timeout: float = DEADLINE,
) -> Inspection:
    """Describe the element with that ref; `styles` names the CSS properties wanted."""
    frame, number = agent.locate(ref)
    asked: dict[str, Any] = {"caller": caller, "ref": number}
    if styles is not None:
        asked["styles"] = list(styles)
    said = await look(agent, frame, "inspect", timeout=timeout, **asked)
    if frame.parent is not None:
        where = await setting(agent, frame, said["view"], timeout=timeout)
        for key in ("box", "visibleBox"):
            said[key] = msgspec.to_builtins(where.map(said[key]))
        if said["actionable"] is True:
            said["actionable"] = where.actionable
        said["visible"] = said["visible"] and where.actionable != "hidden"
    return msgspec.convert(said, Inspection)


async def point_probe(
    agent: PageAgent, x: float, y: float, *, caller: str, timeout: float = DEADLINE
) -> PointProbe:
    """Say what is at a point of the tab; a frame there is entered, its contents stand above it."""
    frame: Frame | None = agent.page.main_frame
    point = Point(x, y)
    stack: list[Brief] = []
    scroller: dict[str, Any] | None = None
    clickable: dict[str, Any] | None = None
    while frame is not None:
        said = await look(
            agent, frame, "point_probe", timeout=timeout, caller=caller, x=point.x, y=point.y
        )
        where = Setting()
        if frame.parent is not None:
            where = await setting(agent, frame, said["view"], timeout=timeout)
        for each in said["stack"]:
            each["box"] = msgspec.to_builtins(where.map(each["box"]))
        stack = [msgspec.convert(each, Brief) for each in said["stack"]] + stack
        scroller = said["scrollContainer"] or scroller
        clickable = said["clickableAncestor"] or clickable
        number = said["frame"]
        child = await agent.child_frame(frame, number, timeout=timeout) if number else None
        frame = None
        if child is not None:
            frame, point = await into(child, point, timeout)
    return PointProbe(
        Point(x, y),
        stack[:DEEPEST],
        msgspec.convert(scroller, ScrollContainer) if scroller else None,
        msgspec.convert(clickable, Brief) if clickable else None,
    )


async def into(child: Frame, point: Point, timeout: float) -> tuple[Frame | None, Point]:
    """The same point in the child's own viewport; no frame where the child cannot be reached."""
    try:
        quad = await child.owner_quad(timeout=timeout)
        width, height = await child.call("() => [innerWidth, innerHeight]", timeout=timeout)
    except EngineError:
        return None, point
    part = quad.locate(point)
    if not (0 <= part.x <= 1 and 0 <= part.y <= 1):
        return None, point
    return child, Point(part.x * width, part.y * height)


async def overflow_detect(
    agent: PageAgent,
    *,
    caller: str,
    scope: Literal["viewport", "document"] = "viewport",
    types: Sequence[str] | None = None,
    limit: int = 50,
    timeout: float = DEADLINE,
) -> Overflows:
    """Find content that is cut off, shortened or too wide for its place, in all visible frames."""
    asked: dict[str, Any] = {"caller": caller, "scope": scope, "limit": limit}
    if types is not None:
        asked["types"] = list(types)
    answers, warnings = await look_everywhere(agent, "overflow_detect", timeout=timeout, **asked)
    findings: list[Overflow] = []
    truncated = False
    for answer in answers:
        if answer.setting.actionable == "hidden":
            continue
        warnings += [each for each in answer.said["warnings"] if each not in warnings]
        truncated = truncated or answer.said["truncated"]
        for found in answer.said["findings"]:
            bounds = answer.setting.map(found["bbox"])
            window = answer.setting.window
            if bounds is None or (scope == "viewport" and window and not bounds.overlap(window)):
                continue
            findings.append(msgspec.convert({**found, "bbox": bounds}, Overflow))
    return Overflows(scope, findings[:limit], truncated or len(findings) > limit, warnings)
