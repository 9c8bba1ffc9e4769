"""Work in a background thread that ends with the call that waits for it.

Large texts are masked there, so that nobody else waits meanwhile. A thread cannot be interrupted:
whoever does long work asks from time to time whether to go on.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from threading import Event
from typing import Final, TypeVar

__all__ = ["Stopped", "check_stopped", "lower_priority", "run_if_large", "run_in_background"]

_LARGE: Final = 16_384
"""Characters from which on a text is masked there."""
_THREADS: Final = 16
_NICE: Final = 10


def lower_priority() -> None:
    """Have this thread take a processor only if nothing else wants it."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


_pool: Final = ThreadPoolExecutor(_THREADS, "background", lower_priority)
"""Threads of its own: whoever reads or writes a file does not wait for what is computed."""

_BRIEF: Final = 0.1
"""Seconds of a processor that work may take without a rest."""

_job: ContextVar[_Job | None] = ContextVar("job", default=None)

T = TypeVar("T")


class Stopped(Exception):
    """Nobody waits for the rest."""


@dataclass
class _Job:
    """Work that somebody waits for, and how much of a processor it has taken."""

    stop: Event = field(default_factory=Event)
    began: float = 0.0
    rested: float = 0.0

    def rest(self) -> None:
        """Leave the interpreter to others for as long as was worked, once it is long work."""
        worked = time.thread_time() - self.began - _BRIEF
        if worked > self.rested:
            self.stop.wait(worked - self.rested)
            self.rested = worked


def check_stopped() -> None:
    """End here if nobody waits any more; what takes long takes half of the time at most."""
    job = _job.get()
    if job is not None:
        job.rest()
        if job.stop.is_set():
            raise Stopped


async def run_if_large(size: int, work: Callable[[], T]) -> T:
    """Do what takes as long as a text of that size does: here, or in a thread if it is large."""
    return work() if size < _LARGE else await run_in_background(work)


async def run_in_background(work: Callable[[], T], *, pool: Executor = _pool) -> T:
    """Do it in a thread; who is cancelled meanwhile goes on when the thread has ended."""
    job = _Job()
    context = copy_context()
    context.run(_job.set, job)

    def begin() -> T:
        job.began = time.thread_time()
        return work()

    running = asyncio.get_running_loop().run_in_executor(pool, context.run, begin)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        job.stop.set()
        await asyncio.wait([running])
        running.exception()
        raise
