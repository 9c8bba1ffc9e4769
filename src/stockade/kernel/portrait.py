"""A portrait: the element that a person is asked about, in its surroundings."""

from __future__ import annotations

import asyncio
import io
from typing import Any, Final

from stockade.engines.port import Frame
from stockade.engines.values import Box, ScreenshotOptions
from stockade.errors import StockadeError
from stockade.kernel.call import Call
from stockade.page.reach import Bounds, Setting, setting

__all__ = ["portrait"]

_AROUND: Final = 120.0
_MOST_WIDE: Final = 900.0
_MOST_HIGH: Final = 600.0
_LINE: Final = 3
_RED: Final = (208, 32, 32)


async def portrait(call: Call, box: dict[str, Any], frame: Frame | None) -> bytes | None:
    """A picture with a frame around the element; none where it cannot be had."""
    try:
        return await _taken(call, box, frame)
    except StockadeError:
        # A question without a picture is better than none.
        return None


async def _taken(call: Call, box: dict[str, Any], frame: Frame | None) -> bytes | None:
    if not call.masker.idle:
        return None
    tab, agent = call.tab, call.tab.agent
    size = await agent.call(tab.page.main_frame, "page_size", timeout=call.left)
    place = Setting()
    if frame is not None and frame.parent is not None:
        view = await agent.call(frame, "page_size", timeout=call.left)
        seen = {"width": view["viewportWidth"], "height": view["viewportHeight"]}
        place = await setting(agent, frame, seen, timeout=call.left)
    element = place.map(box)
    window = Bounds(0, 0, size["viewportWidth"], size["viewportHeight"])
    around = _around(element) if element is not None else window
    clip = around.overlap(window) or window
    taken = await tab.page.screenshot(
        ScreenshotOptions(
            format="png", clip=Box(clip.x + size["x"], clip.y + size["y"], clip.width, clip.height)
        ),
        timeout=call.left,
    )
    return await asyncio.to_thread(_marked, taken, element, clip)


def _around(element: Bounds) -> Bounds:
    width = min(element.width + 2 * _AROUND, _MOST_WIDE)
    height = min(element.height + 2 * _AROUND, _MOST_HIGH)
    left = max(0.0, element.x + element.width / 2 - width / 2)
    top = max(0.0, element.y + element.height / 2 - height / 2)
    return Bounds(left, top, width, height)


def _marked(picture: bytes, element: Bounds | None, clip: Bounds) -> bytes:
    from PIL import Image, ImageDraw  # noqa: PLC0415

    with Image.open(io.BytesIO(picture)) as opened:
        drawn = opened.convert("RGB")
    if element is not None:
        scale = drawn.width / clip.width
        left, top = (element.x - clip.x) * scale, (element.y - clip.y) * scale
        right, bottom = left + element.width * scale, top + element.height * scale
        corners = (left - _LINE, top - _LINE, right + _LINE, bottom + _LINE)
        ImageDraw.Draw(drawn).rectangle(corners, outline=_RED, width=_LINE)
    out = io.BytesIO()
    drawn.save(out, "PNG", optimize=False)
    return out.getvalue()
