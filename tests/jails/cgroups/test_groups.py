"""The groups of a server: found, made, and gone with the last jail."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from stockade.errors import LaunchFailed
from stockade.jails.cgroups import Events, Groups, Limits
from stockade.jails.cgroups.groups import owner, started
from tests.jails.cgroups.conftest import Start
from tests.jails.cgroups.machines import Simulated, proc_of
from tests.support.leaks import descriptors


def test_a_servers_group_says_whose_it_is(groups: Groups) -> None:
    assert owner(groups.name) == (os.getpid(), started(os.getpid()))
    assert owner("stockade-tests-1") is None
    assert started(4_000_000) is None


def test_a_process_that_is_dead_and_not_buried_runs_no_more() -> None:
    pid = os.posix_spawn("/bin/true", ["true"], {})
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert started(pid) is None
    os.waitpid(pid, 0)


async def test_limits_are_written_and_all_goes_with_the_last_jail(groups: Groups) -> None:
    before = descriptors()
    one = groups.create("one", Limits(memory=64 << 20, tasks=100, cpu=0.5))
    two = groups.create("two", Limits())
    written = {
        file.name: file.read_text().strip()
        for place in groups.own
        for file in (place / "one").iterdir()
        if file.name in {"pids.max", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"}
    }
    assert written["pids.max"] == "100"
    assert {value for name, value in written.items() if name != "pids.max"} <= {str(64 << 20)}
    await one.remove()
    assert all((place / "two").is_dir() for place in groups.own)
    await two.remove()
    assert not any(place.exists() for place in groups.own)
    assert descriptors() == before


async def test_closing_removes_what_nobody_has_removed(groups: Groups, start: Start) -> None:
    group = groups.create("left", Limits())
    group.add(start("/bin/sleep", "600").pid)
    await groups.close()
    await groups.close()
    assert not any(place.exists() for place in groups.own)


async def test_two_of_one_server_do_not_hurt_each_other(groups: Groups, tmp_path: Path) -> None:
    other = Groups.found(tmp_path / "proc")
    assert other.own == groups.own

    def come_and_go(which: Groups, name: str) -> None:
        for number in range(15):
            group = which.create(f"{name}{number}", Limits(tasks=5))
            asyncio.run(group.remove())

    with ThreadPoolExecutor(4) as pool:
        work = [
            pool.submit(come_and_go, which, name)
            for which, name in ((groups, "a"), (groups, "b"), (other, "c"), (other, "d"))
        ]
        for each in work:
            await asyncio.wrap_future(each)
    assert not any(place.exists() for place in groups.own)


async def test_a_group_that_cannot_be_made_leaves_nothing(groups: Groups) -> None:
    before = descriptors()
    with pytest.raises(LaunchFailed, match="control group"):
        groups.create("no/such/place", Limits())
    assert not any(place.exists() for place in groups.own)
    assert descriptors() == before


async def test_where_there_are_no_groups_a_jail_goes_without(tmp_path: Path) -> None:
    groups = Groups.found(proc_of(tmp_path, [], []))
    assert (groups.holds, groups.own) == (frozenset(), [])
    group = groups.create("free", Limits(memory=1, tasks=1, cpu=1))
    group.add(os.getpid())
    group.changed(lambda _: None)
    group.kill()
    assert (group.processes(), group.events()) == ([], Events())
    await group.remove()


async def test_a_machine_with_the_second_version_alone(simulated: Simulated) -> None:
    """The files alone: no kernel here keeps such limits."""
    groups = Groups.found(simulated.proc("/"))
    assert groups.holds == {"memory", "tasks", "cpu"}
    assert groups.missing == {}
    group = groups.create("one", Limits(memory=1 << 20, tasks=9, cpu=2))
    (place,) = [each / "one" for each in groups.own]
    texts = {
        name: (place / name).read_text()
        for name in ("memory.max", "memory.swap.max", "pids.max", "cpu.max")
    }
    assert texts == {
        "memory.max": str(1 << 20),
        "memory.swap.max": "0",
        "pids.max": "9",
        "cpu.max": "200000 100000",
    }
    group.add(4_000_000)
    assert group.processes() == [4_000_000]
    (place / "memory.events").write_text("oom 2\noom_kill 1\n")
    (place / "pids.events").write_text("max 3\n")
    (place / "cpu.stat").write_text("nr_throttled 4\nthrottled_usec 500000\n")
    assert group.events() == Events(memory_kills=1, task_refusals=3, throttled=0.5)
    group.kill()
    assert group.processes() == []
    await group.remove()
    assert not groups.own[0].exists()
    assert group.events().memory_kills == 1
