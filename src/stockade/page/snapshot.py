"""Snapshots of a whole tab: every frame asked, the budget shared out, the texts put together."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import (
    DeadlineExceeded,
    EngineError,
    InvalidArgument,
    StaleRef,
    StockadeError,
    TabCrashed,
)
from stockade.page.agent import PageAgent
from stockade.page.reach import named_frame
from stockade.page.shares import Claim, share_out
from stockade.page.views import (
    MARK_COST,
    Delta,
    FrameView,
    Region,
    Snapshot,
    SnapshotOptions,
    frame_mark,
)

__all__ = ["Delta", "FrameView", "Region", "Snapshot", "SnapshotOptions", "Snapshots"]

DELTA_BUDGET: Final = 800
_FRAME_PATIENCE: Final = 2.0
_MOST_FRAMES: Final = 30
_MOST_LOOKS: Final = 1000
_WHOLE: Final = 1_000_000
"""The largest budget that the agent knows."""
_WHOLE_LIMITS: Final = {"ms": 10_000, "nodes": 2_000_000}
_JOINT: Final = 1
"""What putting one frame's lines between another's may cost, in tokens."""
_SLACK: Final = 4
"""What a frame needs beyond the tokens of its text to be shown whole."""
_TOKEN: Final = re.compile(r"(f\d{1,9})?s\d{1,15}\.\d{1,9}")


class _Place(msgspec.Struct):
    ref: int
    row: int
    indent: int


class _View(msgspec.Struct):
    """The page agent's answer, for one frame."""

    text: str = ""
    url: str = ""
    origin: str = ""
    title: str = ""
    refs: int = 0
    interactive: int = 0
    hidden: int = 0
    omitted: int = 0
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
    origin: str = ""
    """Whose it is, where that is another than of the frame around it."""

    @property
    def label(self) -> str:
        """The line before its own that says whose they are."""
        return f"{' ' * self.pad}{frame_mark(self.origin)}" if self.origin else ""

    @property
    def tokens(self) -> int:
        """What it costs."""
        return self.view.tokens + (_cost(self.label) + MARK_COST if self.origin else 0)

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
            inner = child.rows()
            rows[place.row + 1 : place.row + 1] = (
                [child.label, *inner] if inner and child.origin else inner
            )
        return rows


