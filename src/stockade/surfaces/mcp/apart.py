"""Calls apart from the scopes around them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import anyio

__all__ = ["apart"]

T = TypeVar("T")


async def apart(work: Coroutine[Any, Any, T]) -> T:
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
