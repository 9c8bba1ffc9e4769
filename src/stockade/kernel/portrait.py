"""A portrait: the element that a person is asked about, in its surroundings."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from stockade.engines.port import Frame
from stockade.engines.values import Box, ScreenshotOptions
from stockade.errors import StockadeError
from stockade.kernel.call import Call
from stockade.media.picture import Picture
from stockade.media.pixels import encoded, opened
from stockade.page.reach import Bounds, Setting, setting

__all__ = ["portrait"]

_BESIDE: Final = 260.0
_ABOVE: Final = 120.0
_MOST_WIDE: Final = 900.0
_MOST_HIGH: Final = 600.0
_LINE: Final = 3
_RED: Final = (208, 32, 32)


async def portrait(call: Call, box: dict[str, Any], frame: Frame | None) -> Picture | None:
    """A picture with a line around the element; none where it cannot be had."""
    try:
        return await _taken(call, box, frame)
    except StockadeError:
        # A question without a picture is better than none.
        return None


async def _taken(call: Call, box: dict[str, Any], frame: Frame | None) -> Picture:
    agent = call.tab.agent
    size = await agent.call(call.tab.page.main_frame, "page_size", timeout=call.left)
    place = Setting()
    if frame is not None and frame.parent is not None:
        view = await agent.call(frame, "page_size", timeout=call.left)
        seen = {"width": view["viewportWidth"], "height": view["viewportHeight"]}
        place = await setting(agent, frame, seen, timeout=call.left)
    element = place.map(box)
    window = Bounds(0, 0, size["viewportWidth"], size["viewportHeight"])
    clip = (_around(element).overlap(window) if element is not None else None) or window
    taken = await call.camera.window(
        Box(clip.x, clip.y, clip.width, clip.height),
        options=ScreenshotOptions(format="png"),
        timeout=call.left,
    )
    return await asyncio.to_thread(_marked, taken, element, clip)


def _around(element: Bounds) -> Bounds:
    width = min(element.width + 2 * _BESIDE, _MOST_WIDE)
    height = min(element.height + 2 * _ABOVE, _MOST_HIGH)
    left = max(0.0, element.x + element.width / 2 - width / 2)
    top = max(0.0, element.y + element.height / 2 - height / 2)
    return Bounds(left, top, width, height)


def _marked(picture: Picture, element: Bounds | None, clip: Bounds) -> Picture:
    from PIL import ImageDraw  # noqa: PLC0415

    image = opened(picture.data).convert("RGB")
    if element is not None:
        scale = image.width / clip.width
        left, top = (element.x - clip.x) * scale, (element.y - clip.y) * scale
        right, bottom = left + element.width * scale, top + element.height * scale
        corners = (left - _LINE, top - _LINE, right + _LINE, bottom + _LINE)
        ImageDraw.Draw(image).rectangle(corners, outline=_RED, width=_LINE)
    return Picture(encoded(image, "png"), "png")
