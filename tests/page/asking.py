"""Asking `find` in tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stockade.page.agent import PageAgent
from stockade.page.find import Candidate, FindOptions, Found, find

RANKING = Path(__file__).parent / "ranking"


async def ask(agent: PageAgent, query: str, **options: Any) -> Found:
    return await find(agent, query, caller="test", options=FindOptions(**options))


async def best(agent: PageAgent, query: str, **options: Any) -> Candidate:
    found = await ask(agent, query, **options)
    return found.candidates[0]


async def mark(agent: PageAgent, ref: str) -> str | None:
    """The `data-mark` of an element: an attribute that ranking does not read."""
    frame, number = agent.locate(ref)
    value: str | None = await frame.call(
        "number => stockade.modules.Dom.attr(stockade.modules.Refs.get(number), 'data-mark')",
        number,
    )
    return value
