"""Work that ends properly whoever stops waiting for it.

A caller may be cancelled at any moment. What it began (a launch, a tab, a close) runs in a task of
its own, so that it is either done in full or undone, and never left half-way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, Self, TypeVar

from stockade.errors import StockadeError
from stockade.telemetry.logs import get_logger

__all__ = ["Job", "Joint", "Work"]

T = TypeVar("T")
Make = Callable[[], Coroutine[Any, Any, T]]

_log = get_logger("stockade.sessions")


class Job(Generic[T]):
    """One piece of work under way."""

    def __init__(self, group: asyncio.TaskGroup, make: Make[T]) -> None:
        self._outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        # Nobody may be left to hear how it ended.
        self._outcome.add_done_callback(lambda future: future.cancelled() or future.exception())
        self._task = group.create_task(self._run(make))
        self._task.add_done_callback(self._stopped)
        self._given_up = False

    async def _run(self, make: Make[T]) -> None:
        try:
            result = await make()
        except Exception as error:  # noqa: BLE001
            # Raised where it is waited for; an error here would end the work of all others.
            if not isinstance(error, StockadeError):
                _log.exception("work failed")
            if not self._outcome.done():
                self._outcome.set_exception(error)
        else:
            if not self._outcome.done():
                self._outcome.set_result(result)

    def _stopped(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() and not self._outcome.done():
            self._outcome.cancel()

    @property
    def done(self) -> bool:
        """Whether its outcome is known."""
        return self._outcome.done()

    @property
    def running(self) -> bool:
        """Whether anything of it still runs, if only to tidy up."""
        return not self._task.done()

    async def result(self) -> T:
        """Wait for the outcome; whoever stops waiting does not stop the work."""
        return await asyncio.shield(self._outcome)

    async def ended(self) -> None:
        """Wait until nothing of it runs any more, whatever the outcome."""
        await asyncio.wait([self._task])

    def give_up(self, error: StockadeError | None = None) -> None:
        """Stop the work; whoever waits for it is told `error`."""
        if error is not None and not self._outcome.done():
            self._outcome.set_exception(error)
        if not self._given_up:
            # Once: a second time would cut short its tidying up.
            self._given_up = True
            self._task.cancel()


class Work:
    """Holds everything under way; leaving it waits for the rest."""

    def __init__(self) -> None:
        self._group = asyncio.TaskGroup()

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        # Told of an error, the group would stop what is still being tidied up.
        await self._group.__aexit__(None, None, None)

    def start(self, make: Make[T]) -> Job[T]:
        """Begin something."""
        return Job(self._group, make)

    async def finish(self, make: Make[T]) -> T:
        """Do something to its end, even if the caller leaves before."""
        return await self.start(make).result()

    async def obtain(self, make: Make[T], undo: Callable[[T], Coroutine[Any, Any, object]]) -> T:
        """Make something for a caller; if the caller has left by then, it is undone."""
        job = self.start(make)
        try:
            return await job.result()
        except asyncio.CancelledError:
            self.start(lambda: _undo(job, undo))
            raise


async def _undo(job: Job[T], undo: Callable[[T], Coroutine[Any, Any, object]]) -> None:
    try:
        made = await job.result()
    except StockadeError:
        return
    await undo(made)


class Joint(Generic[T]):
    """Work that several callers want done once; given up when the last of them leaves."""

    def __init__(self, work: Work, make: Make[T]) -> None:
        self._work = work
        self._make = make
        self._job: Job[T] | None = None
        self._given_up: list[Job[T]] = []
        self._waiting = 0

    async def join(self) -> T:
        """Begin the work, or wait with those who already do."""
        if self._job is None or self._job.done:
            self._job = self._work.start(self._make)
            self._waiting = 0
        job = self._job
        self._waiting += 1
        try:
            return await job.result()
        finally:
            if self._job is job:
                self._waiting -= 1
                if not self._waiting and not job.done:
                    self._job = None
                    self._given_up = [each for each in (*self._given_up, job) if each.running]
                    job.give_up()

    async def stop(self, error: StockadeError) -> None:
        """Give it up, tell those who wait, and wait until nothing of it is left."""
        if self._job is not None:
            self._job.give_up(error)
            await self._job.ended()
        for job in self._given_up:
            await job.ended()
