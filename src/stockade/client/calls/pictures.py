"""Calls of the tools in `pictures`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class Pictured(Beside):
    """What was pictured; the picture itself stands beside, or is in a file."""

    ok: bool
    format: str
    fullPage: bool
    width: int
    height: int
    bytes: int
    captured_at: str
    tokensEstimate: int
    caption: NotRequired[str]
    scaledTo: NotRequired[float]
    uri: NotRequired[str]
    path: NotRequired[str]
    warnings: NotRequired[list[str]]


class Area(TypedDict):
    """A box of the window in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Candidate(TypedDict):
    """An element to mark: its ref, or a whole row of find."""

    ref: str


class Bounds(TypedDict):
    """A box of the window."""

    x: float
    y: float
    width: float
    height: float


class MarkRow(TypedDict):
    """An element, and whether its box is on the picture."""

    index: int
    ref: str
    role: NotRequired[str]
    name: NotRequired[str]
    testId: NotRequired[str]
    bbox: Bounds | None
    painted: bool
    reason: NotRequired[str]


class MarkedPicture(Beside):
    """The marks of the picture that stands beside."""

    ok: bool
    marks: list[MarkRow]
    mapping: dict[str, str]
    warnings: list[str]
    width: int
    height: int
    uri: NotRequired[str]
    tokensEstimate: int


class PicturesCalls(Calls):
    """Methods that call tools."""

    async def screenshot(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        format: Literal['jpeg', 'png', 'webp'] | None = None,
        describe: bool | None = None,
        path: str | None = None,
        quality: int | None = None,
        scale: Literal['css', 'device'] | None = None,
        full_page: bool | None = None,
        max_pixels: int | None = None,
    ) -> Pictured:
        """Picture the viewport, the full page or one element. What it shows is untrusted."""
        answer = await self._call("screenshot", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "format": format, "describe": describe, "path": path, "quality": quality, "scale": scale, "fullPage": full_page, "maxPixels": max_pixels}, in_tab=True, target=target)
        return cast("Pictured", answer)

    async def screenshot_region(
        self,
        *,
        box: Area,
        format: Literal['jpeg', 'png', 'webp'] | None = None,
        describe: bool | None = None,
        path: str | None = None,
    ) -> Pictured:
        """Picture a box of the window. What it shows is untrusted."""
        answer = await self._call("screenshot_region", {"box": box}, {"format": format, "describe": describe, "path": path}, in_tab=True)
        return cast("Pictured", answer)

    async def screenshot_marks(
        self,
        *,
        candidates: list[Candidate],
        label: Literal['index', 'ref', 'role'] | None = None,
    ) -> MarkedPicture:
        """Picture the window with numbered boxes around elements. What it shows is untrusted."""
        answer = await self._call("screenshot_marks", {"candidates": candidates}, {"label": label}, in_tab=True)
        return cast("MarkedPicture", answer)
