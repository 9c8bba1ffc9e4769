"""Pictures compared: two canvases, two pages, two states of one."""

from __future__ import annotations

import asyncio
import base64
import binascii
import math
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.values import Box, ScreenshotOptions
from stockade.errors import ArtifactNotFound, InvalidArgument
from stockade.kernel.arguments import Arguments, InSession, InTab
from stockade.kernel.call import Call
from stockade.kernel.downloads import file_of, link_to
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import save, saved
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.media.camera import Camera
from stockade.media.difference import Comparison, compare, exact, illustration
from stockade.media.picture import Picture
from stockade.media.pixels import MOST_PIXELS, encoded, opened, within
from stockade.page.reach import look
from stockade.page.settle import Window
from stockade.policy.capabilities import Capability
from stockade.sessions.tab import Tab
from stockade.urls import origin_of

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

__all__ = ["canvas_diff", "visual_diff"]

_PNG = b"\x89PNG\r\n\x1a\n"
_LONGEST_EDGE = 1568
_INLINE_PIXELS = 1_150_000
_PIXELS_PER_TOKEN = 750
_TAB = "tab:"
_SCHEME = "stockade://"
_Base64 = Annotated[str, Field(max_length=350_000_000)]
_Source = Annotated[str, Field(min_length=1, max_length=65_536)]


class PixelBox(Arguments):
    """A box of a picture, in its pixels."""

    x: int = Field(ge=0, le=1_000_000)
    y: int = Field(ge=0, le=1_000_000)
    width: int = Field(ge=1, le=1_000_000)
    height: int = Field(ge=1, le=1_000_000)


class CanvasDiff(InSession):
    """Two pictures of one size."""

    before_base64: Annotated[_Base64, Field(description="or the uri of a capture")]
    after_base64: _Base64
    width: Annotated[int | None, Field(ge=1, le=100_000, description="for rgba")] = None
    height: Annotated[int | None, Field(ge=1, le=100_000)] = None
    region: PixelBox | None = None
    input_format: Literal["rgba", "png"] | None = None


class VisualDiff(InTab):
    """What to compare with what."""

    before: Annotated[_Source, Field(description="file, uri, URL or tab:ID")]
    after: Annotated[_Source | None, Field(description="the current tab when unset")] = None
    full_page: bool = False
    ignore: Annotated[
        tuple[PixelBox | Annotated[str, Field(max_length=2000)], ...],
        Field(max_length=50, description="boxes or selectors"),
    ] = ()
    threshold: float = Field(0.1, ge=0, le=1)
    tolerate_antialiasing: bool = True
    max_percent: Annotated[float, Field(ge=0, le=100, description="still the same")] = 0
    path: Annotated[str | None, Field(min_length=1, max_length=1000)] = None
    timeout_ms: int | None = Field(None, ge=1, le=3_600_000)


class Bounds(TypedDict):
    """A box of a picture."""

    x: float
    y: float
    width: float
    height: float


class CanvasDifference(TypedDict):
    """How far two pictures differ."""

    ok: bool
    changedPixelCount: int
    changedBytes: int
    percentageChanged: float
    bboxOfChanges: Bounds | None
    width: int
    height: int
    warnings: list[str]


class NamedElement(TypedDict):
    """An element where something differs."""

    ref: str
    role: str
    name: str


class ChangedArea(Bounds):
    """A part of the picture that differs."""

    changedPixels: int
    elements: NotRequired[list[NamedElement]]


class Size(TypedDict):
    """Pixels across and down."""

    width: int
    height: int


class VisualDifference(TypedDict):
    """How two pages differ; the picture beside shows it."""

    ok: bool
    same: bool
    percentage: float
    changedPixelCount: int
    width: int
    height: int
    areas: list[ChangedArea]
    warnings: list[str]
    tokensEstimate: int
    moreAreas: NotRequired[int]
    smoothedPixelCount: NotRequired[int]
    before: NotRequired[Size]
    after: NotRequired[Size]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


# --- canvases ---------------------------------------------------------------------------------


def _raw(call: Call, text: str, name: str) -> bytes:
    """Bytes that were given, or those of a file that canvas_capture kept."""
    if text.startswith(_SCHEME):
        kernel = call.kernel
        return kernel.artifacts.find(kernel.sessions, call.principal, text).path.read_bytes()
    try:
        return base64.b64decode(text.partition(",")[2] if text.startswith("data:") else text)
    except (binascii.Error, ValueError):
        raise InvalidArgument(f"{name} is not base64", field=name) from None


