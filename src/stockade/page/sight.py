"""Sight: where a tab shows what must not be seen.

The page is never told what that is. Each frame gives all that can be read in it as one text, the
caller says which parts of the text matter, and the frame says where these are.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from stockade.engines.port import DEADLINE, Frame
from stockade.engines.values import Box
from stockade.errors import (
    DeadlineExceeded,
    EngineError,
    NavigationRace,
    PictureWithheld,
    ProtocolFault,
)
from stockade.page.agent import PageAgent
from stockade.page.reach import Bounds, Level, look

__all__ = ["Search", "Sight", "Spotted"]

_SCRIPT = "sight.js sight_text.js sight_styles.js sight_places.js sight_follow.js"
_MOST_FRAMES = 200
_TRIES = 3
_RESTORE_PATIENCE = 2.0

Search = Callable[[str], Sequence[tuple[int, int]]]
"""Which characters of a text must not be seen: where each such part begins and ends."""


class Spotted(NamedTuple):
    """Boxes of the document, in whole pixels."""

    boxes: frozenset[Box]
    scroll: tuple[float, float]
    """How far the document is scrolled."""
    present: bool
    """Whether it is in the page at all, if only hidden now."""
    passing: frozenset[Box] = frozenset()
    """Where it was seen in between, since the look before."""
    missed: bool = False
    """Whether so much has changed in between that it may have been anywhere."""


class _View(NamedTuple):
    """How large the window of a frame is."""

    width: float
    height: float


@dataclass(frozen=True)
class _Part:
    """What one frame showed, in its own window."""

    frame: Frame
    boxes: Sequence[Sequence[float]]
    present: bool
    view: _View
    scroll: tuple[float, float] = (0, 0)
    passing: Sequence[Sequence[float]] = ()
    missed: bool = False


@dataclass(frozen=True)
class Sight:
    """Looks at one tab for one who knows what must not be seen."""

    agent: PageAgent
    search: Search
    drawings: bool = False
    """Whether what scripts have drawn may show it too: nobody can read that."""

    async def look(self, *, again: bool = False, timeout: float = DEADLINE) -> Spotted:
        """Look for it in all frames; `again` where the last look is to be compared with this."""
        frames = self.agent.frames()
        if len(frames) > _MOST_FRAMES:
            raise PictureWithheld(f"the page has more than {_MOST_FRAMES} frames")
        parts = await asyncio.gather(*(self._part(each, again, timeout) for each in frames))
        boxes: list[Bounds] = []
        passing: list[Bounds] = []
        for part in parts:
            if part.boxes or part.passing:
                levels = await self._levels(part, {each.frame: each for each in parts}, timeout)
                if levels is not None:
                    boxes += _mapped(part.boxes, levels)
                    passing += _mapped(part.passing, levels)
        scroll = parts[0].scroll
        missed = any(part.missed for part in parts)
        present = any(part.present for part in parts)
        return Spotted(_whole(boxes, scroll), scroll, present, _whole(passing, scroll), missed)

    @asynccontextmanager
    async def unprinted(self, *, timeout: float = DEADLINE) -> AsyncIterator[None]:
        """Take it off the paper for as long as this lasts."""
        frames = self.agent.frames()
        try:
            await asyncio.gather(*(self._hide(each, timeout) for each in frames))
            yield
        finally:
            await asyncio.gather(*(self._restore(each) for each in frames))

    async def _hide(self, frame: Frame, timeout: float) -> None:
        try:
            text = (await self._said(frame, again=False, timeout=timeout))["text"]
            spans = _utf16(text, self.search(text))
            said = await self.agent.call(frame, "unprinted.js", spans=spans, timeout=timeout)
        except EngineError:
            if not frame.detached:
                raise
            return
        if "lost" in said:
            raise NavigationRace("the page has gone on to another document")

    async def _restore(self, frame: Frame) -> None:
        with suppress(EngineError, DeadlineExceeded):
            await self.agent.call(frame, "unprinted.js", timeout=_RESTORE_PATIENCE)

    async def _part(self, frame: Frame, again: bool, timeout: float) -> _Part:  # noqa: FBT001
        try:
            for _ in range(_TRIES):
                if (part := await self._read(frame, again, timeout)) is not None:
                    return part
            raise NavigationRace("the page goes from document to document")
        except EngineError:
            if frame.parent is None:
                raise
            # What it shows cannot be told, so nothing of it is shown.
            boxes = () if frame.detached else ((0, 0, 1, 1),)
            return _Part(frame, boxes, bool(boxes), _View(1, 1))

    async def _read(self, frame: Frame, again: bool, timeout: float) -> _Part | None:  # noqa: FBT001
        """What a frame shows; None where it went on to another document meanwhile."""
        said = await self._said(frame, again, timeout)
        meanwhile = said["meanwhile"]
        passing = [*meanwhile["boxes"], *self._fresh(meanwhile["fresh"])]
        if (text := said.get("text")) is not None:
            spans = _utf16(text, self.search(text))
            if spans or said["covered"]:
                said = await self.agent.call(
                    frame, _SCRIPT, step="place", spans=spans, again=again, timeout=timeout
                )
        if "lost" in said:
            return None
        view = _View(said["view"]["width"] or 1, said["view"]["height"] or 1)
        boxes, scroll = said.get("boxes", ()), (said["x"], said["y"])
        return _Part(frame, boxes, "boxes" in said, view, scroll, passing, meanwhile["missed"])

    async def _levels(
        self, part: _Part, parts: Mapping[Frame, _Part], timeout: float
    ) -> list[Level] | None:
        """How a frame lies in the window of the tab, from the innermost out; None if nowhere."""
        levels: list[Level] = []
        frame, view = part.frame, part.view
        while (parent := frame.parent) is not None:
            try:
                quad = await frame.owner_quad(timeout=timeout)
            except ProtocolFault:
                owner = await self.agent.owner_number(frame, timeout=timeout)
                place = await self.agent.call(parent, "frame_place", owner=owner, timeout=timeout)
                if place["bbox"] is not None:
                    raise
                return None
            levels.append(Level(quad, *view))
            frame, view = parent, parts[parent].view
        return levels

    def _fresh(self, blocks: Sequence[dict[str, Any]]) -> list[Sequence[float]]:
        """Where it has come up since the last look."""
        if not self.search("\n\n".join(each["text"] for each in blocks)):
            return []
        return [box for each in blocks if self.search(each["text"]) for box in each["boxes"]]

    async def _said(self, frame: Frame, again: bool, timeout: float) -> dict[str, Any]:  # noqa: FBT001
        """What can be read in a frame; the text is left out where it is the same as before."""
        said = await look(
            self.agent,
            frame,
            _SCRIPT,
            step="read",
            again=again,
            drawings=self.drawings,
            timeout=timeout,
        )
        if said["limited"]:
            raise PictureWithheld("the page is too large to be searched for secrets")
        return said


def _mapped(boxes: Iterable[Sequence[float]], levels: Sequence[Level]) -> list[Bounds]:
    found = []
    for box in boxes:
        bounds = Bounds(*box)
        for level in levels:
            bounds = level.map(bounds)
        found.append(bounds)
    return found


def _whole(boxes: Iterable[Bounds], scroll: tuple[float, float]) -> frozenset[Box]:
    """Boxes of the document that hold those of the window, in whole pixels."""
    across, down = scroll
    found = set()
    for x, y, width, height in ((each.x, each.y, each.width, each.height) for each in boxes):
        left, top = math.floor(x + across), math.floor(y + down)
        right, bottom = math.ceil(x + width + across), math.ceil(y + height + down)
        found.add(Box(left, top, right - left, bottom - top))
    return frozenset(found)


def _utf16(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same spans as a page counts characters."""
    if text.isascii() or max(text) <= "\uffff":
        return sorted(spans)
    return sorted((_units(text[:start]), _units(text[:end])) for start, end in spans)


def _units(text: str) -> int:
    return len(text) + sum(each > "\uffff" for each in text)
