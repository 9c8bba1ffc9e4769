"""A tab as clean HTML, with shadow roots as templates and frames where their elements are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from stockade.engines.port import DEADLINE, Frame
from stockade.page.agent import PageAgent
from stockade.page.inlay import Inlaid, inlaid

__all__ = ["Keep", "MarkupOptions", "boundary", "context", "markup"]

_SCRIPT: Final = "clean_html.js"
_LIMITS: Final = {"nodes": 300_000, "ms": 2000, "characters": 2_000_000}
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)([^>]*)>")
_VOID: Final = re.compile(
    "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr", re.IGNORECASE
)
_SHOWN: Final = 8

Keep = Literal["scripts", "styles", "comments", "hidden"]


@dataclass(frozen=True)
class MarkupOptions:
    """What is kept of the markup."""

    keep: Sequence[Keep] = ()
    attributes: Literal["useful", "all"] = "useful"
    refs: bool = False
    depth: int | None = None


def _joint(prefix: str, frame: Frame | None, text: str) -> str:
    if frame is None:
        return ""
    return f"<!-- frame {prefix} {re.sub('[<>]', '', frame.origin)} -->\n{text}\n"


async def markup(
    agent: PageAgent,
    *,
    caller: str,
    ref: str | None = None,
    options: MarkupOptions = MarkupOptions(),  # noqa: B008  (frozen)
    timeout: float = DEADLINE,
) -> Inlaid:
    """The markup of the tab, or of the element with that ref; passwords are never in it."""
    frame, number = agent.page.main_frame, None
    if ref is not None:
        frame, number = agent.locate(ref)
    asked: dict[str, Any] = {
        "caller": caller,
        "keep": list(options.keep),
        "attributes": options.attributes,
        "refs": options.refs,
        "depth": options.depth,
        "limits": _LIMITS,
    }
    return await inlaid(
        agent, _SCRIPT, frame, _joint, inner=asked, timeout=timeout, scope=number, **asked
    )


def boundary(text: str, start: int, end: int) -> int:
    """The last place, at or before `end`, that is in no tag, comment or character reference."""
    opened, closed = text.rfind("<", 0, end), text.rfind(">", 0, end)
    if opened > closed:
        if opened > start:
            return opened
        after = text.find(">", end)
        return after + 1 if after >= 0 else len(text)
    spaces = max(text.rfind(" ", start, end), text.rfind("\n", start, end), closed)
    return spaces + 1 if spaces > start else end


def context(text: str, at: int) -> tuple[str, str]:
    """The elements that a place is in, outermost first."""
    path: list[str] = []
    for slash, tag, rest in _TAG.findall(text, 0, at):
        if slash:
            if tag in path:
                del path[len(path) - 1 - path[::-1].index(tag) :]
        elif not _VOID.fullmatch(tag) and not rest.endswith("/"):
            path.append(tag)
    said = " > ".join(path[-_SHOWN:])
    return (f"… > {said}" if len(path) > _SHOWN else said), ""
