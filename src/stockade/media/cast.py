"""The live pictures of a tab, shared by all who want them: a browser sends one stream per tab."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from stockade.engines.events import PageClosed, ScreencastFrame
from stockade.errors import DeadlineExceeded, EngineError
from stockade.sessions.tab import Tab

__all__ = ["casting", "watch"]

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


async def watch(
    tab: Tab,
    painted: Callable[[ScreencastFrame], None],
    until: asyncio.Event,
    size: tuple[int, int],
) -> bool:
    """Tell what a tab paints until it is gone or `until` is set; whether it could be watched."""
    gone = asyncio.Event()
    async with AsyncExitStack() as stack:
        stack.callback(tab.page.events.on(PageClosed, lambda _: gone.set()))
        stack.callback(tab.page.events.on(ScreencastFrame, painted))
        try:
            await stack.enter_async_context(casting(tab, width=size[0], height=size[1]))
        except (EngineError, DeadlineExceeded):
            return False
        async with asyncio.TaskGroup() as group:
            waits = [group.create_task(each.wait()) for each in (gone, until)]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for each in waits:
                each.cancel()
    return True


async def _stop(tab: Tab) -> None:
    try:
        await tab.page.stop_screencast(timeout=_STOP_PATIENCE)
    except (EngineError, DeadlineExceeded):
        # It is gone, crashed or held by a dialog: nobody is left to send anything.
        return
