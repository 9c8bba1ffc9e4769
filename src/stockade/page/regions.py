"""The parts a page is made of."""

from __future__ import annotations

from typing import Any

from stockade.engines.port import DEADLINE
from stockade.page.agent import PageAgent
from stockade.page.reach import look

__all__ = ["regions"]

_MOST = 50


async def regions(
    agent: PageAgent, *, caller: str, timeout: float = DEADLINE
) -> list[dict[str, Any]]:
    """Landmarks, dialogs, menus and messages of the main frame, in their order."""
    frame = agent.page.main_frame
    said = await look(agent, frame, "regions.js", caller=caller, most=_MOST, timeout=timeout)
    found: list[dict[str, Any]] = said["regions"]
    return found
