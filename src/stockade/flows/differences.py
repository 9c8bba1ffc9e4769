"""Differences: what an action changes in the elements of a tab."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from stockade.engines.port import Frame
from stockade.errors import DeadlineExceeded, EngineError
from stockade.page.agent import PageAgent
from stockade.page.reach import inside

__all__ = ["Difference", "difference"]

_MOST_ROWS = 50
_MOST_FRAMES = 20
_PATIENCE = 5.0
_KINDS = ("changed", "added", "removed")


@dataclass
class Difference:
    """Elements that changed, came and went; filled when the action is over."""

    rows: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: {kind: [] for kind in _KINDS}
    )
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_KINDS, 0))
    notes: list[str] = field(default_factory=list)

    def add(self, said: dict[str, Any], prefix: str) -> None:
        """Take in what one frame says."""
        if said.get("limited"):
            self.notes.append(f"the page is large: looked at it in part ({said['limited']})")
        for kind in _KINDS:
            self.counts[kind] += said["counts"][kind]
            room = _MOST_ROWS - len(self.rows[kind])
            self.rows[kind] += [
                {**row, "frame": prefix} if prefix else row for row in said[kind][:room]
            ]


@asynccontextmanager
async def difference(
    agent: PageAgent, *, scope: str | None = None, caller: str, timeout: float
) -> AsyncIterator[Difference]:
    """Look before the block and after it: at one element, or at all frames of the tab."""
    key = secrets.token_hex(8)
    number: int | None = None
    frames = agent.frames()[:_MOST_FRAMES]
    if scope is not None:
        frame, number = await inside(agent, scope, timeout=timeout)
        frames = [frame]
    documents = {frame.id: frame.document for frame in frames}

    async def ask(frame: Frame, step: str) -> dict[str, Any] | None:
        try:
            said: dict[str, Any] = await agent.call(
                frame,
                "difference.js",
                step=step,
                key=key,
                ref=number,
                caller=caller,
                most=_MOST_ROWS,
                timeout=min(timeout, _PATIENCE),
            )
        except (EngineError, DeadlineExceeded):
            if step == "before" and frame.parent is None:
                raise
            return None
        return said

    await asyncio.gather(*(ask(frame, "before") for frame in frames))
    found = Difference()
    yield found
    for frame in frames:
        said = None
        if not frame.detached and frame.document == documents[frame.id]:
            said = await ask(frame, "after")
        if agent.page.dialog is not None:
            found.notes = ["a dialog is open, so the page cannot be compared"]
        elif said is None or said.get("navigated"):
            what = "the page" if frame.parent is None else f"frame {agent.prefix(frame)}"
            found.notes.append(f"{what} has another document now, which cannot be compared")
        else:
            found.add(said, agent.prefix(frame))
