"""Texts of a tab whose frames stand where their elements are."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import DeadlineExceeded, EngineError
from stockade.page.agent import PageAgent
from stockade.page.reach import look

__all__ = ["Inlaid", "Joint", "inlaid"]

_PATIENCE: Final = 5.0
_MOST_FRAMES: Final = 30
_PLACE: Final = re.compile("\u0000(\\d+)\u0000")

Joint = Callable[[str, Frame | None, str], str]
"""How a frame's text is written where its element is: its ref prefix, itself and its text."""


@dataclass
class Inlaid:
    """A text with those of the frames in it."""

    text: str
    url: str
    said: dict[str, Any]
    notes: list[str] = field(default_factory=list)


async def inlaid(
    agent: PageAgent,
    script: str,
    frame: Frame,
    joint: Joint,
    *,
    timeout: float = DEADLINE,
    inner: dict[str, Any],
    **asked: Any,
) -> Inlaid:
    """Run `script` in a frame and, as `inner` says, in those inside it; put their texts together.

    The script answers with `text`, in which frames are numbers between zero characters, with
    `frames`, their numbers, and with `limited` where it gave up.
    """
    said = await look(agent, frame, script, timeout=timeout, **asked)
    whole = Inlaid(said.pop("text"), said["url"], said)
    if said["limited"]:
        whole.notes.append(f"the page is large: stopped at {said['limited']}")
    budget = [_MOST_FRAMES]
    await _fill(agent, script, frame, whole, joint, inner, budget)
    if budget[0] < 0:
        whole.notes.append(f"only {_MOST_FRAMES} frames were read")
    return whole


async def _fill(
    agent: PageAgent,
    script: str,
    frame: Frame,
    whole: Inlaid,
    joint: Joint,
    asked: dict[str, Any],
    budget: list[int],
) -> None:
    """Replace the numbers of frames by what the frames say."""

    async def one(number: int) -> str:
        budget[0] -= 1
        if budget[0] < 0:
            return joint("", None, "")
        child: Frame | None = None
        try:
            child = await agent.child_frame(frame, number, timeout=_PATIENCE)
            if child is None:
                return ""
            said = await look(agent, child, script, timeout=_PATIENCE, **asked)
        except (EngineError, DeadlineExceeded):
            whole.notes.append("a frame could not be read")
            return joint(agent.prefix(child) if child else "", child, "")
        part = Inlaid(said.pop("text"), said["url"], said)
        await _fill(agent, script, child, part, joint, asked, budget)
        whole.notes += part.notes
        for key in ("hidden",):
            whole.said[key] = whole.said.get(key, 0) + part.said.get(key, 0)
        return joint(agent.prefix(child), child, part.text)

    numbers = [int(each) for each in dict.fromkeys(_PLACE.findall(whole.text))]
    texts = await asyncio.gather(*(one(number) for number in numbers))
    found = dict(zip(numbers, texts, strict=True))

    def put(place: re.Match[str]) -> str:
        indent = _indent(whole.text, place.start())
        return found[int(place[1])].replace("\n", f"\n{indent}")

    whole.text = _PLACE.sub(put, whole.text)


def _indent(text: str, at: int) -> str:
    """What stands before a place in its line, if that is only room or marks of quotes."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if not line.strip(" >") else " " * len(line)
