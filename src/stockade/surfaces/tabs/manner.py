"""The manner in which the tab API's addresses tell errors, whatever layer meets them."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from stockade.surfaces.answers import tells_errors_by
from stockade.surfaces.tabs.errors import refusal
from stockade.surfaces.tabs.places import is_tab_place

__all__ = ["Manner"]


class Manner:
    """Stands before every layer that may refuse a request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note how errors are told here, then pass on."""
        if is_tab_place(scope["path"]) or scope["path"] == "/":
            tells_errors_by(scope, refusal)
        await self._app(scope, receive, send)
