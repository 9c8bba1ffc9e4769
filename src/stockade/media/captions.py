"""Captions: what a picture shows, in words taken from the page."""

from __future__ import annotations

from typing import Any

from stockade.engines.values import Box
from stockade.page.agent import PageAgent
from stockade.page.reach import look

__all__ = ["caption"]

_LONGEST = 1200


async def caption(
    agent: PageAgent, *, caller: str, ref: str | None = None, box: Box | None = None, timeout: float
) -> str:
    """Say what an element, or a box of the window, or the whole page shows."""
    frame, number = agent.locate(ref) if ref is not None else (agent.page.main_frame, None)
    asked: dict[str, Any] = {"caller": caller}
    if number is not None:
        asked["ref"] = number
    elif box is not None:
        asked["box"] = box._asdict()
    seen = await look(agent, frame, "caption.js", timeout=timeout, **asked)
    return _words(seen)[:_LONGEST]


def _words(seen: dict[str, Any]) -> str:
    element = seen["element"]
    parts = [f"page “{seen['title']}”" if seen["title"] else "a page without a title"]
    if element is not None:
        parts = [f"{element['words']} on {parts[0]}"]
        if element["text"] and element["text"] not in element["words"]:
            parts.append(f"text: {element['text']}")
    for kind, word in (
        ("dialogs", "open"),
        ("headings", "headings"),
        ("regions", "regions"),
        ("pictures", "pictures"),
    ):
        if seen[kind]:
            parts.append(f"{word}: {', '.join(seen[kind])}")
    if seen["controls"]:
        parts.append(f"{seen['controls']} controls")
    return "; ".join(parts)
