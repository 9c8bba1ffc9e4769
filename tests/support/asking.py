"""Asking a page itself, in its own world, whatever the tools say of it."""

from __future__ import annotations

import os
from typing import Any

from stockade.engines.values import World
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from tests.support.callers import Caller


def session_of(caller: Caller, name: str = "default") -> Session:
    """The caller's session of that name."""
    return caller.kernel.sessions.find(caller.principal, name)


def tab_of(caller: Caller, id: str | None = None) -> Tab:
    """The caller's tab, the current one unless another is named."""
    session = session_of(caller)
    tab = session.current if id is None else next(each for each in session.tabs if each.id == id)
    assert tab is not None
    return tab


async def page_says(caller: Caller, function: str, *given: Any, frame: int = 0) -> Any:
    """What a function gives in the page's own world."""
    found = tab_of(caller).page.frames[frame]
    return await found.call(function, *given, world=World.MAIN)


def downloaded(session: Session) -> list[str]:
    """What lies where the browser of a session writes downloads, wherever that is."""
    live = session._live
    return os.listdir(live.downloads._place.descriptor) if live is not None else []  # noqa: PTH208
