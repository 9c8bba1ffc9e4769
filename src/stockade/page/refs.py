"""Which refs a tab has now, and whether it can have any."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import DeadlineExceeded, EngineError
from stockade.page.agent import PageAgent

__all__ = ["RefsHere", "refs_here"]

_PATIENCE = 2.0


@dataclass(frozen=True)
class RefsHere:
    """The refs of a tab's documents."""

    count: int = 0
    """Elements that have one."""
    first: int = 0
    last: int = 0
    """Numbers of the main document; 0 where it has none."""
    available: bool = False
    """Whether a snapshot taken now would show any."""

    def __str__(self) -> str:
        """In words, for whoever named one that is not among them."""
        shown = f"e{self.first}-e{self.last}" if self.first else "none"
        return f"valid refs: {shown}, {self.count} total"


async def refs_here(agent: PageAgent, *, timeout: float = DEADLINE) -> RefsHere:
    """Ask every frame; one that cannot answer has none."""
    patience = min(_PATIENCE, timeout)

    async def ask(frame: Frame) -> dict[str, Any]:
        try:
            said: dict[str, Any] = await agent.call(frame, "refs_here.js", timeout=patience)
        except (EngineError, DeadlineExceeded):
            return {"first": 0, "last": 0, "count": 0, "available": False}
        return said

    answers = await asyncio.gather(*(ask(frame) for frame in agent.frames()))
    if not answers:
        return RefsHere()
    return RefsHere(
        sum(each["count"] for each in answers),
        answers[0]["first"],
        answers[0]["last"],
        any(each["available"] for each in answers),
    )
