"""Watchdog of the event loop: says when it was blocked, for how long, and by what.

While one thing keeps the loop, nobody else is served. A thread looks whether the loop still beats,
and takes down its stack where it does not.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Final

from stockade.telemetry.logs import get_logger
from stockade.telemetry.metrics import Metrics

__all__ = ["LONGEST", "watched_loop"]

LONGEST: Final = 0.1
"""Seconds that anything may keep the loop."""
_BEAT: Final = 0.05
_DEEPEST: Final = 12
_MOST_LINES: Final = 10
"""Lines a minute: a loop that is blocked again and again says no more each time."""
_MINUTE: Final = 60.0

_log = get_logger("stockade.loop")


@contextmanager
def watched_loop(metrics: Metrics) -> Iterator[None]:
    """Watch the loop that runs, until this ends."""
    watchdog = _Watchdog(metrics, asyncio.get_running_loop())
    watchdog.start()
    try:
        yield
    finally:
        watchdog.stop()


class _Watchdog:
    def __init__(self, metrics: Metrics, loop: asyncio.AbstractEventLoop) -> None:
        self._metrics = metrics
        self._loop = loop
        self._watched = threading.get_ident()
        self._cpu_clock = time.pthread_getcpuclockid(self._watched)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._beaten = time.monotonic()
        self._cpu = time.clock_gettime(self._cpu_clock)
        self._stack: list[str] = []
        """Taken while the loop was late, for the line that is written when it goes on."""
        self._lines: list[float] = []
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._timer = self._loop.call_later(_BEAT, self._beat)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        if self._timer is not None:
            self._timer.cancel()
        self._thread.join()

    def _beat(self) -> None:
        now, cpu = time.monotonic(), time.clock_gettime(self._cpu_clock)
        blocked = now - self._beaten - _BEAT
        if blocked > LONGEST:
            self._tell(blocked, cpu - self._cpu)
        self._beaten, self._cpu, self._stack = now, cpu, []
        self._timer = self._loop.call_later(_BEAT, self._beat)

    def _tell(self, blocked: float, cpu: float) -> None:
        # On a machine with too much to do, a thread waits though nothing keeps it.
        kind = "busy" if cpu > LONGEST else "waiting"
        self._metrics.blocked.labels(kind).observe(blocked)
        now = time.monotonic()
        self._lines = [each for each in self._lines if now - each < _MINUTE]
        if kind == "busy" and len(self._lines) < _MOST_LINES:
            self._lines.append(now)
            _log.warning(
                "the event loop was blocked",
                ms=round(blocked * 1000),
                cpu_ms=round(cpu * 1000),
                by=self._stack,
            )

    def _watch(self) -> None:
        while not self._ended.wait(_BEAT):
            if not self._stack and time.monotonic() - self._beaten > _BEAT + LONGEST / 2:
                self._stack = _stack_of(self._watched)


def _stack_of(thread: int) -> list[str]:
    """Where a thread is, the innermost call first; without anything it works on."""
    frame = sys._current_frames().get(thread)  # noqa: SLF001
    found = traceback.extract_stack(frame)[-_DEEPEST:] if frame is not None else []
    return [
        f"{'/'.join(PurePath(each.filename).parts[-2:])}:{each.lineno} {each.name}"
        for each in reversed(found)
    ]
