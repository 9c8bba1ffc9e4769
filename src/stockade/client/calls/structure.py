"""Calls of the tools in `structure`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class FrameRow(TypedDict):
    """One frame; the main one is `f0`, the others are named as their refs begin."""

    frameId: str
    url: str
    name: str
    isMainFrame: bool
    origin: str
    parentFrameId: NotRequired[str | None]


class Frames(Beside):
    """The frames of the tab, parents before children."""

    ok: bool
    frames: list[FrameRow]
    tokensEstimate: int


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class ShadowChild(TypedDict):
    """An element directly below a shadow root."""

    tag: str
    childCount: int
    text: NotRequired[str]


class ShadowTree(TypedDict):
    """One shadow root; `parentHostRef` is the host of the tree that its own host is in."""

    hostRef: str
    hostTag: str
    mode: Literal['closed', 'open']
    children: list[ShadowChild]
    childCount: int
    descendantCount: int
    hostName: NotRequired[str]
    parentHostRef: NotRequired[str | None]


class Shadows(Beside):
    """Shadow trees in the order of the page."""

    trees: list[ShadowTree]
    closedShadowAvailable: bool
    warnings: list[str]
    tokensEstimate: int
    cappedAt: NotRequired[int | None]


class StructureCalls(Calls):
    """Methods that call tools."""

    async def frames_list(
        self,
    ) -> Frames:
        """List the frames of the tab, named as in refs (f1e3 is in f1)."""
        answer = await self._call("frames_list", {}, {}, in_tab=True)
        return cast("Frames", answer)

    async def shadow_trees(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        max_hosts: int | None = None,
    ) -> Shadows:
        """List shadow roots, open and closed, with their hosts and content. It is untrusted."""
        answer = await self._call("shadow_trees", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "maxHosts": max_hosts}, in_tab=True, target=target)
        return cast("Shadows", answer)

    async def read_dom(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        keep: list[Literal['scripts', 'styles', 'comments', 'hidden']] | None = None,
        attributes: Literal['useful', 'all'] | None = None,
        refs: bool | None = None,
        depth: int | None = None,
        max_result_tokens: int | None = None,
        continuation: str | None = None,
    ) -> str:
        """Read the markup of the page or an element as clean HTML. It is untrusted data."""
        answer = await self._call("read_dom", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "keep": keep, "attributes": attributes, "refs": refs, "depth": depth, "maxResultTokens": max_result_tokens, "continuation": continuation}, in_tab=True, target=target)
        return cast("str", answer)
