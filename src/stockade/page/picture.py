"""Pictures of one element, wherever in the tab it is."""

from __future__ import annotations

from dataclasses import replace

from stockade.engines.port import DEADLINE
from stockade.engines.values import Box, ScreenshotOptions
from stockade.errors import NotActionable
from stockade.page.agent import PageAgent
from stockade.page.reach import Setting, setting

__all__ = ["element_picture"]


async def element_picture(
    agent: PageAgent,
    ref: str,
    *,
    caller: str,
    options: ScreenshotOptions | None = None,
    timeout: float = DEADLINE,
) -> bytes:
    """Bring an element into view and picture it alone."""
    frame, number = agent.locate(ref)
    seen = await agent.call(frame, "picture_box", caller=caller, ref=number, timeout=timeout)
    place = Setting()
    if frame.parent is not None:
        place = await setting(agent, frame, seen["view"], timeout=timeout)
    bounds = place.map(seen["box"])
    if bounds is None:
        raise NotActionable("the frame of the element is not visible", reason="hidden", ref=ref)
    page = await agent.call(agent.page.main_frame, "page_size", timeout=timeout)
    # Clips are measured from the top of the document, boxes from the top of the window.
    clip = Box(bounds.x + page["x"], bounds.y + page["y"], bounds.width, bounds.height)
    return await agent.page.screenshot(
        replace(options or ScreenshotOptions(), clip=clip), timeout=timeout
    )