def _pixels(raw: bytes, args: CanvasDiff, name: str) -> Pixels:
    if args.input_format == "png" or (args.input_format is None and raw.startswith(_PNG)):
        return opened(raw)
    import PIL.Image  # noqa: PLC0415

    if args.width is None or args.height is None:
        raise InvalidArgument("rgba needs width and height", field="width")
    size = args.width, args.height
    if size[0] * size[1] > MOST_PIXELS:
        raise InvalidArgument(f"{MOST_PIXELS} pixels are allowed", reason="too-large")
    if len(raw) != size[0] * size[1] * 4:
        raise InvalidArgument(
            f"{name} has {len(raw)} bytes; {size[0]}x{size[1]} pixels have {size[0] * size[1] * 4}",
            field=name,
        )
    return PIL.Image.frombytes("RGBA", size, raw)


def _compared(call: Call, args: CanvasDiff) -> dict[str, Any]:
    before = _pixels(_raw(call, args.before_base64, "beforeBase64"), args, "beforeBase64")
    after = _pixels(_raw(call, args.after_base64, "afterBase64"), args, "afterBase64")
    if before.size != after.size:
        raise InvalidArgument(
            f"the pictures differ in size: {before.width}x{before.height} and"
            f" {after.width}x{after.height}",
            hint="Compare pictures of one size, or use `visual_diff`.",
            reason="sizes-differ",
        )
    left = top = 0
    if (region := args.region) is not None:
        left, top = region.x, region.y
        bounds = (left, top, left + region.width, top + region.height)
        if bounds[2] > before.width or bounds[3] > before.height:
            raise InvalidArgument(
                f"the region is not inside {before.width}x{before.height}", field="region"
            )
        before, after = before.crop(bounds), after.crop(bounds)
    found = exact(before, after)
    box = found.box
    shown = Box(box.x + left, box.y + top, box.width, box.height)._asdict() if box else None
    warnings = []
    if (args.width, args.height) not in {(None, None), before.size} and region is None:
        warnings.append(f"the pictures are {before.width}x{before.height}, not as stated")
    return {
        "ok": True,
        "changedPixelCount": found.changed,
        "changedBytes": found.changed_bytes,
        "percentageChanged": round(100 * found.changed / found.pixels, 4),
        "bboxOfChanges": shown,
        "width": before.width,
        "height": before.height,
        "warnings": warnings,
    }


@tool(
    Capability.READ,
    gives=CanvasDifference,
    toolset="media",
    reach="server",
    reads=True,
    structured=True,
)
async def canvas_diff(call: Call, args: CanvasDiff) -> dict[str, Any]:
    """Compare two pictures of one size pixel by pixel, raw RGBA or PNG."""
    return await asyncio.to_thread(_compared, call, args)


# --- pages ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Side:
    """One of the two, and the tab that shows it if one does."""

    picture: bytes
    tab: Tab | None = None

    @property
    def is_lossy(self) -> bool:
        """Whether its pixels are only about right."""
        return not self.picture.startswith(_PNG)


async def _opened(call: Call, url: str, stack: AsyncExitStack) -> Tab:
    """A tab for one picture, that is closed afterwards."""
    call.policy.require(Capability.NAVIGATION, f"{call.tool.name} of an address")
    address = call.policy.check_address(url)
    session, former = call.session, call.session.current
    tab = await session.new_tab()

    async def close() -> None:
        await session.close_tab(tab)
        if former is not None and former in session.tabs:
            session.select(former.id)

    stack.push_async_callback(close)
    if former is not None:
        await tab.page.emulate(former.page.emulation, timeout=call.left)
    with Window(tab.agent) as window:
        await tab.page.navigate(address.href, until="load", timeout=call.left)
        await window.settle(timeout=call.left)
    return tab


async def _side(call: Call, args: VisualDiff, source: str | None, stack: AsyncExitStack) -> _Side:
    if source is not None and source.startswith(("http://", "https://")):
        tab = await _opened(call, source, stack)
    elif source is None or source.startswith(_TAB) or source == "tab":
        named = source.removeprefix(_TAB) if source not in {None, "tab"} and source else args.tab
        tab = await call.session.tab(named)
    else:
        artifact = await file_of(call, source)
        try:
            return _Side(await asyncio.to_thread(artifact.path.read_bytes))
        except FileNotFoundError:
            raise ArtifactNotFound("the file has just been removed") from None
    await tab.clear_dialog(timeout=call.left)
    call.policy.check_shown(tab.url)
    options = ScreenshotOptions(
        format="png", full_page=args.full_page, scale=1 / tab.page.emulation.viewport.scale
    )
    taken = await Camera(tab, call.masker).take(options, timeout=call.left)
    return _Side(taken.data, tab)


