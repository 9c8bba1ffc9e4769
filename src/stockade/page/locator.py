"""From an element to a locator that finds it again, and from a selector to one element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import InvalidArgument, TargetAmbiguous, TargetNotFound
from stockade.page.agent import PageAgent
from stockade.page.playwright import Component, in_javascript, in_python
from stockade.page.reach import inside, look, look_everywhere, named_frame, time_to_search

__all__ = ["Locator", "Near", "TargetKind", "generate_locator", "nearest", "resolve"]

MOST_CANDIDATES = 5

TargetKind: TypeAlias = Literal["editable", "choice", "field", "file"]
"""What an action can work with: what takes text, what offers choices, any field, a file input."""


class Locator(msgspec.Struct, frozen=True, omit_defaults=True):
    """Ways to name an element: for Playwright in both languages, for us, and in CSS."""

    playwright: str
    playwright_python: str = msgspec.field(name="playwrightPython")
    stability: Literal["high", "medium", "low"]
    tier: int
    components: list[Component]
    unique: bool
    selector: str
    css: str


async def generate_locator(
    agent: PageAgent,
    ref: str,
    *,
    caller: str,
    test_attributes: Sequence[str] | None = None,
    timeout: float = DEADLINE,
) -> Locator:
    """The most lasting way to name the element that means it alone, checked in the page."""
    frame, number = agent.locate(ref)
    asked: dict[str, Any] = {"caller": caller, "ref": number}
    if test_attributes is not None:
        asked["testAttributes"] = list(test_attributes)
    said = await look(agent, frame, "generate_locator", timeout=timeout, **asked)
    components = await _frame_steps(agent, frame, timeout)
    components += msgspec.convert(said.pop("components"), list[Component])
    return Locator(
        playwright=in_javascript(components),
        playwright_python=in_python(components),
        components=components,
        **said,
    )


async def _frame_steps(agent: PageAgent, frame: Frame, timeout: float) -> list[Component]:
    steps: list[Component] = []
    inner = frame
    while inner.parent is not None:
        owner = await agent.owner_number(inner, timeout=timeout)
        said = await look(agent, inner.parent, "frame_css", timeout=timeout, owner=owner)
        steps.insert(0, Component("frame", said["css"]))
        inner = inner.parent
    return steps


async def resolve(
    agent: PageAgent,
    selector: str,
    *,
    caller: str,
    kind: TargetKind | None = None,
    context_ref: str | None = None,
    frame: str | None = None,
    timeout: float = DEADLINE,
) -> str:
    """The ref of the one element a selector means, in all frames or in the one named.

    A selector is CSS, or `role=button[name="Buy"]`, `text=…`, `label=…`, `placeholder=…`, `alt=…`,
    `title=…`, `testid=…`; words in quotes are meant exactly. Parts are chained with ` >> `, each
    searched inside what the one before found, shadow roots included; `having=words` keeps those
    that contain the words, `nth=2` takes one of several.

    Of several elements those are meant that the action can work with (`kind`), then those that are
    rendered, then those whose words are the closest: the same, the same in any case, whole words, a
    part. Each counts only where there are such; what is left must be one.
    """
    if not selector.strip():
        raise InvalidArgument("the selector is empty", reason="invalid_selector", selector="")
    asked: dict[str, Any] = {"caller": caller, "selector": selector, "most": MOST_CANDIDATES}
    if kind is not None:
        asked["kind"] = kind
    only = named_frame(agent, frame) if frame is not None else None
    if context_ref is not None:
        only, asked["context"] = await inside(agent, context_ref, timeout=timeout)
    if only is not None:
        answers = [await look(agent, only, "select", timeout=timeout, **asked)]
    else:
        parts, _ = await look_everywhere(agent, "select", timeout=timeout, **asked)
        answers = [part.said for part in parts]
    answers = [answer for answer in answers if answer["count"]]
    for quality in ("fits", "rendered"):
        answers = [each for each in answers if each[quality]] or answers
    closest = min((answer["level"] for answer in answers), default=0)
    answers = [answer for answer in answers if answer["level"] == closest]
    count = sum(answer["count"] for answer in answers)
    candidates = [each for answer in answers for each in answer["candidates"]]
    if not count:
        raise TargetNotFound(f"nothing matches {selector!r}", selector=selector)
    if count > 1:
        raise TargetAmbiguous(
            f"{count} elements match {selector!r}",
            selector=selector,
            count=count,
            candidates=candidates[:MOST_CANDIDATES],
        )
    ref: str = candidates[0]["ref"]
    return ref


@dataclass(frozen=True)
class Near:
    """What is nearest to something that was not found."""

    candidates: list[dict[str, Any]]
    empty: bool
    """Whether there is nothing on the page at all."""


async def nearest(
    agent: PageAgent,
    *,
    caller: str,
    selector: str = "",
    description: str = "",
    kind: TargetKind | None = None,
    timeout: float = DEADLINE,
) -> Near:
    """Elements like those that a selector or a description names, by words and by kind."""
    asked: dict[str, Any] = {"caller": caller, "ms": time_to_search(timeout), "kind": kind}
    asked |= {"selector": selector} if selector else {"description": description}
    parts, _ = await look_everywhere(agent, "near", timeout=timeout, **asked)
    found = [each for part in parts for each in part.said["candidates"]]
    found.sort(key=lambda each: -each["score"])
    for each in found:
        del each["score"]
    return Near(found[:MOST_CANDIDATES], all(part.said["empty"] for part in parts))
