from __future__ import annotations

import pytest

from stockade.errors import (
    BrowserGone,
    CpuLimit,
    DeadlineExceeded,
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
    ("error", "now", "said", "kind"),
    [
        (CRASH, Events(memory_kills=3), "", MemoryLimit),
        (BrowserGone("it has ended"), Events(memory_kills=3), "", MemoryLimit),
        (CRASH, Events(task_refusals=1), "", TasksLimit),
        (CRASH, Events(), "ERROR: Too many open files (24)", OpenFilesLimit),
        (CRASH, Events(), "", TabCrashed),
        (DeadlineExceeded("late"), Events(throttled=9.0), "", CpuLimit),
        (DeadlineExceeded("late"), Events(throttled=0.2), "", DeadlineExceeded),
        (TabClosed("gone"), Events(9, 9, 9.0), "Too many open files", TabClosed),
    ],
)
def test_the_limit_that_was_met_is_named(
    error: StockadeError, now: Events, said: str, kind: type[StockadeError]
) -> None:
    found = blamed(error, Events(), now, said=said)
    assert type(found) is kind
    assert found.message.startswith(error.message)
    assert found.details == error.details
    assert blamed(found, Events(), now, said=said) is found


def test_what_was_told_of_before_is_no_reason() -> None:
    before = Events(memory_kills=2, task_refusals=2, throttled=50.0)
    assert blamed(CRASH, before, before) is CRASH
