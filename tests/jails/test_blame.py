from __future__ import annotations

import pytest

from stockade.errors import (
    BrowserGone,
    CpuLimit,
    DeadlineExceeded,
    DiskLimit,
    DownloadFailed,
    MemoryLimit,
    OpenFilesLimit,
    StockadeError,
    TabClosed,
    TabCrashed,
    TasksLimit,
)
from stockade.jails.blame import blamed
from stockade.jails.cgroups import Events

CRASH = TabCrashed("the tab's renderer has crashed", tab="t1")


@pytest.mark.parametrize(
    ("error", "now", "said", "full", "kind"),
    [
        (CRASH, Events(memory_kills=3), "", False, MemoryLimit),
        (BrowserGone("it has ended"), Events(memory_kills=3), "", False, MemoryLimit),
        (CRASH, Events(task_refusals=1), "", False, TasksLimit),
        (CRASH, Events(), "ERROR: Too many open files (24)", False, OpenFilesLimit),
        (CRASH, Events(), "", True, TabCrashed),
        (DeadlineExceeded("late"), Events(throttled=9.0), "", False, CpuLimit),
        (DeadlineExceeded("late"), Events(throttled=0.2), "", False, DeadlineExceeded),
        (DownloadFailed("it broke off"), Events(), "", True, DiskLimit),
        (DownloadFailed("it broke off"), Events(memory_kills=9), "", False, DownloadFailed),
        (TabClosed("gone"), Events(9, 9, 9.0), "Too many open files", True, TabClosed),
    ],
)
def test_the_limit_that_was_met_is_named(
    error: StockadeError, now: Events, said: str, full: bool, kind: type[StockadeError]
) -> None:
    found = blamed(error, Events(), now, said=said, full=full)
    assert type(found) is kind
    assert found.message.startswith(error.message)
    assert found.details == error.details
    assert blamed(found, Events(), now, said=said, full=full) is found


def test_what_was_told_of_before_is_no_reason() -> None:
    before = Events(memory_kills=2, task_refusals=2, throttled=50.0)
    assert blamed(CRASH, before, before) is CRASH
