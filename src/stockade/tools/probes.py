"""One element or point looked at closely, and content that does not fit."""

from __future__ import annotations

from base64 import b64encode
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field

from stockade.engines.values import Box, ScreenshotOptions
from stockade.errors import InvalidArgument, TargetNotFound
from stockade.kernel.arguments import Coordinates, InTab, OnTarget, OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.results import DEFAULT_TOKENS, Result, compact
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.page.locator import Locator, resolve
from stockade.page.locator import generate_locator as make_locator
from stockade.page.probe import Brief, Inspection, Overflow, ScrollContainer
from stockade.page.probe import inspect as look_at
from stockade.page.probe import overflow_detect as find_overflow
from stockade.page.probe import point_probe as probe_point
from stockade.policy.capabilities import Capability
from stockade.tools.actions import required
from stockade.urls import origin_of

__all__ = ["generate_locator", "inspect", "overflow_detect", "point_probe"]

_CROP = 200
_PATH = 5
"""The tier of locators that count elements."""
_MOST = 60_000


class Inspect(OnTarget):
    """Which element, and which CSS properties."""

    styles: Annotated[
        tuple[Annotated[str, Field(max_length=100)], ...] | None, Field(max_length=100)
    ] = None


class Probe(InTab):
    """Which point."""

    coords: Coordinates
    crop: Annotated[bool, Field(description="with a PNG of the surroundings")] = False


class OverflowQuery(InTab):
    """Where to look for what."""

    scope: Literal["viewport", "document"] = "viewport"
    types: Annotated[
        tuple[Literal["layout", "clipped", "text-ellipsis", "viewport-horizontal"], ...] | None,
        Field(max_length=4),
    ] = None
    limit: int = Field(50, ge=1, le=500)


class Spot(msgspec.Struct, frozen=True):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class AtPoint(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """What is at a point, top to bottom, through shadow roots and frames."""

    ok: bool
    point: Spot
    stack: list[Brief]
    scroll_container: ScrollContainer | None
    clickable_ancestor: Brief | None
    crop_base64: str = msgspec.field(default="", name="cropBase64")


class OverflowReport(msgspec.Struct, frozen=True, rename="camel"):
    """Content that does not fit its place, in document order."""

    ok: bool
    scope: str
    findings: list[Overflow]
    truncated: bool
    warnings: list[str]
    tokens_estimate: int


class MadeLocator(Locator, frozen=True, rename="camel", omit_defaults=True):
    """Ways to name an element: for Playwright, for tools here, and in CSS."""

    ok: bool
    tokens_estimate: int
    warnings: tuple[str, ...] = ()


async def _at(call: Call, point: Coordinates) -> str:
    """The ref of the topmost element at a point."""
    seen = await probe_point(
        call.tab.agent, point.x, point.y, caller=call.caller, timeout=call.left
    )
    if not seen.stack:
        raise TargetNotFound("there is no element at that point")
    return seen.stack[0].ref


@tool(Capability.READ, gives=Inspection, toolset="web", reads=True)
async def inspect(call: Call, args: Inspect) -> Result:
    """Describe one element: box, styles, states, what covers it. Its text is untrusted."""
    coords = getattr(call.arguments, "coords", None)
    ref = call.target if coords is None else await _at(call, coords)
    if ref is None:
        raise InvalidArgument("inspect needs an element", hint="Give ref, selector or coords.")
    found = await look_at(
        call.tab.agent, ref, caller=call.caller, styles=args.styles, timeout=call.left
    )
    return Result(data=msgspec.to_builtins(found), source=origin_of(call.tab.url))


async def _crop(call: Call, point: Coordinates) -> str:
    """The surroundings of a point, within the window."""
    view = call.tab.page.emulation.viewport
    width, height = min(_CROP, view.width), min(_CROP, view.height)
    left = min(max(point.x - width / 2, 0), view.width - width)
    top = min(max(point.y - height / 2, 0), view.height - height)
    picture = await call.camera.window(
        Box(left, top, width, height),
        options=ScreenshotOptions(format="png"),
        timeout=call.left,
    )
    return b64encode(picture.data).decode()


@tool(Capability.READ, gives=AtPoint, toolset="web", reads=True)
async def point_probe(call: Call, args: Probe) -> Result:
    """Say what is at a point, top to bottom, through frames. Names are untrusted."""
    point = args.coords
    seen = await probe_point(
        call.tab.agent, point.x, point.y, caller=call.caller, timeout=call.left
    )
    data: dict[str, Any] = {"ok": True, **msgspec.to_builtins(seen)}
    data["point"] = {"x": point.x, "y": point.y}
    tokens = DEFAULT_TOKENS
    if args.crop:
        data["cropBase64"] = await _crop(call, point)
        tokens += estimate(data["cropBase64"])
    return Result(data=data, source=origin_of(call.tab.url), tokens=tokens)


@tool(Capability.READ, gives=OverflowReport, toolset="web", reads=True)
async def overflow_detect(call: Call, args: OverflowQuery) -> Result:
    """Find content that is cut off, shortened or too wide. Names are untrusted."""
    found = await find_overflow(
        call.tab.agent,
        caller=call.caller,
        scope=args.scope,
        types=args.types,
        limit=args.limit,
        timeout=call.left,
    )
    data = {"ok": True, **msgspec.to_builtins(found)}
    data["tokensEstimate"] = estimate(compact(data))
    return Result(data=data, source=origin_of(call.tab.url), tokens=_MOST)


@tool(Capability.READ, gives=MadeLocator, toolset="test", reads=True)
async def generate_locator(call: Call, args: OptionalTarget) -> Result:  # noqa: ARG001
    """Make a Playwright locator that means this element alone. Names in it are untrusted."""
    agent, ref = call.tab.agent, required(call)
    made = await make_locator(agent, ref, caller=call.caller, timeout=call.left)
    frame = ref.partition("e")[0] or "f0"
    again = await resolve(agent, made.selector, caller=call.caller, frame=frame, timeout=call.left)
    data: dict[str, Any] = {"ok": True, **msgspec.to_builtins(made)}
    data["unique"] = made.unique and again == ref
    if made.tier == _PATH:
        data["warnings"] = ["only its place in the page tells it apart; a change may break this"]
    data["tokensEstimate"] = estimate(compact(data))
    return Result(data=data, source=origin_of(call.tab.url))
