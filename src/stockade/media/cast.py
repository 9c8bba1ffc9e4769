"""The live pictures of a tab, shared by all who want them: a browser sends one stream per tab."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from stockade.errors import DeadlineExceeded, EngineError
from stockade.sessions.tab import Tab

__all__ = ["casting"]

QUALITY = 80
_PATIENCE = 10.0
_STOP_PATIENCE = 3.0


@dataclass
class _Cast:
    """How many want the stream of a tab; a part of the tab."""

    users: int = 0
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)


@asynccontextmanager
async def casting(tab: Tab, *, width: int = 1920, height: int = 1080) -> AsyncIterator[None]:
    """Have the tab send a `ScreencastFrame` whenever it paints, and keep it from being frozen."""
    cast = tab.parts.of(_Cast, _Cast)
    async with cast.changing:
        if not cast.users:
            await tab.page.start_screencast(
                quality=QUALITY, max_width=width, max_height=height, timeout=_PATIENCE
            )
        cast.users += 1
    try:
        with tab.watched():
            yield
    finally:
        async with cast.changing:
            cast.users -= 1
            if not cast.users and not tab.page.closed:
                await _stop(tab)


async def _stop(tab: Tab) -> None:
    try:
        await tab.page.stop_screencast(timeout=_STOP_PATIENCE)
    except (EngineError, DeadlineExceeded):
        # It is gone, crashed or held by a dialog: nobody is left to send anything.
        return
