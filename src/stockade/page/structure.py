"""How a tab is built: its frames, and the shadow trees in them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from stockade.engines.port import DEADLINE, Frame
from stockade.page.agent import PageAgent
from stockade.page.reach import inside, look, look_everywhere

__all__ = ["FrameRow", "ShadowChild", "ShadowTree", "ShadowTrees", "frame_rows", "shadow_trees"]

_SCRIPT = "shadow_trees.js"


class FrameRow(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """One frame; the main one is `f0`, the others are named as their refs begin."""

    frame_id: str
    url: str
    name: str
    is_main_frame: bool
    origin: str
    parent_frame_id: str | None = None


class ShadowChild(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """An element directly below a shadow root."""

    tag: str
    child_count: int
    text: str = ""


class ShadowTree(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """One shadow root; `parentHostRef` is the host of the tree that its own host is in."""

    host_ref: str
    host_tag: str
    mode: Literal["open", "closed"]
    children: list[ShadowChild]
    child_count: int
    descendant_count: int
    host_name: str = ""
    parent_host_ref: str | None = None


class ShadowTrees(msgspec.Struct, frozen=True):
    """The shadow roots of a tab, and how many there are in all."""

    trees: list[ShadowTree]
    found: int
    warnings: list[str]


def frame_rows(agent: PageAgent) -> list[FrameRow]:
    """All frames, parents before children."""
    return [
        FrameRow(
            frame_id=_name(agent, frame),
            url=frame.url,
            name=frame.name,
            is_main_frame=frame.parent is None,
            origin=frame.origin,
            parent_frame_id=_name(agent, frame.parent) if frame.parent is not None else None,
        )
        for frame in agent.frames()
    ]


def _name(agent: PageAgent, frame: Frame) -> str:
    return agent.prefix(frame) or "f0"


async def shadow_trees(
    agent: PageAgent,
    *,
    caller: str,
    ref: str | None = None,
    most: int = 200,
    timeout: float = DEADLINE,
) -> ShadowTrees:
    """The shadow trees of all frames, or those in the element with that ref, closed ones too."""
    asked: dict[str, Any] = {"caller": caller, "most": most}
    if ref is not None:
        only, number = await inside(agent, ref, timeout=timeout)
        frames, asked["scope"] = [only], number
    else:
        frames = agent.frames()
    for frame in frames:
        first = await agent.call(frame, _SCRIPT, timeout=timeout, **asked)
        if first["doubts"]:
            await agent.adopt_closed_roots(frame, timeout=timeout)
    asked["asked"] = True
    warnings: list[str] = []
    if ref is not None:
        answers = [await look(agent, frames[0], _SCRIPT, timeout=timeout, **asked)]
    else:
        parts, warnings = await look_everywhere(agent, _SCRIPT, timeout=timeout, **asked)
        answers = [part.said for part in parts]
    trees = [tree for said in answers for tree in said["trees"]]
    warnings += [each for said in answers for each in said["warnings"]]
    return ShadowTrees(
        msgspec.convert(trees[:most], list[ShadowTree]),
        sum(said["found"] for said in answers),
        warnings,
    )
