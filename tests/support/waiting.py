"""Waiting for what no event tells of."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

WAIT_SECONDS = 10.0
_LOOK_AGAIN = 0.02


async def until(holds: Callable[[], bool | Awaitable[bool]]) -> None:
    """Look again and again until it holds."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            found = holds()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(_LOOK_AGAIN)
