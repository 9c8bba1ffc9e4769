"""Fingers on a tab."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from stockade.engines.cdp.connection import Command
from stockade.engines.port import DEADLINE
from stockade.engines.values import Point

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["ChromiumTouch"]

_TYPES = {"start": "touchStart", "move": "touchMove", "end": "touchEnd", "cancel": "touchCancel"}


class ChromiumTouch:
    """Touches in root coordinates."""

    def __init__(self, page: ChromiumPage) -> None:
        self._page = page

    async def tap(self, point: Point, *, timeout: float = DEADLINE) -> None:
        """Touch and lift, written in one go."""
        await self._ready(timeout)
        await self._page.session.send_all(
            [self._event("start", {1: point}), self._event("end", {})], timeout=timeout
        )

    async def send(
        self,
        kind: Literal["start", "move", "end", "cancel"],
        points: Mapping[int, Point],
        *,
        timeout: float = DEADLINE,
    ) -> None:
        """One touch event with all fingers that are down."""
        await self._ready(timeout)
        await self._page.session.send_all([self._event(kind, points)], timeout=timeout)

    async def _ready(self, timeout: float) -> None:
        await self._page.ready(timeout=timeout)
        # A tab in the background never answers a touch.
        await self._page.show(timeout=timeout)

    def _event(self, kind: str, points: Mapping[int, Point]) -> Command:
        return "Input.dispatchTouchEvent", {
            "type": _TYPES[kind],
            "touchPoints": [
                {"x": point.x, "y": point.y, "id": finger} for finger, point in points.items()
            ],
            "modifiers": self._page.keyboard.modifiers,
        }
