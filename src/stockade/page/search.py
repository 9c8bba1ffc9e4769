"""Text of the page, found as a reader sees it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from stockade.engines.port import DEADLINE
from stockade.errors import InvalidArgument
from stockade.page.agent import PageAgent
from stockade.page.reach import (
    Answer,
    Bounds,
    Setting,
    inside,
    look,
    look_everywhere,
    setting,
    time_to_search,
)

__all__ = ["MOST_MATCHES", "Match", "MatchContext", "Matches", "text_search"]

MOST_MATCHES = 200


class MatchContext(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Where in the page a match stands."""

    section: str = ""
    collection: str = ""
    row_key: str = ""
    row_text: str = ""
    column: str = ""


class Match(msgspec.Struct, frozen=True, omit_defaults=True):
    """One place where the text stands; `hidden` says why a reader would not see it."""

    ref: str
    role: str
    text: str
    bbox: Bounds | None
    clipped: bool = False
    source: Literal[
        "text", "svg", "value", "option", "placeholder", "alt", "title", "aria-label"
    ] = "text"
    hidden: str = ""
    context: MatchContext | None = None
    origin: str = ""
    """Of the frame it is in, where that is another's."""


class Matches(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first matches, and how many there are in all."""

    query: str
    count: int
    matches: list[Match]
    warnings: list[str] = []
    complete: bool = True
    """Whether all of the page was looked at, as it is now, before the time was up."""


async def text_search(  # noqa: PLR0913  (all by name)
    agent: PageAgent,
    text: str,
    *,
    caller: str,
    exact: bool = False,
    scope: str | None = None,
    include_hidden: bool = False,
    values: bool = True,
    max_matches: int = 20,
    timeout: float = DEADLINE,
) -> Matches:
    """Find `text` in the whole tab, or inside the element with the ref `scope`.

    Without `values`, what fields and editors hold is no text of the page.
    """
    if not 1 <= max_matches <= MOST_MATCHES:
        raise InvalidArgument(f"max_matches must be between 1 and {MOST_MATCHES}")
    asked: dict[str, Any] = {
        "caller": caller,
        "text": text,
        "exact": exact,
        "includeHidden": include_hidden,
        "values": values,
        "maxMatches": max_matches,
        "ms": time_to_search(timeout),
    }
    if scope is None:
        answers, warnings = await look_everywhere(agent, "text_search", timeout=timeout, **asked)
    else:
        frame, number = await inside(agent, scope, timeout=timeout)
        said = await look(agent, frame, "text_search", timeout=timeout, scope=number, **asked)
        where = Setting()
        if frame.parent is not None:
            where = await setting(agent, frame, said["view"], timeout=timeout)
        answers, warnings = [Answer(frame, said, where)], []

    matches: list[Match] = []
    count = 0
    for answer in answers:
        gone = answer.setting.actionable == "hidden"
        if gone and not include_hidden:
            continue
        count += answer.said["count"]
        warnings += [each for each in answer.said["warnings"] if each not in warnings]
        for found in answer.said["matches"]:
            if gone:
                found["hidden"] = "not rendered"
            matches.append(msgspec.convert(answer.setting.place(found), Match))
    if count > max_matches:
        matches = matches[:max_matches]
        warnings.append(f"showing {len(matches)} of {count} matches")
    complete = all(answer.said["complete"] for answer in answers)
    return Matches(text, count, matches, warnings, complete)
