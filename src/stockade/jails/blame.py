"""Blame: whether something failed because its jail was too small."""

from __future__ import annotations

import re

from stockade.errors import (
    BrowserGone,
    CpuLimit,
    DeadlineExceeded,
    MemoryLimit,
    NavigationFailed,
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
    error: StockadeError, before: Events, now: Events, *, said: str = "", none_open: bool = False
) -> StockadeError:
    """The error that names the limit, where one was met since; else the same.

    `said` is what the browser wrote of late, `none_open` whether one of its processes can open no
    more files.
    """
    no_files = none_open or bool(_NO_FILES.search(said))
    kinds: list[tuple[bool, type[StockadeError], str]] = []
    if isinstance(error, TabCrashed | BrowserGone):
        kinds = [
            (now.memory_kills > before.memory_kills, MemoryLimit, "had no memory left"),
            (now.task_refusals > before.task_refusals, TasksLimit, "could start no more tasks"),
            (no_files, OpenFilesLimit, "could open no more files"),
        ]
    elif isinstance(error, NavigationFailed):
        kinds = [(no_files, OpenFilesLimit, "could open no more connections")]
    elif isinstance(error, DeadlineExceeded):
        waited = now.throttled - before.throttled
        kinds = [(waited > _WAITED, CpuLimit, f"waited {waited:.0f} s for the processor")]
    for met, kind, why in kinds:
        if met and not isinstance(error, kind):
            return kind(f"{error.message}: its jail {why}", **error.details)
    return error
