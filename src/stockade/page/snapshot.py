"""Snapshots of a whole tab: every frame asked, the budget shared out, the texts put together."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import (
    DeadlineExceeded,
    EngineError,
    InvalidArgument,
    PageCrashed,
    StaleRef,
    StockadeError,
)
from stockade.page.agent import PageAgent

__all__ = ["Delta", "FrameView", "Region", "Snapshot", "SnapshotOptions", "Snapshots"]

DEFAULT_BUDGET: Final = 3000
DELTA_BUDGET: Final = 800
_FRAME_PATIENCE: Final = 2.0
_MOST_FRAMES: Final = 30
_JOINT: Final = 1
"""What putting one frame's lines between another's may cost, in tokens."""
_TOKEN: Final = re.compile(r"(f\d{1,9})?s\d{1,15}\.\d{1,9}")


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


class _Place(msgspec.Struct):
    ref: int
    row: int
    indent: int


class _View(msgspec.Struct):
    """The page agent's answer, for one frame."""

    text: str = ""
    url: str = ""
    title: str = ""
    refs: int = 0
    interactive: int = 0
    hidden: int = 0
    tokens: int = 0
    truncated: bool = False
    limited: str | None = None
    continuation: str | None = None
    frames: list[_Place] = []
    suspects: int = 0
    focused: bool = False
    fresh: bool = False
    changes: int = 0
    appeared: list[Region] = []
    removed: list[Region] = []


@dataclass
class _Part:
    """One frame's share of a snapshot."""

    frame: Frame
    pad: int
    view: _View
    children: list[tuple[_Place, _Part]] = field(default_factory=list)
    problem: str | None = None

    def all(self) -> list[_Part]:
        """This frame and those in it, outer before inner."""
        found = [self]
        for part in found:
            found.extend(child for _, child in part.children)
        return found

    def rows(self) -> list[str]:
        """The lines, with those of child frames below the lines of their elements."""
        rows = self.view.text.split("\n") if self.view.text else []
        for place, child in reversed(self.children):
            rows[place.row + 1 : place.row + 1] = child.rows()
        return rows


