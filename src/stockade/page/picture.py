"""Where to point a camera: clips of the document for an element, or for a box of the window."""

from __future__ import annotations

from typing import Any

from stockade.engines.port import DEADLINE
from stockade.engines.values import Box
from stockade.errors import NotActionable
from stockade.page.agent import PageAgent
from stockade.page.reach import Setting, setting

__all__ = ["element_clip", "window_clip"]


async def element_clip(
    agent: PageAgent, ref: str, *, caller: str, timeout: float = DEADLINE
) -> Box:
    """Bring an element into view; where it is then."""
    frame, number = agent.locate(ref)
    seen = await agent.call(frame, "picture_box", caller=caller, ref=number, timeout=timeout)
    place = Setting()
    if frame.parent is not None:
        place = await setting(agent, frame, seen["view"], timeout=timeout)
    bounds = place.map(seen["box"])
    if bounds is None:
        raise NotActionable("the frame of the element is not visible", reason="hidden", ref=ref)
    return await window_clip(agent, bounds, timeout=timeout)


async def window_clip(agent: PageAgent, box: Any, *, timeout: float = DEADLINE) -> Box:
    """A box of the window; clips are measured from the top of the document."""
    page = await agent.call(agent.page.main_frame, "page_size", timeout=timeout)
    return Box(box.x + page["x"], box.y + page["y"], box.width, box.height)
