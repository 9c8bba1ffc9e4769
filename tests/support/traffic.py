"""Code in the pages of a caller's first session."""

from __future__ import annotations

from typing import Any

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.sessions.session import Session
from tests.support.callers import Caller


def session_of(caller: Caller) -> Session:
    """The session that a caller works in."""
    [session, *_] = caller.kernel.sessions.visible_to(caller.principal)
    return session


async def page_of(caller: Caller, tab: str | None = None) -> Page:
    """The page that a caller works on."""
    return (await session_of(caller).tab(tab)).page


async def run(caller: Caller, code: str, *arguments: object, tab: str | None = None) -> Any:
    """Call a function in the page's own world."""
    page = await page_of(caller, tab)
    return await page.main_frame.call(code, *arguments, world=World.MAIN, timeout=10)
