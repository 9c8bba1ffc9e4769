"""What a page itself says, in its own world."""

from __future__ import annotations

from typing import Any

from stockade.engines.values import World
from tests.support.callers import Caller


async def in_page(caller: Caller, function: str, *arguments: Any, session: str = "default") -> Any:
    """Call a function in the current tab's page."""
    tab = await caller.kernel.sessions.find(caller.principal, session).tab()
    return await tab.page.main_frame.call(function, *arguments, world=World.MAIN)
