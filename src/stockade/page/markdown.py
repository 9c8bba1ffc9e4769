"""A tab as Markdown: what a reader sees of it, without roles and refs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from stockade.engines.port import DEADLINE, Frame
from stockade.page.agent import PageAgent
from stockade.page.inlay import Inlaid, inlaid
from stockade.page.reach import inside

__all__ = ["Links", "MarkdownOptions", "boundary", "context", "markdown"]

_SCRIPT: Final = "markdown.js markdown_writer.js main_content.js data_tables.js"
_LIMITS: Final = {"nodes": 300_000, "ms": 2000, "characters": 2_000_000}

_HEADING: Final = re.compile(r"^[> ]*(#{1,6} .+)$", re.MULTILINE)
_FENCE: Final = re.compile(r"^[> ]*(`{3,}\w*)", re.MULTILINE)

Links = Literal["inline", "footnotes", "none"]


@dataclass(frozen=True)
class MarkdownOptions:
    """How links are written, and how much of the page is wanted."""

    links: Links = "inline"
    main_only: bool = False


def _joint(prefix: str, frame: Frame | None, text: str) -> str:
    if frame is None or not text.strip():
        return ""
    return f"[frame {prefix} {frame.origin}]\n\n{text}\n\n[end of frame {prefix}]"


async def markdown(
    agent: PageAgent,
    *,
    caller: str,
    ref: str | None = None,
    options: MarkdownOptions = MarkdownOptions(),  # noqa: B008  (frozen)
    timeout: float = DEADLINE,
) -> Inlaid:
    """The text of the tab, or of the element with that ref, with frames and shadow roots in it."""
    frame, number = agent.page.main_frame, None
    if ref is not None:
        frame, number = await inside(agent, ref, timeout=timeout)
    asked: dict[str, Any] = {"caller": caller, "links": options.links, "limits": _LIMITS}
    return await inlaid(
        agent,
        _SCRIPT,
        frame,
        _joint,
        inner=asked,
        timeout=timeout,
        scope=number,
        mainOnly=options.main_only,
        **asked,
    )


def boundary(text: str, start: int, end: int) -> int:
    """The last place, at or before `end`, that is not in the middle of a word."""
    if end >= len(text) or text[end - 1].isspace():
        return end
    spaces = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
    return spaces + 1 if spaces > start else end


def context(text: str, at: int) -> tuple[str, str]:
    """The heading above a place; and what reopens the code or the table that it is in."""
    headings = _HEADING.findall(text, 0, at)
    said = f'"{headings[-1].lstrip("# ")}"' if headings else ""
    fences = _FENCE.findall(text, 0, at)
    if len(fences) % 2:
        return said, f"{fences[-1]}\n"
    lines = text[:at].split("\n")
    if lines[-1].strip() or not text[at : at + 100].lstrip().startswith("|"):
        return said, ""
    first = len(lines) - 1
    while first and lines[first - 1].lstrip().startswith("|"):
        first -= 1
    head = lines[first : first + 2]
    return said, "".join(f"{line}\n" for line in head) if len(lines) - 1 - first > 1 else ""
