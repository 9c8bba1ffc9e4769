"""What a caller may ask to see of a tab, and what it is given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

__all__ = [
    "MARK_COST",
    "Delta",
    "FrameView",
    "Region",
    "Snapshot",
    "SnapshotOptions",
    "frame_mark",
    "stamped",
]

DEFAULT_BUDGET: Final = 3000
MARK_COST: Final = 14
"""What a marker adds to the line that names the origin of a frame, in tokens."""
_FRAME_MARK: Final = re.compile(
    r"^( *|(?:new document )?in frame f\d+: )<frame (\S+)>$", re.MULTILINE
)


def frame_mark(origin: str) -> str:
    """What stands before the lines of a frame that is another's; no line of a page begins so."""
    return f"<frame {origin}>"


def stamped(text: str, marker: str) -> str:
    """A snapshot whose frames are named with a marker that no page can have guessed."""
    return _FRAME_MARK.sub(rf"\1<frame {marker} \2>", text)


@dataclass(frozen=True)
class SnapshotOptions:
    """What a caller wants to see."""

    mode: Literal["full", "interactive"] = "full"
    scope: str | None = None
    """A ref: only that element and what is in it."""
    depth: int | None = None
    """How many levels of nesting to show."""
    budget: int = DEFAULT_BUDGET
    """The most tokens the text may have."""
    continuation: str | None = None
    """Goes on with an earlier snapshot; all but `budget` is then as it was there."""
    hidden: bool = False
    """Text that a human does not see is told too, marked."""
    urls: bool = False
    """Links say where they lead."""
    frame: str | None = None
    """Only that frame (`f2`) and those in it."""
    omit: tuple[str, ...] = ()
    """CSS selectors of what to leave out."""
    pierce: Literal["closed", "open", False] = "closed"
    """Which shadow roots to look into."""
    whole: bool = False
    """All of the page, whatever `budget` says, and with more time to read it."""


@dataclass(frozen=True)
class FrameView:
    """A child frame in a snapshot."""

    ref: str
    """The frame element, in the frame around it."""
    prefix: str
    url: str
    problem: str | None = None
    """Why its content is missing."""


@dataclass(frozen=True)
class Snapshot:
    """What a caller was shown."""

    text: str
    url: str
    title: str
    refs: int
    interactive: int
    hidden: int
    tokens: int
    truncated: bool
    limited: str | None
    continuation: str | None
    omitted: int = 0
    frames: tuple[FrameView, ...] = ()


@dataclass(frozen=True)
class Region:
    """A part of the page that came or went as a whole."""

    role: str
    name: str
    ref: str | None


@dataclass(frozen=True)
class Delta:
    """What changed since the caller last looked; an empty text when nothing did."""

    text: str
    changes: int
    tokens: int
    appeared: tuple[Region, ...] = ()
    removed: tuple[Region, ...] = ()
    truncated: bool = False
    limited: str | None = None
    continuation: str | None = None
    snapshot: Snapshot | None = None
    """Set when the caller had not seen this document: then `text` is all of it."""
