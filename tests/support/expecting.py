"""Waiting for what an action brings about, from before the action on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from stockade.engines.events import Event, Events

E = TypeVar("E", bound=Event)
WAIT_SECONDS = 15.0


@asynccontextmanager
async def expecting(
    events: Events, kind: type[E], *, where: Callable[[E], bool] = lambda _: True
) -> AsyncIterator[asyncio.Future[E]]:
    """Leave the block once an event of `kind` has come; the future holds the first."""
    future: asyncio.Future[E] = asyncio.get_running_loop().create_future()

    def seen(event: E) -> None:
        if not future.done() and where(event):
            future.set_result(event)

    off = events.on(kind, seen)
    try:
        yield future
        async with asyncio.timeout(WAIT_SECONDS):
            await future
    finally:
        off()