async def _ignored(call: Call, args: VisualDiff, sides: tuple[_Side, _Side]) -> list[Box]:
    """The parts that do not count, as boxes of the pictures."""
    boxes = [
        Box(each.x, each.y, each.width, each.height)
        for each in args.ignore
        if isinstance(each, PixelBox)
    ]
    selectors = [each for each in args.ignore if isinstance(each, str)]
    if not selectors:
        return boxes
    live = [side.tab for side in sides if side.tab is not None]
    if not live:
        raise InvalidArgument("selectors need a page that is shown now", field="ignore")
    for tab in live:
        said = await look(
            tab.agent,
            tab.page.main_frame,
            "boxes_of.js",
            selectors=selectors,
            caller=call.caller,
            timeout=call.left,
        )
        across, down = (said["x"], said["y"]) if args.full_page else (0, 0)
        for group in said["boxes"]:
            boxes += [
                Box(
                    math.floor(box["x"] + across),
                    math.floor(box["y"] + down),
                    math.ceil(box["width"] + 1),
                    math.ceil(box["height"] + 1),
                )
                for box in group
            ]
    return boxes


@dataclass(frozen=True)
class _Found:
    """What a comparison gives, with its picture in two sizes."""

    comparison: Comparison
    sizes: tuple[tuple[int, int], tuple[int, int]]
    picture: Picture | None = None
    shown: tuple[Picture, ...] = ()
    shown_pixels: int = 0


def _judge(sides: tuple[_Side, _Side], args: VisualDiff, ignored: list[Box]) -> _Found:
    before, after = opened(sides[0].picture), opened(sides[1].picture)
    found = compare(
        before,
        after,
        threshold=args.threshold,
        smooth_edges=args.tolerate_antialiasing,
        ignored=ignored,
    )
    if not found.changed:
        return _Found(found, (before.size, after.size))
    picture = illustration(after, found, ignored)
    small = within(picture, _LONGEST_EDGE, _INLINE_PIXELS)
    return _Found(
        found,
        (before.size, after.size),
        Picture(encoded(picture, "png"), "png"),
        (Picture(encoded(small, "png"), "png"),),
        small.width * small.height,
    )


async def _named(call: Call, args: VisualDiff, tab: Tab, rows: list[dict[str, Any]]) -> None:
    """Say which elements are where the pictures differ."""
    page = await tab.agent.call(tab.page.main_frame, "page_size", timeout=call.left)
    across, down = (page["x"], page["y"]) if args.full_page else (0, 0)
    boxes = [{**row, "x": row["x"] - across, "y": row["y"] - down} for row in rows]
    said = await look(
        tab.agent,
        tab.page.main_frame,
        "elements_in.js",
        boxes=boxes,
        caller=call.caller,
        timeout=call.left,
    )
    for row, elements in zip(rows, said["elements"], strict=True):
        if elements:
            row["elements"] = elements


def _told(found: _Found, args: VisualDiff, sides: tuple[_Side, _Side]) -> dict[str, Any]:
    comparison = found.comparison
    # Never rounded to nothing: a pixel is a difference.
    percentage = 100 * comparison.changed / comparison.pixels
    before, after = found.sizes
    data: dict[str, Any] = {
        "ok": True,
        "same": percentage <= args.max_percent,
        "percentage": max(round(percentage, 4), 0.0001) if percentage else 0.0,
        "changedPixelCount": comparison.changed,
        "width": comparison.mask.width,
        "height": comparison.mask.height,
        "areas": [
            {**area.box._asdict(), "changedPixels": area.changed} for area in comparison.areas
        ],
        "warnings": [],
    }
    if comparison.more_areas:
        data["moreAreas"] = comparison.more_areas
    if comparison.smoothed:
        data["smoothedPixelCount"] = comparison.smoothed
    if before != after:
        data["before"] = {"width": before[0], "height": before[1]}
        data["after"] = {"width": after[0], "height": after[1]}
        data["warnings"].append("the pictures differ in size; what one lacks counts as changed")
    if sides[0].is_lossy or sides[1].is_lossy:
        data["warnings"].append("a picture that is not a PNG brings differences of its own")
    return data


@tool(
    Capability.READ,
    gives=VisualDifference,
    toolset="test",
    reach="session",
    idempotent=True,
    structured=True,
)
async def visual_diff(call: Call, args: VisualDiff) -> Result:
    """Compare how two pages or states look: what differs, where, and a picture of it. Untrusted."""
    async with AsyncExitStack() as stack:
        first = await _side(call, args, args.before, stack)
        second = await _side(call, args, args.after, stack)
        sides = first, second
        ignored = await _ignored(call, args, sides)
        found = await asyncio.to_thread(_judge, sides, args, ignored)
        data = _told(found, args, sides)
        if second.tab is not None and data["areas"]:
            await _named(call, args, second.tab, data["areas"])
        source = origin_of(second.tab.url) if second.tab is not None else "a file"
    links: tuple[Any, ...] = ()
    if found.picture is not None:
        artifact = await save(call, found.picture, path=args.path, default="visual-diff.png")
        data |= saved(call, artifact)
        links = (link_to(artifact),)
    data["tokensEstimate"] = estimate(compact(data)) + found.shown_pixels // _PIXELS_PER_TOKEN
    return Result(data=data, source=source, images=found.shown, links=links, tokens=12_000)
