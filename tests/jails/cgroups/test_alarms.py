"""Word from the kernel that memory has run out; that of the first version is in test_group."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.jails.cgroups.alarms import Alarm
from stockade.jails.cgroups.dialects import V1, V2, Dialect
from tests.support.leaks import descriptors
from tests.support.waiting import until


async def test_a_file_that_changes_is_heard_of(tmp_path: Path) -> None:
    file = tmp_path / "memory.events"
    file.write_text("oom_kill 0\n")
    before = descriptors()
    heard: list[str] = []
    alarm = Alarm(V2, tmp_path, lambda: heard.append(file.read_text()))
    file.write_text("oom_kill 1\n")
    await until(lambda: "oom_kill 1\n" in heard)
    alarm.close()
    alarm.close()
    assert descriptors() == before


@pytest.mark.parametrize("dialect", [V1, V2])
async def test_where_there_is_no_such_file_nothing_stays_open(
    tmp_path: Path, dialect: Dialect
) -> None:
    before = descriptors()
    with pytest.raises(OSError):
        Alarm(dialect, tmp_path, lambda: None)
    assert descriptors() == before
