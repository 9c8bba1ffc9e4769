"""Pictures of the page."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.values import ScreenshotOptions
from stockade.errors import QuotaExceeded
from stockade.kernel.arguments import OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.downloads import link_to
from stockade.kernel.instant import instant
from stockade.kernel.results import Image, Result
from stockade.kernel.tool import tool
from stockade.page.picture import element_picture
from stockade.page.probe import inspect
from stockade.policy.capabilities import Capability

__all__ = ["screenshot"]

_LONGEST_EDGE = 1568
"""Models scale larger pictures down themselves, after they have been paid for."""


class Screenshot(OptionalTarget):
    """What to picture, and how."""

    format: Literal["jpeg", "png", "webp"] = "jpeg"
    quality: int = Field(80, ge=0, le=100)
    scale: Literal["css", "device"] = "css"
    full_page: bool = False
    max_pixels: Annotated[int | None, Field(ge=10_000, le=50_000_000, description="inline")] = None


class Picture(TypedDict):
    """What was pictured; the picture itself stands beside."""

    ok: bool
    format: str
    fullPage: bool
    width: int
    height: int
    bytes: int
    captured_at: str
    scaledTo: NotRequired[float]
    uri: NotRequired[str]
    warnings: NotRequired[list[str]]


async def _size(call: Call, args: Screenshot) -> tuple[float, float]:
    """The size of what is pictured, in CSS pixels."""
    tab = call.tab
    if call.target is not None:
        found = await inspect(tab.agent, call.target, caller=call.caller, timeout=call.left)
        if found.box is not None:
            return max(found.box.width, 1), max(found.box.height, 1)
    if args.full_page:
        page = await tab.agent.call(tab.page.main_frame, "page_size", timeout=call.left)
        return page["width"], page["height"]
    viewport = tab.page.emulation.viewport
    return viewport.width, viewport.height


async def _take(call: Call, args: Screenshot, scale: float) -> bytes:
    options = ScreenshotOptions(
        format=args.format, quality=args.quality, full_page=args.full_page, scale=scale
    )
    if call.target is not None:
        return await element_picture(
            call.tab.agent, call.target, caller=call.caller, options=options, timeout=call.left
        )
    return await call.tab.page.screenshot(options, timeout=call.left)


@tool(Capability.READ, gives=Picture, reads=True)
async def screenshot(call: Call, args: Screenshot) -> Result:
    """Picture the viewport, the full page or one element. What it shows is untrusted."""
    device = call.tab.page.emulation.viewport.scale if args.scale == "device" else 1.0
    width, height = await _size(call, args)
    most = args.max_pixels or call.kernel.settings.screenshot_pixels
    ratio = min(
        1.0,
        math.sqrt(most / (width * height * device * device)),
        _LONGEST_EDGE / (max(width, height) * device),
    )
    whole = await _take(call, args, device)
    shown = whole if ratio == 1.0 else await _take(call, args, device * ratio)
    mime = f"image/{args.format}"
    data: dict[str, Any] = {
        "ok": True,
        "format": args.format,
        "fullPage": args.full_page,
        "width": round(width * device * ratio),
        "height": round(height * device * ratio),
        "bytes": len(shown),
        "captured_at": instant(),
    }
    if ratio < 1.0:
        data["scaledTo"] = round(ratio, 3)
    links: tuple[Any, ...] = ()
    try:
        artifact = call.kernel.artifacts.keep(
            call.session, "screenshot", f"screenshot.{args.format}", whole, mime
        )
    except QuotaExceeded as error:
        data["warnings"] = [error.message]
    else:
        data["uri"] = artifact.uri
        links = (link_to(artifact),) if ratio < 1.0 else ()
    return Result(data=data, images=(Image(shown, mime),), links=links)
