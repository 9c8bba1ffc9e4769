"""Running a coroutine from a command, so that a signal ends it in good order."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import typer

__all__ = ["run"]

T = TypeVar("T")

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SIGNALLED = 128
"""What shells add to the number of the signal that ended a command."""


def run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The result of `work`; a signal cancels it, and the command ends when it has cleaned up."""
    caught: list[int] = []

    async def watched() -> T:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()

        def stop(number: int) -> None:
            # A second one must not interrupt the cleaning up.
            if task is not None and not caught:
                caught.append(number)
                task.cancel()

        for number in _SIGNALS:
            # Who was started to outlive its terminal ignores a hang-up.
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, stop, number)
        return await work()

    try:
        return asyncio.run(watched())
    except asyncio.CancelledError:
        if not caught:
            raise
        raise typer.Exit(_SIGNALLED + caught[0]) from None
