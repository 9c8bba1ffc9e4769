"""Elements by a description in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import InvalidArgument
from stockade.page.agent import PageAgent
from stockade.page.reach import (
    Actionable,
    Answer,
    Bounds,
    Setting,
    inside,
    look,
    look_everywhere,
    named_frame,
    setting,
    time_to_search,
)

__all__ = ["Candidate", "FindOptions", "Found", "RowContext", "find"]

MOST_CANDIDATES = 20


class RowContext(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The row, card or list item an element belongs to; a row is told in full once."""

    row_key: str
    collection: str = ""
    row_text: str = ""
    column: str = ""


class Candidate(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """An element that may be the one that was meant, and why."""

    ref: str
    role: str
    name: str
    stability: Literal["high", "medium", "low"]
    selector_hint: str
    selector_tier: int
    bbox: Bounds | None
    actionable: Actionable
    score: float
    why: list[str]
    clipped: bool = False
    test_id: str | None = None
    covered_by: str | None = None
    context: RowContext | None = None
    origin: str = ""
    """Of the frame it is in, where that is another's."""


class Found(msgspec.Struct, frozen=True, omit_defaults=True):
    """The best candidates, best first, and what to know about them."""

    query: str
    candidates: list[Candidate]
    warnings: list[str] = []
    complete: bool = True
    """Whether all of the page was looked at, as it is now, before the time was up."""


@dataclass(frozen=True)
class FindOptions:
    """How many candidates, how sure, and where to look for them."""

    max_candidates: int = 5
    confidence_floor: float = 0.0
    context_ref: str | None = None
    visible_only: bool = False
    frame: str | None = None
    pierce: Literal["open", "closed", False] = "closed"
    test_attributes: Sequence[str] | None = None


async def find(
    agent: PageAgent,
    query: str,
    *,
    caller: str,
    options: FindOptions = FindOptions(),  # noqa: B008  (frozen)
    timeout: float = DEADLINE,
) -> Found:
    """Rank elements by how well `query` fits: of the tab, of one frame, or inside one element."""
    if not 1 <= options.max_candidates <= MOST_CANDIDATES:
        raise InvalidArgument(f"max_candidates must be between 1 and {MOST_CANDIDATES}")
    bounds = {
        "query": query,
        "maxCandidates": options.max_candidates,
        "confidenceFloor": options.confidence_floor,
    }
    asked: dict[str, Any] = {
        **bounds,
        "caller": caller,
        "visibleOnly": options.visible_only,
        "pierce": options.pierce,
        "ms": time_to_search(timeout),
    }
    if options.test_attributes is not None:
        asked["testAttributes"] = list(options.test_attributes)
    only: Frame | None = named_frame(agent, options.frame) if options.frame is not None else None
    if options.context_ref is not None:
        only, asked["context"] = await inside(agent, options.context_ref, timeout=timeout)

    if only is None and len(agent.frames()) > 1:
        parts, warnings = await look_everywhere(agent, "find", timeout=timeout, **asked)
    elif only is None or only.parent is None:
        alone = await look(
            agent, only or agent.page.main_frame, "find", timeout=timeout, alone=True, **asked
        )
        return msgspec.convert(alone, Found)
    else:
        said = await look(agent, only, "find", timeout=timeout, **asked)
        where = await setting(agent, only, said["view"], timeout=timeout)
        parts, warnings = [Answer(only, said, where)], []

    if options.visible_only:
        parts = [part for part in parts if part.setting.actionable != "hidden"]
    ranked = await agent.call(
        agent.page.main_frame,
        "find_rank",
        timeout=timeout,
        parts=[_placed(part.said, part.setting) for part in parts],
        **bounds,
    )
    ranked["warnings"] += warnings
    return msgspec.convert(ranked, Found)


def _placed(said: dict[str, Any], where: Setting) -> dict[str, Any]:
    said["candidates"] = [where.place(each) for each in said["candidates"]]
    return {**said, "seen": where.actionable}
