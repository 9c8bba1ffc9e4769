"""Calls of the tools in `canvas`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls
from stockade.client.calls.action_results import ActionResult


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class Captured(Beside):
    """A canvas; its picture stands beside, its bytes are in `dataBase64` or at `uri`."""

    ok: bool
    width: int
    height: int
    format: NotRequired[str]
    bytes: NotRequired[int]
    captured_at: NotRequired[str]
    shown: NotRequired[str]
    blank: NotRequired[bool]
    uri: NotRequired[str]
    dataBase64: NotRequired[str]
    warnings: NotRequired[list[str]]
    error: NotRequired[str]
    code: NotRequired[str]
    hint: NotRequired[str]


class GestureStep(TypedDict):
    """One part of a gesture."""

    kind: Literal['down', 'move', 'up', 'wait', 'wheel']
    x: NotRequired[float | None]
    y: NotRequired[float | None]
    button: NotRequired[Literal['left', 'middle', 'right']]
    ms: NotRequired[int]
    deltaX: NotRequired[float]
    deltaY: NotRequired[float]


class GestureResult(ActionResult):
    """How far the gesture came, and what came of it."""

    stepsExecuted: int
    totalDurationMs: float


class GivenTransform(TypedDict):
    """How the world lies on the screen."""

    scale: float
    panX: float
    panY: float
    originX: NotRequired[float]
    originY: NotRequired[float]


class Mapped(Beside):
    """The same point on the other side."""

    ok: bool
    x: NotRequired[float]
    y: NotRequired[float]
    source: NotRequired[str]
    matrix: NotRequired[list[float]]
    warnings: NotRequired[list[str]]
    error: NotRequired[str]
    code: NotRequired[str]
    hint: NotRequired[str]


class Queried(Beside):
    """What an adapter answered."""

    ok: bool
    adapter: str
    op: NotRequired[str]
    result: NotRequired[Any]
    error: NotRequired[str]
    code: NotRequired[str]
    hint: NotRequired[str]


class CanvasCalls(Calls):
    """Methods that call tools."""

    async def canvas_capture(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        format: Literal['png', 'webgl-framebuffer', '2d-imagedata'] | None = None,
    ) -> Captured:
        """Read the pixels of a canvas. What it shows is untrusted."""
        answer = await self._call("canvas_capture", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "format": format}, in_tab=True, target=target)
        return cast("Captured", answer)

    async def gesture_chain(
        self,
        *,
        steps: list[GestureStep],
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
    ) -> GestureResult:
        """Make a gesture of several steps with the mouse. Page text is untrusted."""
        answer = await self._call("gesture_chain", {"steps": steps}, {"mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("GestureResult", answer)

    async def canvas_world_to_screen(
        self,
        *,
        x: float,
        y: float,
        transform: GivenTransform | None = None,
    ) -> Mapped:
        """Where a point of a canvas app's world is in the window."""
        answer = await self._call("canvas_world_to_screen", {"x": x, "y": y}, {"transform": transform}, in_tab=True)
        return cast("Mapped", answer)

    async def canvas_screen_to_world(
        self,
        *,
        x: float,
        y: float,
        transform: GivenTransform | None = None,
    ) -> Mapped:
        """Which point of a canvas app's world is at a point of the window."""
        answer = await self._call("canvas_screen_to_world", {"x": x, "y": y}, {"transform": transform}, in_tab=True)
        return cast("Mapped", answer)

    async def canvas_query(
        self,
        *,
        adapter: str,
        op: str,
        args: dict[str, Any] | None = None,
        timeout_ms: int | None = None,
    ) -> Queried:
        """Ask the adapter of a canvas app. What it answers is untrusted."""
        answer = await self._call("canvas_query", {"adapter": adapter, "op": op}, {"args": args, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("Queried", answer)