class Snapshots:
    """How callers look at one tab."""

    def __init__(self, agent: PageAgent) -> None:
        self._agent = agent
        self._looked: dict[tuple[str, str], str] = {}

    # --- snapshot -------------------------------------------------------------------------------

    async def take(
        self, caller: str, options: SnapshotOptions | None = None, *, timeout: float = DEADLINE
    ) -> Snapshot:
        """Look at the tab, or at the part of it that `options` names."""
        wanted = options or SnapshotOptions()
        if wanted.continuation is not None:
            return await self._proceed(caller, wanted, timeout)
        frame, number = self._agent.page.main_frame, 0
        if wanted.scope is not None:
            frame, number = self._agent.locate(wanted.scope)
        arguments = {
            "caller": caller,
            "mode": wanted.mode,
            "scope": number,
            "depth": wanted.depth or 0,
            "hidden": wanted.hidden,
            "urls": wanted.urls,
        }
        root = await self._view(frame, 0, wanted.budget, arguments, timeout)
        await self._descend(root, wanted.budget, {**arguments, "scope": 0})
        parts = root.all()
        if len(parts) > 1 and _total(parts) > wanted.budget:
            root = await self._shrink(parts, wanted.budget, arguments, timeout)
        return self._finish(root)

    async def _proceed(self, caller: str, wanted: SnapshotOptions, timeout: float) -> Snapshot:
        token = wanted.continuation or ""
        parts = _TOKEN.fullmatch(token)
        if parts is None:
            raise InvalidArgument("that is not a continuation", continuation=token[:80])
        try:
            frame, _ = self._agent.locate(f"{parts[1] or ''}e0")
        except StaleRef:
            raise InvalidArgument(
                "the frame of that snapshot is gone; take a new one", reason="stale_continuation"
            ) from None
        raw = await self._agent.call(
            frame,
            "snapshot",
            timeout=timeout,
            caller=caller,
            continuation=token,
            budget=wanted.budget,
        )
        return self._finish(_Part(frame, 0, msgspec.convert(raw, _View)))

    async def _view(
        self, frame: Frame, pad: int, budget: int, arguments: dict[str, Any], timeout: float
    ) -> _Part:
        """One frame as it is; closed shadow roots that turn up are opened first."""
        asked = {**arguments, "pad": pad, "budget": max(1, budget)}
        raw = await self._agent.call(frame, "snapshot", timeout=timeout, **asked)
        view = msgspec.convert(raw, _View)
        if view.suspects and await self._agent.adopt_closed_roots(frame, timeout=timeout):
            raw = await self._agent.call(frame, "snapshot", timeout=timeout, **asked)
            view = msgspec.convert(raw, _View)
        if not arguments["scope"]:
            self._looked[arguments["caller"], frame.id] = frame.document
        return _Part(frame, pad, view)

    async def _descend(self, root: _Part, budget: int, arguments: dict[str, Any]) -> None:
        """Look into the frames whose elements were shown, level by level."""
        level, left = [root], _MOST_FRAMES
        while level:
            places = [(part, place) for part in level for place in part.view.frames][:left]
            left -= len(places)
            level = []
            found = await asyncio.gather(
                *(self._inside(part, place, budget, arguments) for part, place in places)
            )
            for (part, place), child in zip(places, found, strict=True):
                if child is not None:
                    part.children.append((place, child))
                    level.append(child)

    async def _inside(
        self, part: _Part, place: _Place, budget: int, arguments: dict[str, Any]
    ) -> _Part | None:
        """The content of one frame element, or a line that says why there is none."""
        pad = part.pad + place.indent + 2
        child: Frame | None = None
        try:
            child = await self._agent.child_frame(part.frame, place.ref, timeout=_FRAME_PATIENCE)
            if child is None:
                return None
            return await self._view(child, pad, budget, arguments, _FRAME_PATIENCE)
        except (EngineError, DeadlineExceeded) as error:
            problem = _problem(error)
            text = f"{' ' * pad}… its content could not be read: {problem}"
            view = _View(text=text, tokens=_cost(text), url=child.url if child else "")
            return _Part(child or part.frame, pad, view, problem=problem)

    async def _shrink(
        self, parts: Sequence[_Part], budget: int, arguments: dict[str, Any], timeout: float
    ) -> _Part:
        """Ask again, each frame with its share of the budget."""
        root, *others = parts
        shares = _allot(root, others, budget)
        old = root
        root = await self._view(old.frame, 0, shares[id(old)], arguments, timeout)
        shown = {place.ref: place for place in root.view.frames}
        inner = {**arguments, "scope": 0}

        async def again(part: _Part) -> _Part:
            share = shares[id(part)]
            if part.problem is None and part.view.tokens > share:
                try:
                    fresh = await self._view(part.frame, part.pad, share, inner, _FRAME_PATIENCE)
                except (EngineError, DeadlineExceeded):
                    return _Part(part.frame, part.pad, _View(), problem="it went away")
                return fresh
            return _Part(part.frame, part.pad, part.view, problem=part.problem)

        pending = [(root, shown, old.children)]
        for holder, places, children in pending:
            for place, child in children:
                kept = places.get(place.ref)
                if kept is None:
                    continue
                part = await again(child)
                holder.children.append((kept, part))
                inside = {other.ref: other for other in part.view.frames}
                pending.append((part, inside, child.children))
        return root

    def _finish(self, root: _Part) -> Snapshot:
        parts = root.all()
        views = [part.view for part in parts]
        rows = root.rows()
        frames = tuple(
            FrameView(
                ref=f"{self._agent.prefix(part.frame)}e{place.ref}",
                prefix=self._agent.prefix(child.frame) if child.frame is not part.frame else "",
                url=child.view.url,
                problem=child.problem,
            )
            for part in parts
            for place, child in part.children
        )
        return Snapshot(
            text="\n".join(rows),
            url=root.view.url,
            title=root.view.title,
            refs=sum(view.refs for view in views),
            interactive=sum(view.interactive for view in views),
            hidden=sum(view.hidden for view in views),
            tokens=_total(parts),
            truncated=any(view.truncated for view in views),
            limited=next((view.limited for view in views if view.limited), None),
            continuation=next((view.continuation for view in views if view.continuation), None),
            frames=frames,
        )

    # --- delta ----------------------------------------------------------------------------------

    async def delta(
        self, caller: str, *, budget: int = DELTA_BUDGET, timeout: float = DEADLINE
    ) -> Delta:
        """What changed since `caller` last looked; all of it, if this is a new document to them."""
        main = self._agent.page.main_frame
        known = self._looked.get((caller, main.id)) == main.document
        view = await self._changes(main, caller, budget if not known else budget * 3 // 4, timeout)
        if view is None:
            shown = await self.take(caller, SnapshotOptions(budget=budget), timeout=timeout)
            return Delta(shown.text, 0, shown.tokens, truncated=shown.truncated, snapshot=shown)
        views = [view, *await self._changes_inside(caller, budget - view.tokens)]
        told = [view for view in views if view.text]
        return Delta(
            text="\n".join(view.text for view in told),
            changes=sum(view.changes for view in views),
            tokens=sum(view.tokens + _JOINT for view in told[1:]) + views[0].tokens,
            appeared=tuple(region for view in views for region in view.appeared),
            removed=tuple(region for view in views for region in view.removed),
            truncated=any(view.truncated for view in views),
            limited=next((view.limited for view in views if view.limited), None),
            continuation=next((view.continuation for view in views if view.continuation), None),
        )

    async def _changes(
        self, frame: Frame, caller: str, budget: int, timeout: float
    ) -> _View | None:
        """The changes in one frame, or None if the caller never saw its document."""
        raw = await self._agent.call(
            frame, "delta", timeout=timeout, caller=caller, budget=max(1, budget), known=True
        )
        view = msgspec.convert(raw, _View)
        if view.suspects:
            await self._agent.adopt_closed_roots(frame, timeout=timeout)
        return None if view.fresh else view

    async def _changes_inside(self, caller: str, budget: int) -> list[_View]:
        """The changes in child frames: those seen before, and new documents in them."""
        frames = [
            frame for frame in self._agent.frames()[1:] if (caller, frame.id) in self._looked
        ][:_MOST_FRAMES]
        if not frames:
            return []
        share = max(1, budget // len(frames) - 12)

        async def one(frame: Frame) -> _View:
            label = f"in frame {self._agent.prefix(frame)}:"
            try:
                view = await self._changes(frame, caller, share, _FRAME_PATIENCE)
                if view is None:
                    arguments = {"caller": caller, "mode": "full", "scope": 0}
                    view = (await self._view(frame, 2, share, arguments, _FRAME_PATIENCE)).view
                    label = f"new document in frame {self._agent.prefix(frame)}:"
                    view.changes = 1
            except (EngineError, DeadlineExceeded):
                return _View()
            if view.text:
                view.text = f"{label}\n{view.text}"
                view.tokens += _cost(label) + _JOINT
            return view

        return list(await asyncio.gather(*(one(frame) for frame in frames)))


def _problem(error: StockadeError) -> str:
    if isinstance(error, PageCrashed):
        return "it crashed"
    if isinstance(error, DeadlineExceeded):
        return "it did not answer in time"
    return f"it is not there ({error.code})"


def _cost(text: str) -> int:
    return len(text) // 4 + 2


def _total(parts: Sequence[_Part]) -> int:
    return sum(part.view.tokens for part in parts) + _JOINT * (len(parts) - 1)


def _allot(root: _Part, others: Sequence[_Part], budget: int) -> dict[int, int]:
    """Shares of the budget: at least half for the root, the others filled evenly from the rest.

    What one does not need goes to those who need more; a frame that has the focus counts double.
    """
    spendable = budget - _JOINT * len(others)
    wants = {id(part): part.view.tokens for part in others}
    rest = max(spendable // 2, spendable - root.view.tokens)
    shares: dict[int, int] = {}
    waiting = list(others)
    while waiting:
        weights = {id(part): 2 if part.view.focused else 1 for part in waiting}
        unit = max(0, rest) / sum(weights.values())
        content = [part for part in waiting if wants[id(part)] <= unit * weights[id(part)]]
        if not content:
            shares.update({key: max(1, int(unit * weight)) for key, weight in weights.items()})
            break
        for part in content:
            shares[id(part)] = wants[id(part)]
            rest -= wants[id(part)]
            waiting.remove(part)
    shares[id(root)] = max(1, spendable - sum(shares.values()))
    return shares
