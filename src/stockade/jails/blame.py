"""Blame: whether something failed because its jail was too small."""

from __future__ import annotations

import re

from stockade.errors import (
    BrowserGone,
    CpuLimit,
    DeadlineExceeded,
    DiskLimit,
    DownloadFailed,
    MemoryLimit,
    OpenFilesLimit,
    StockadeError,
    TabCrashed,
    TasksLimit,
)
from stockade.jails.cgroups import Events

__all__ = ["blamed"]

_NO_FILES = re.compile(r"Too many open files|EMFILE")
_WAITED = 1.0
"""Seconds without the processor that are worth to be told of."""


def blamed(
    error: StockadeError, before: Events, now: Events, *, said: str = "", full: bool = False
) -> StockadeError:
    """The error that names the limit, where one was met since; else the same.

    `said` is what the browser wrote of late, `full` whether its downloads have no room left.
    """
    kinds: list[tuple[bool, type[StockadeError], str]] = []
    if isinstance(error, TabCrashed | BrowserGone):
        kinds = [
            (now.memory_kills > before.memory_kills, MemoryLimit, "had no memory left"),
            (now.task_refusals > before.task_refusals, TasksLimit, "could start no more tasks"),
            (bool(_NO_FILES.search(said)), OpenFilesLimit, "could open no more files"),
        ]
    elif isinstance(error, DeadlineExceeded):
        waited = now.throttled - before.throttled
        kinds = [(waited > _WAITED, CpuLimit, f"waited {waited:.0f} s for the processor")]
    elif isinstance(error, DownloadFailed):
        kinds = [(full, DiskLimit, "has no room left for downloads")]
    for met, kind, why in kinds:
        if met and not isinstance(error, kind):
            return kind(f"{error.message}: its jail {why}", **error.details)
    return error
