"""Calls of the tools in `differences`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class PixelBox(TypedDict):
    """A box of a picture, in its pixels."""

    x: int
    y: int
    width: int
    height: int


class NamedElement(TypedDict):
    """An element where something differs."""

    ref: str
    role: str
    name: str


class ChangedArea(TypedDict):
    """A part of the picture that differs."""

    x: float
    y: float
    width: float
    height: float
    changedPixels: int
    elements: NotRequired[list[NamedElement]]


class Size(TypedDict):
    """Pixels across and down."""

    width: int
    height: int


class VisualDifference(Beside):
    """How two pages differ; the picture beside shows it."""

    ok: bool
    same: bool
    percentage: float
    changedPixelCount: int
    width: int
    height: int
    areas: list[ChangedArea]
    warnings: list[str]
    tokensEstimate: int
    moreAreas: NotRequired[int]
    smoothedPixelCount: NotRequired[int]
    before: NotRequired[Size]
    after: NotRequired[Size]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class Bounds(TypedDict):
    """A box of a picture."""

    x: float
    y: float
    width: float
    height: float


class CanvasDifference(Beside):
    """How far two pictures differ."""

    ok: bool
    changedPixelCount: int
    changedBytes: int
    percentageChanged: float
    bboxOfChanges: Bounds | None
    width: int
    height: int
    warnings: list[str]


class DifferencesCalls(Calls):
    """Methods that call tools."""

    async def visual_diff(
        self,
        *,
        before: str,
        after: str | None = None,
        full_page: bool | None = None,
        ignore: list[PixelBox | str] | None = None,
        threshold: float | None = None,
        tolerate_antialiasing: bool | None = None,
        max_percent: float | None = None,
        path: str | None = None,
        timeout_ms: int | None = None,
    ) -> VisualDifference:
        """Compare how two pages or states look: what differs, where, and a picture of it. Untrusted."""
        answer = await self._call("visual_diff", {"before": before}, {"after": after, "fullPage": full_page, "ignore": ignore, "threshold": threshold, "tolerateAntialiasing": tolerate_antialiasing, "maxPercent": max_percent, "path": path, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("VisualDifference", answer)


class DifferencesServerCalls(Calls):
    """Methods that call tools."""

    async def canvas_diff(
        self,
        *,
        before_base64: str,
        after_base64: str,
        session: str | None = None,
        width: int | None = None,
        height: int | None = None,
        region: PixelBox | None = None,
        input_format: Literal['rgba', 'png'] | None = None,
    ) -> CanvasDifference:
        """Compare two pictures of one size pixel by pixel, raw RGBA or PNG."""
        answer = await self._call("canvas_diff", {"beforeBase64": before_base64, "afterBase64": after_base64}, {"session": session, "width": width, "height": height, "region": region, "inputFormat": input_format}, in_tab=False)
        return cast("CanvasDifference", answer)
