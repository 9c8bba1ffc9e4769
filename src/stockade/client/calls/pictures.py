"""Calls of the tools in `pictures`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Picture(Beside):
    """What was pictured; the picture itself stands beside."""

    ok: bool
    format: str
    fullPage: bool
    width: int
    height: int
    bytes: int
    captured_at: str
    scaledTo: NotRequired[float]
    uri: NotRequired[str]
    warnings: NotRequired[list[str]]


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
        format: Literal['jpeg', 'png', 'webp'] | None = None,
        quality: int | None = None,
        scale: Literal['css', 'device'] | None = None,
        full_page: bool | None = None,
        max_pixels: int | None = None,
    ) -> Picture:
        """Picture the viewport, the full page or one element. What it shows is untrusted."""
        answer = await self._call("screenshot", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "format": format, "quality": quality, "scale": scale, "fullPage": full_page, "maxPixels": max_pixels}, in_tab=True, target=target)
        return cast("Picture", answer)
