"""Scrolling: the page, or what an element scrolls in, without a pointer."""

from __future__ import annotations

from typing import Literal

from stockade.engines.port import DEADLINE
from stockade.page.actions import Actions, Outcome
from stockade.page.settle import Window

__all__ = ["scroll_page"]


async def scroll_page(
    actions: Actions,
    *,
    ref: str | None = None,
    to: Literal["top", "bottom", "left", "right"] | None = None,
    by: tuple[float, float] | None = None,
    into_view: bool = False,
    caller: str,
    timeout: float = DEADLINE,
) -> Outcome:
    """Scroll there, by that much, or until an element is in view."""
    agent, page = actions.agent, actions.agent.page
    frame, number = agent.locate(ref) if ref else (page.main_frame, None)
    with Window(agent) as window:
        url = page.main_frame.url
        done = await agent.call(
            frame,
            "scroll",
            caller=caller,
            ref=number,
            to=to,
            by={"x": by[0], "y": by[1]} if by else None,
            intoView=into_view,
            timeout=timeout,
        )
        settled = await window.settle(timeout=timeout)
    return Outcome(
        "scroll",
        ref or "page",
        settled,
        url,
        page.main_frame.url,
        facts=window.facts,
        extra=done,
    )
