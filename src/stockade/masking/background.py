"""Work in a background thread that ends with the call that waits for it.

Large texts are masked there, so that nobody else waits meanwhile. A thread cannot be interrupted:
whoever does long work asks from time to time whether to go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar, copy_context
from threading import Event
from typing import Final, TypeVar

__all__ = ["Stopped", "check_stopped", "run_if_large", "run_in_background"]

_LARGE: Final = 16_384
"""Characters from which on a text is masked there."""

_stop: ContextVar[Event | None] = ContextVar("stop", default=None)

T = TypeVar("T")


class Stopped(Exception):
    """Nobody waits for the rest."""


def check_stopped() -> None:
    """End here if nobody waits any more."""
    stop = _stop.get()
    if stop is not None and stop.is_set():
        raise Stopped


async def run_if_large(size: int, work: Callable[[], T]) -> T:
    """Do what takes as long as a text of that size does: here, or in a thread if it is large."""
    return work() if size < _LARGE else await run_in_background(work)


async def run_in_background(work: Callable[[], T]) -> T:
    """Do it in a thread; who is cancelled meanwhile goes on when the thread has ended."""
    stop = Event()
    context = copy_context()
    context.run(_stop.set, stop)
    running = asyncio.get_running_loop().run_in_executor(None, context.run, work)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait([running])
        running.exception()
        raise