class Snapshots:
    """How callers look at one tab."""

    def __init__(self, agent: PageAgent) -> None:
        self._agent = agent
        self._looked: dict[tuple[str, str], None] = {}

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
        elif wanted.frame is not None:
            frame = named_frame(self._agent, wanted.frame)
        arguments = {
            "caller": caller,
            "mode": wanted.mode,
            "scope": number,
            "depth": wanted.depth or 0,
            "hidden": wanted.hidden,
            "urls": wanted.urls,
            "omit": list(wanted.omit),
            "pierce": wanted.pierce,
        }
        budget = _WHOLE if wanted.whole else wanted.budget
        if wanted.whole:
            arguments |= _WHOLE_LIMITS
        root = await self._view(frame, 0, budget, arguments, timeout)
        await self._descend(root, budget, {**arguments, "scope": 0})
        parts = root.all()
        if len(parts) > 1 and _total(parts) > budget:
            root = await self._shrink(parts, budget, arguments, timeout)
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
        view = await self._look(frame, "snapshot", timeout, asked)
        if view.suspects and await self._agent.adopt_closed_roots(frame, timeout=timeout):
            view = await self._look(frame, "snapshot", timeout, asked)
        if not arguments["scope"]:
            self._looked[arguments["caller"], frame.id] = None
            if len(self._looked) > _MOST_LOOKS:
                del self._looked[next(iter(self._looked))]
        return _Part(frame, pad, view)

    async def _look(
        self, frame: Frame, method: str, timeout: float, asked: dict[str, Any]
    ) -> _View:
        """One look; where there are elements that may listen to clicks, the agent is told first."""
        raw = await self._agent.call(frame, method, timeout=timeout, heard=False, **asked)
        if raw.get("unheard"):
            await self._agent.hear_listeners(frame, timeout=timeout)
            if raw["roots"]:
                await self._agent.hear_shadow_listeners(frame, timeout=timeout)
            raw = await self._agent.call(frame, method, timeout=timeout, heard=True, **asked)
        if raw.get("roots") and await self._agent.hear_shadow_listeners(frame, timeout=timeout):
            raw = await self._agent.call(frame, method, timeout=timeout, heard=True, **asked)
        return msgspec.convert(raw, _View)

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
            inner = await self._view(child, pad, budget, arguments, _FRAME_PATIENCE)
        except (EngineError, DeadlineExceeded) as error:
            problem = _problem(error)
            text = f"{' ' * pad}… its content could not be read: {problem}"
            view = _View(text=text, tokens=_cost(text), url=child.url if child else "")
            return _Part(child or part.frame, pad, view, problem=problem)
        inner.origin = _foreign(inner.view, part.view.origin)
        return inner

    async def _shrink(
        self, parts: Sequence[_Part], budget: int, arguments: dict[str, Any], timeout: float
    ) -> _Part:
        """Ask again, each frame with its share of the budget."""
        root, *others = parts
        claims = [Claim(part.tokens, 2 if part.view.focused else 1) for part in others]
        spendable = budget - _JOINT * len(others)
        most, inner_shares = share_out(spendable, root.view.tokens + _SLACK, claims)
        shares = {id(part): share for part, share in zip(others, inner_shares, strict=True)}
        old = root
        root = await self._view(old.frame, 0, most, arguments, timeout)
        shown = {place.ref: place for place in root.view.frames}
        inner = {**arguments, "scope": 0}

        async def again(part: _Part) -> _Part:
            share = shares[id(part)]
            if part.tokens > share:
                if part.problem is not None:
                    return _Part(part.frame, part.pad, _View(), problem=part.problem)
                room = share - (part.tokens - part.view.tokens)
                try:
                    fresh = await self._view(part.frame, part.pad, room, inner, _FRAME_PATIENCE)
                except (EngineError, DeadlineExceeded):
                    return _Part(part.frame, part.pad, _View(), problem="it went away")
                fresh.origin = part.origin
                return fresh
            return _Part(part.frame, part.pad, part.view, problem=part.problem, origin=part.origin)

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
            omitted=sum(view.omitted for view in views),
            frames=frames,
        )

    # --- delta ----------------------------------------------------------------------------------

    async def delta(
        self, caller: str, *, budget: int = DELTA_BUDGET, timeout: float = DEADLINE
    ) -> Delta:
        """What changed since `caller` last looked; all of it, if this is a new document to them."""
        main = self._agent.page.main_frame
        inner = self._seen_inside(caller)
        share = budget * 3 // 4 if inner else budget
        view = await self._changes(main, caller, share, timeout)
        if view is None:
            shown = await self.take(caller, SnapshotOptions(budget=budget), timeout=timeout)
            return Delta(shown.text, 0, shown.tokens, truncated=shown.truncated, snapshot=shown)
        root = _Part(main, 0, view)
        await self._open_new(root, caller, budget - view.tokens)
        left = budget - _total(root.all())
        views = [part.view for part in root.all()]
        views += await self._changes_inside(caller, inner, left, view.origin)
        texts = ["\n".join(root.rows()), *(view.text for view in views[len(root.all()) :])]
        return Delta(
            text="\n".join(filter(None, texts)),
            changes=sum(view.changes for view in views),
            tokens=sum(view.tokens + _JOINT for view in views[1:] if view.text) + view.tokens,
            appeared=tuple(region for view in views for region in view.appeared),
            removed=tuple(region for view in views for region in view.removed),
            truncated=any(view.truncated for view in views),
            limited=next((view.limited for view in views if view.limited), None),
            continuation=next((view.continuation for view in views if view.continuation), None),
        )

    def _seen_inside(self, caller: str) -> list[Frame]:
        """The child frames that `caller` has looked into."""
        inner = [frame for frame in self._agent.frames() if frame.parent is not None]
        return [frame for frame in inner if (caller, frame.id) in self._looked][:_MOST_FRAMES]

    async def _open_new(self, root: _Part, caller: str, budget: int) -> None:
        """Put the content of frames that have just appeared below their lines."""
        places = root.view.frames[:_MOST_FRAMES]
        arguments = {"caller": caller, "mode": "full", "scope": 0}
        for place in places:
            share = max(1, budget // len(places) - _JOINT)
            child = await self._inside(root, place, share, arguments)
            if child is not None:
                root.children.append((place, child))

    async def _changes(
        self, frame: Frame, caller: str, budget: int, timeout: float
    ) -> _View | None:
        """The changes in one frame, or None if the caller never saw its document."""
        asked = {"caller": caller, "budget": max(1, budget), "known": True}
        view = await self._look(frame, "delta", timeout, asked)
        if view.suspects:
            await self._agent.adopt_closed_roots(frame, timeout=timeout)
        return None if view.fresh else view

    async def _changes_inside(
        self, caller: str, frames: Sequence[Frame], budget: int, around: str
    ) -> list[_View]:
        """The changes in child frames: those seen before, and new documents in them."""
        if not frames:
            return []
        share = max(1, budget // len(frames) - 12)

        async def one(frame: Frame) -> _View:
            label = "in frame"
            try:
                view = await self._changes(frame, caller, share, _FRAME_PATIENCE)
                if view is None:
                    arguments = {"caller": caller, "mode": "full", "scope": 0}
                    view = (await self._view(frame, 2, share, arguments, _FRAME_PATIENCE)).view
                    label = "new document in frame"
                    view.changes = 1
            except (EngineError, DeadlineExceeded):
                return _View()
            if view.text:
                label += f" {self._agent.prefix(frame)}:"
                if whose := _foreign(view, around):
                    label += f" {frame_mark(whose)}"
                    view.tokens += MARK_COST
                view.text = f"{label}\n{view.text}"
                view.tokens += _cost(label) + _JOINT
            return view

        return list(await asyncio.gather(*(one(frame) for frame in frames)))


def _problem(error: StockadeError) -> str:
    if isinstance(error, TabCrashed):
        return "it crashed"
    if isinstance(error, DeadlineExceeded):
        return "it did not answer in time"
    return f"it is not there ({error.code})"


def _cost(text: str) -> int:
    return len(text) // 4 + 2


def _total(parts: Sequence[_Part]) -> int:
    return sum(part.tokens for part in parts) + _JOINT * (len(parts) - 1)


def _foreign(view: _View, around: str) -> str:
    """The origin of a frame, if it is not the one around it; `null` is nobody's."""
    return "" if view.origin == around != "null" else view.origin
