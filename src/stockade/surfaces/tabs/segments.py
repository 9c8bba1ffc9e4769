"""Segments of addresses: a name in one may hold a slash, which parts nothing."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from stockade.surfaces.tabs.places import is_tab_place

__all__ = ["Segments", "part"]

_SLASH: Final = "\udc2f"
"""Stands for a slash within a segment; no address can hold it."""


class Segments:
    """Stands before the routes, so that each finds its parts whole."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with slashes that were written `%2F` kept apart from the others."""
        raw: bytes = scope.get("raw_path") or b""
        if b"%2f" not in raw.lower() or not is_tab_place(scope["path"]):
            await self._app(scope, receive, send)
            return
        inner = {**scope, "path": "/".join(map(_kept, raw.decode("ascii", "replace").split("/")))}
        try:
            await self._app(inner, receive, send)
        finally:
            if "route" in inner:
                scope["route"] = inner["route"]


def _kept(segment: str) -> str:
    return unquote(segment).replace("/", _SLASH)


def part(request: Request, name: str) -> str | None:
    """A part of the address, as its client meant it."""
    value = request.path_params.get(name)
    return value.replace(_SLASH, "/") if isinstance(value, str) else None
