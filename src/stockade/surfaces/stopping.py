"""Stopping: what signals mean to a server."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

__all__ = ["Stop", "on_signals"]

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True)
class Stop:
    """Whether to stop, and whether to wait for what is under way."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    hurry: asyncio.Event = field(default_factory=asyncio.Event)

    def ask(self) -> None:
        """Ask once to stop, twice to do so at once."""
        if self.asked.is_set():
            self.hurry.set()
        self.asked.set()


@contextmanager
def on_signals() -> Iterator[Stop]:
    """A stop that signals ask for; afterwards they mean what they meant before."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    loop = asyncio.get_running_loop()
    before = {each: signal.getsignal(each) for each in _SIGNALS}
    # Who was started to survive its terminal ignores a hang-up.
    heeded = [each for each, handler in before.items() if handler is not signal.SIG_IGN]
    for each in heeded:
        loop.add_signal_handler(each, stop.ask)
    try:
        yield stop
    finally:
        for each in heeded:
            loop.remove_signal_handler(each)
            signal.signal(each, before[each])
