"""Pictures of the page."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from stockade.engines.values import Box, ScreenshotOptions, largest_scale
from stockade.errors import InvalidArgument, QuotaExceeded, TargetError
from stockade.kernel.arguments import RARE, Arguments, Coordinates, InTab, OnTarget
from stockade.kernel.call import Call
from stockade.kernel.downloads import link_to
from stockade.kernel.instant import instant
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import save, saved
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.media.captions import caption
from stockade.media.marks import Mark, painted
from stockade.media.picture import Picture
from stockade.page.picture import element_clip, window_clip
from stockade.page.probe import inspect, point_probe
from stockade.policy.capabilities import Capability
from stockade.sessions.names import Names
from stockade.urls import origin_of

__all__ = ["screenshot", "screenshot_marks", "screenshot_region"]

_LONGEST_EDGE = 1568
"""Models scale larger pictures down themselves, after they have been paid for."""
_LEGIBLE = 0.1
"""Scaled down further, nothing on a picture can be read."""
_PART_SCALE = 0.25
_PIXELS_PER_TOKEN = 750
_QUALITY = 80
_FORMATS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}

_Format = Literal["jpeg", "png", "webp"]
_Path = Annotated[str | None, Field(max_length=1000, description="save here, nothing inline")]


class Look(Arguments):
    """How a picture is given."""

    format: _Format | None = None
    describe: Annotated[bool, Field(description="add a caption")] = False
    path: _Path = None


class Screenshot(Look, OnTarget):
    """What to picture, and how."""

    quality: int = Field(_QUALITY, ge=0, le=100)
    scale: Literal["css", "device"] = "css"
    full_page: bool = False
    coords: Annotated[Coordinates | None, RARE] = None
    max_pixels: Annotated[
        int | None, Field(ge=10_000, le=50_000_000, description="inline"), RARE
    ] = None


class Area(Arguments):
    """A box of the window in CSS pixels."""

    x: float = Field(ge=-100_000, le=100_000)
    y: float = Field(ge=-100_000, le=100_000)
    width: float = Field(ge=1, le=100_000)
    height: float = Field(ge=1, le=100_000)

    @property
    def bounds(self) -> Box:
        """As engines know it."""
        return Box(self.x, self.y, self.width, self.height)


class Region(Look, InTab):
    """Which part of the window."""

    box: Area


class Candidate(Arguments):
    """An element to mark: its ref, or a whole row of find."""

    model_config = ConfigDict(extra="allow")

    ref: str = Field(max_length=40)

    @property
    def told(self) -> dict[str, str]:
        """What a row of find says of it."""
        said = self.model_extra or {}
        known = {key: said.get(key) for key in ("role", "name", "testId")}
        return {key: each[:500] for key, each in known.items() if isinstance(each, str) and each}


class Marks(InTab):
    """What to mark."""

    candidates: Annotated[
        tuple[Candidate, ...],
        Field(min_length=1, max_length=50, description="rows of find, or {ref}"),
    ]
    label: Literal["index", "ref", "role"] = "index"


class Pictured(TypedDict):
    """What was pictured; the picture itself stands beside, or is in a file."""

    ok: bool
    format: str
    fullPage: bool
    width: int
    height: int
    bytes: int
    captured_at: str
    tokensEstimate: int
    caption: NotRequired[str]
    scaledTo: NotRequired[float]
    uri: NotRequired[str]
    path: NotRequired[str]
    warnings: NotRequired[list[str]]


class Bounds(TypedDict):
    """A box of the window."""

    x: float
    y: float
    width: float
    height: float


class MarkRow(TypedDict):
    """An element, and whether its box is on the picture."""

    index: int
    ref: str
    role: NotRequired[str]
    name: NotRequired[str]
    testId: NotRequired[str]
    bbox: Bounds | None
    painted: bool
    reason: NotRequired[str]


class MarkedPicture(TypedDict):
    """The marks of the picture that stands beside."""

    ok: bool
    marks: list[MarkRow]
    mapping: dict[str, str]
    warnings: list[str]
    width: int
    height: int
    uri: NotRequired[str]
    tokensEstimate: int


@dataclass(frozen=True)
class _Subject:
    """What is pictured: one element, a box of the window, the page, or the window; and how."""

    ref: str | None = None
    box: Box | None = None
    full_page: bool = False
    quality: int = _QUALITY
    device: bool = False
    max_pixels: int | None = None
    part: Box | None = None
    """As much of it as is to be seen, in pixels of the document."""


async def _subject(call: Call, args: Screenshot) -> _Subject:
    how = _Subject(quality=args.quality, device=args.scale == "device", max_pixels=args.max_pixels)
    if args.named is not None:
        region = call.session.parts.of(Names, Names).regions.get(args.named)
        if region is not None:
            return replace(how, box=region)
    if args.coords is not None:
        at = args.coords
        probe = await point_probe(call.tab.agent, at.x, at.y, caller=call.caller, timeout=call.left)
        if not probe.stack:
            raise InvalidArgument("there is nothing at that point", field="coords")
        return replace(how, ref=probe.stack[0].ref)
    return replace(how, ref=call.target, full_page=args.full_page and call.target is None)


async def _size(call: Call, subject: _Subject) -> tuple[float, float]:
    """The size of what is pictured, in CSS pixels."""
    tab = call.tab
    if subject.ref is not None:
        found = await inspect(tab.agent, subject.ref, caller=call.caller, timeout=call.left)
        if found.box is not None:
            return max(found.box.width, 1), max(found.box.height, 1)
    if subject.box is not None:
        return subject.box.width, subject.box.height
    if subject.full_page:
        page = await tab.agent.call(tab.page.main_frame, "page_size", timeout=call.left)
        return page["width"], page["height"]
    viewport = tab.page.emulation.viewport
    return viewport.width, viewport.height


async def _take(call: Call, subject: _Subject, format: _Format, scale: float) -> Picture:
    options = ScreenshotOptions(
        format=format, quality=subject.quality, full_page=subject.full_page, scale=scale
    )
    camera = call.camera
    if subject.part is not None:
        cut = replace(options, clip=subject.part, full_page=False)
        return await camera.take(cut, timeout=call.left)
    if subject.ref is not None:
        return await camera.element(
            subject.ref, caller=call.caller, options=options, timeout=call.left
        )
    if subject.box is not None:
        return await camera.window(subject.box, options=options, timeout=call.left)
    return await camera.take(options, timeout=call.left)


def _ratio(width: float, height: float, most: int) -> float:
    """How far a picture is scaled down for a model."""
    return min(1.0, math.sqrt(most / (width * height)), _LONGEST_EDGE / max(width, height))


async def _legible(
    call: Call, subject: _Subject, size: tuple[float, float], device: float
) -> Box | None:
    """The beginning of something so long that nothing could be read on a picture of it."""
    edge = _LONGEST_EDGE / _PART_SCALE / device
    width, height = (min(each, edge) for each in size)
    if (width, height) == size:
        return None
    at = Box(0, 0, *size)
    if subject.ref is not None:
        tab = call.tab
        at = await element_clip(tab.agent, subject.ref, caller=call.caller, timeout=call.left)
    elif subject.box is not None:
        at = await window_clip(call.tab.agent, subject.box, timeout=call.left)
    return Box(at.x, at.y, width, height)


def _format(args: Look) -> _Format:
    if args.format is not None or args.path is None:
        return args.format or "jpeg"
    suffix = args.path[args.path.rfind(".") :].lower()
    return _FORMATS.get(suffix, "jpeg")  # type: ignore[return-value]


async def _pictured(call: Call, args: Look, subject: _Subject) -> Result:
    """The picture, as large as was asked for and as models take it; the whole is kept."""
    kind, window = _format(args), call.tab.page.emulation.viewport
    density = window.scale
    device = density if subject.device else 1.0
    width, height = await _size(call, subject)
    most = subject.max_pixels or call.kernel.settings.screenshot_pixels
    warnings = []
    fits = largest_scale(kind, width * device, height * device)
    if fits < 1:
        warnings.append(
            f"it is {width:.0f}x{height:.0f}, more than one {kind} can hold: "
            f"the whole is scaled to {fits:.2g}"
        )
    whole = await _take(call, subject, kind, device / density)
    shown, ratio = whole, fits
    if args.path is None:
        ratio = _ratio(width * device, height * device, most)
        part = await _legible(call, subject, (width, height), device) if ratio < _LEGIBLE else None
        if part is not None:
            subject, width, height = replace(subject, part=part), part.width, part.height
            ratio = _ratio(width * device, height * device, most)
            warnings.append(
                f"only its first {width:.0f}x{height:.0f} are shown here, for all of it would be "
                "too small to be read: scroll and picture the window to see more"
            )
        if ratio < 1.0 or part is not None:
            shown = await _take(call, subject, kind, device / density * ratio)
    data: dict[str, Any] = {
        "ok": True,
        "format": kind,
        "fullPage": subject.full_page,
        "width": round(width * device * ratio),
        "height": round(height * device * ratio),
        "bytes": len(shown.data),
        "captured_at": instant(),
    }
    if ratio < 1.0:
        data["scaledTo"] = round(ratio, 3)
    if warnings:
        data["warnings"] = warnings
    if args.describe:
        whole_window = Box(0, 0, window.width, window.height)
        box = subject.box or (None if subject.full_page else whole_window)
        data["caption"] = await caption(
            call.tab.agent, caller=call.caller, ref=subject.ref, box=box, timeout=call.left
        )
    source = origin_of(call.tab.url) if args.describe else ""
    if args.path is not None:
        artifact = await save(call, whole, path=args.path, default=f"screenshot.{kind}")
        data |= saved(call, artifact)
        data["tokensEstimate"] = estimate(compact(data))
        return Result(data=data, source=source, links=(link_to(artifact),))
    links = _keep(call, data, whole, linked=shown is not whole)
    pixels = data["width"] * data["height"]
    data["tokensEstimate"] = estimate(compact(data)) + pixels // _PIXELS_PER_TOKEN
    return Result(data=data, source=source, images=(shown,), links=links)


def _keep(call: Call, data: dict[str, Any], picture: Picture, *, linked: bool) -> tuple[Any, ...]:
    """Keep a picture with the session, for as long as there is room for it."""
    try:
        artifact = call.kernel.artifacts.keep(
            call.session,
            "screenshot",
            f"screenshot.{picture.format}",
            picture.data,
            picture.mime_type,
        )
    except QuotaExceeded as error:
        data["warnings"] = [*data.get("warnings", ()), error.message]
        return ()
    data["uri"] = artifact.uri
    return (link_to(artifact),) if linked else ()


@tool(Capability.READ, gives=Pictured, reads=True)
async def screenshot(call: Call, args: Screenshot) -> Result:
    """Picture the viewport, the full page or one element. What it shows is untrusted."""
    return await _pictured(call, args, await _subject(call, args))


@tool(Capability.READ, gives=Pictured, toolset="web", reads=True)
async def screenshot_region(call: Call, args: Region) -> Result:
    """Picture a box of the window. What it shows is untrusted."""
    return await _pictured(call, args, _Subject(box=args.box.bounds))


async def _mark(call: Call, index: int, given: Candidate) -> dict[str, Any]:
    """Where an element is, or why it cannot be marked."""
    row: dict[str, Any] = {"index": index, "ref": given.ref, **given.told}
    try:
        found = await inspect(call.tab.agent, given.ref, caller=call.caller, timeout=call.left)
    except TargetError as error:
        return {**row, "bbox": None, "painted": False, "reason": error.message}
    row["role"] = found.role or found.tag
    if found.name:
        row["name"] = found.name
    box = found.visible_box or found.box
    if box is None:
        return {**row, "bbox": None, "painted": False, "reason": "it is not visible"}
    row["bbox"] = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    window = call.tab.page.emulation.viewport
    outside = (
        box.x >= window.width
        or box.y >= window.height
        or box.x + box.width <= 0
        or box.y + box.height <= 0
    )
    if not found.visible:
        return {**row, "painted": False, "reason": "it is not visible"}
    if found.visible_box is None or outside:
        return {**row, "painted": False, "reason": "it is out of view: scroll to it"}
    return {**row, "painted": True}


def _label(row: dict[str, Any], label: str) -> str:
    if label == "ref":
        return str(row["ref"])
    return f"{row['index']} {row['role']}" if label == "role" else str(row["index"])


@tool(Capability.READ, gives=MarkedPicture, toolset="web", reads=True)
async def screenshot_marks(call: Call, args: Marks) -> Result:
    """Picture the window with numbered boxes around elements. What it shows is untrusted."""
    rows = [await _mark(call, index, each) for index, each in enumerate(args.candidates, 1)]
    tab, window = call.tab, call.tab.page.emulation.viewport
    options = ScreenshotOptions(format="png", scale=1 / window.scale)
    plain = await call.camera.take(options, timeout=call.left)
    marks = [Mark(Box(**row["bbox"]), _label(row, args.label)) for row in rows if row["painted"]]
    picture = await asyncio.to_thread(painted, plain, marks)
    left_out = len(rows) - len(marks)
    data: dict[str, Any] = {
        "ok": True,
        "marks": rows,
        "mapping": {str(row["index"]): row["ref"] for row in rows},
        "warnings": [f"{left_out} of {len(rows)} are not on the picture"] if left_out else [],
        "width": window.width,
        "height": window.height,
    }
    _keep(call, data, picture, linked=False)
    pixels = window.width * window.height
    data["tokensEstimate"] = estimate(compact(data)) + pixels // _PIXELS_PER_TOKEN
    return Result(
        data=data,
        source=origin_of(tab.url),
        images=(picture,),
        tokens=12_000,
    )
