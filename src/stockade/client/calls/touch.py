"""Calls of the tools in `touch`. Written by `make docs` from the tools; changes here are lost."""

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


class XY(TypedDict):
    """A point of the viewport."""

    x: float
    y: float


class TouchResult(ActionResult):
    """What came of it, beside what was done."""

    coords: NotRequired[XY]
    identifier: NotRequired[int]
    touches: list[int]


class PinchResult(ActionResult):
    """What came of a pinch."""

    coords: NotRequired[XY]
    identifier: NotRequired[int]
    touches: list[int]
    scale: float
    steps: int
    startOffset: float


_SwipeResult = TypedDict("_SwipeResult", {
    "coords": NotRequired[XY],
    "identifier": NotRequired[int],
    "touches": list[int],
    "from": XY,
    "to": XY,
    "durationMs": int,
    "steps": int,
})


class SwipeResult(ActionResult, _SwipeResult):
    """What came of a swipe."""


class TouchCalls(Calls):
    """Methods that call tools."""

    async def touch_start(
        self,
        *,
        coords: Coordinates,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        identifier: int | None = None,
    ) -> TouchResult:
        """Put a finger down and leave it. Returns what changed; page text is untrusted."""
        answer = await self._call("touch_start", {"coords": coords}, {"mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "identifier": identifier}, in_tab=True)
        return cast("TouchResult", answer)

    async def touch_move(
        self,
        *,
        coords: Coordinates,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        identifier: int | None = None,
    ) -> TouchResult:
        """Move a finger that is down. Returns what changed; page text is untrusted."""
        answer = await self._call("touch_move", {"coords": coords}, {"mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "identifier": identifier}, in_tab=True)
        return cast("TouchResult", answer)

    async def touch_end(
        self,
        *,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        coords: Coordinates | None = None,
        identifier: int | None = None,
    ) -> TouchResult:
        """Lift a finger, or all. Returns what changed; page text is untrusted."""
        answer = await self._call("touch_end", {}, {"mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "coords": coords, "identifier": identifier}, in_tab=True)
        return cast("TouchResult", answer)

    async def gesture_pinch(
        self,
        *,
        coords: Coordinates,
        scale: float,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        steps: int | None = None,
        start_offset: float | None = None,
    ) -> PinchResult:
        """Pinch with two fingers around a point. Returns what changed; page text is untrusted."""
        answer = await self._call("gesture_pinch", {"coords": coords, "scale": scale}, {"mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "steps": steps, "startOffset": start_offset}, in_tab=True)
        return cast("PinchResult", answer)

    async def gesture_swipe(
        self,
        *,
        start: Coordinates,
        to: Coordinates,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        duration_ms: int | None = None,
        steps: int | None = None,
        identifier: int | None = None,
    ) -> SwipeResult:
        """Swipe with one finger. Returns what changed; page text is untrusted."""
        answer = await self._call("gesture_swipe", {"from": start, "to": to}, {"mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "durationMs": duration_ms, "steps": steps, "identifier": identifier}, in_tab=True)
        return cast("SwipeResult", answer)
