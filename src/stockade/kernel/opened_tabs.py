"""Opened tabs: requests for the first document of a tab that a page opens.

Chromium does not say whether a link, a form or a script opened it, so the page that did is asked.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from stockade.engines.port import Page
from stockade.engines.routing import HeldRequest
from stockade.errors import DeadlineExceeded, EngineError
from stockade.sessions.session import Session

__all__ = ["BLANK", "is_of_form", "is_of_link", "is_opening", "pages_of"]

BLANK: Final = frozenset({"", "about:blank"})
_PATIENCE: Final = 2.0


def pages_of(request: HeldRequest) -> list[Page]:
    """The tab that a request belongs to, and the one that opened it."""
    page = request.page
    if page is None:
        return []
    return [page] if page.opener is None else [page, page.opener]


def is_opening(request: HeldRequest) -> bool:
    """Whether it is for the first document of a tab that a page opened."""
    page = request.page
    if page is None or page.opener is None or request.type != "Document":
        return False
    return page.main_frame.id == request.frame and page.main_frame.url in BLANK


async def is_of_link(session: Session, request: HeldRequest) -> bool:
    """Whether a link of the page that opened a tab leads where it goes."""
    return await _opener_has(session, request, "is_link")


async def is_of_form(session: Session, request: HeldRequest) -> bool:
    """Whether a form of the page that opened a tab is sent where it goes."""
    return await _opener_has(session, request, "is_form_action")


async def _opener_has(session: Session, request: HeldRequest, method: str) -> bool:
    opener = request.page.opener if request.page is not None else None
    tab = session.tab_of(opener) if opener is not None else None
    address = request.url.partition("#")[0]
    for frame in tab.page.frames if tab is not None else ():
        with suppress(EngineError, DeadlineExceeded):
            if tab is not None and await tab.agent.call(
                frame, method, url=address, timeout=_PATIENCE
            ):
                return True
    return False
