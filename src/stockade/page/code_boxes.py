"""Codes that are entered in boxes: fields of one character each."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from stockade.page.agent import PageAgent
from stockade.page.secret_text import SecretText

if TYPE_CHECKING:
    from stockade.page.actions import Actions, Outcome

__all__ = ["boxes_for", "fill_boxes"]


async def boxes_for(
    agent: PageAgent, ref: str, text: str | SecretText, *, caller: str, timeout: float
) -> list[str]:
    """The fields that a secret is spread over, by their refs; none unless there are as many."""
    if not isinstance(text, SecretText) or len(text.value) < 2:  # noqa: PLR2004 - more than one
        return []
    frame, number = agent.locate(ref)
    about = {"caller": caller, "ref": number, "count": len(text.value)}
    found = await agent.call(frame, "code_boxes", timeout=timeout, **about)
    return [f"{agent.prefix(frame)}e{each}" for each in found]


async def fill_boxes(
    actions: Actions, boxes: Sequence[str], text: SecretText, *, caller: str, timeout: float
) -> Outcome:
    """Give each of them its character; what came of the last, since the first."""
    loop = asyncio.get_running_loop()
    ends, url = loop.time() + timeout, actions.agent.page.main_frame.url
    *before, last = [
        (ref, replace(text, value=character))
        for ref, character in zip(boxes, text.value, strict=True)
    ]
    for ref, part in before:
        await actions.fill(ref, part, caller=caller, timeout=ends - loop.time())
    ref, part = last
    outcome = await actions.fill(ref, part, caller=caller, timeout=ends - loop.time())
    return replace(outcome, url_before=url)
