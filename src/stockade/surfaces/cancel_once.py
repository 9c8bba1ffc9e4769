"""Cancel once: work that a cancelled scope of anyio does not cancel again while it cleans up."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import anyio

__all__ = ["cancel_once"]

T = TypeVar("T")


async def cancel_once(work: Coroutine[Any, Any, T]) -> T:
    """Do `work` so that cancelling us cancels it once, and waits for its end.

    A cancelled scope of anyio cancels every await inside it again and again, also those of code
    that cleans up; what is not written for anyio would leave things half done.
    """
    task = asyncio.get_running_loop().create_task(work)
    try:
        return await asyncio.shield(task)
    finally:
        if not task.done():
            task.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.wait([task])
