"""Limits are kept and counted, and nothing of a group is left: with real processes."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from stockade.errors import LaunchFailed
from stockade.jails.cgroups import Events, Group, Groups, Limits
from stockade.processes import Process
from tests.jails.cgroups.conftest import Start
from tests.support.waiting import WAIT_SECONDS, until

MEGABYTE = 1 << 20
HOG = "import sys; sys.stdin.buffer.raw.read(1); kept = bytearray(256 << 20); print('done')"


def held(start: Start, *argv: str) -> tuple[Process, int]:
    """A program that begins when its input closes."""
    here, there = os.pipe()
    process = start(*argv, descriptors={0: here})
    os.close(here)
    return process, there


def left(groups: Groups) -> list[Path]:
    return [each for each in groups.own if each.exists()]


async def run(group: Group, start: Start, *argv: str) -> int:
    """A program in the group from its first step on, to its end."""
    process, go = held(start, *argv)
    group.add(process.pid)
    os.close(go)
    async with asyncio.timeout(WAIT_SECONDS):
        return await process.wait()


async def test_who_takes_too_much_memory_is_killed_and_counted(
    groups: Groups, start: Start
) -> None:
    group = groups.create("memory", Limits(memory=64 * MEGABYTE))
    heard: list[Events] = []
    group.changed(heard.append)
    assert await run(group, start, sys.executable, "-I", "-S", "-c", HOG) == -9
    await until(lambda: bool(heard))
    assert heard[-1].memory_kills == group.events().memory_kills == 1
    assert await run(group, start, sys.executable, "-I", "-S", "-c", HOG) == -9
    await until(lambda: heard[-1].memory_kills == 2)
    await group.remove()
    assert group.events().memory_kills == 2
    assert not left(groups)


async def test_the_others_in_the_group_live_on(groups: Groups, start: Start) -> None:
    group = groups.create("memory", Limits(memory=64 * MEGABYTE))
    sleeper = start("/bin/sleep", "600")
    group.add(sleeper.pid)
    assert await run(group, start, sys.executable, "-I", "-S", "-c", HOG) == -9
    assert group.processes() == [sleeper.pid]
    group.kill()
    await group.remove()


async def test_with_enough_memory_nobody_is_killed(groups: Groups, start: Start) -> None:
    group = groups.create("memory", Limits(memory=512 * MEGABYTE))
    assert await run(group, start, sys.executable, "-I", "-S", "-c", HOG) == 0
    assert group.events().memory_kills == 0
    await group.remove()


async def test_too_many_tasks_are_refused_and_counted(groups: Groups, start: Start) -> None:
    group = groups.create("crowd", Limits(tasks=8))
    # Each is started by a shell that may fail at it without ending the whole.
    script = "read _; for n in 1 2 3 4 5 6 7 8 9 10 11 12; do (sleep 600 &) ; done; sleep 600"
    shell, go = held(start, "/bin/sh", "-c", script)
    group.add(shell.pid)
    os.close(go)
    await until(lambda: group.events().task_refusals > 0)
    # One that was just refused is on the list for a moment.
    await until(lambda: len(group.processes()) <= 8)
    group.kill()
    await until(lambda: not group.processes())
    await group.remove()
    assert not left(groups)


async def test_who_spins_gets_its_share_of_the_cpu(groups: Groups, start: Start) -> None:
    group = groups.create("cpu", Limits(cpu=0.01))
    free = groups.create("free", Limits())
    for each in (group, free):
        each.add(start("/bin/sh", "-c", "while :; do :; done").pid)
    # Of each tenth of a second it has a thousandth, and waits for the rest.
    await until(lambda: group.events().throttled > 0.1)
    assert free.events().throttled == 0
    for each in (group, free):
        each.kill()
        await each.remove()


async def test_killing_and_removing_are_complete_and_can_be_repeated(
    groups: Groups, start: Start
) -> None:
    group = groups.create("end", Limits())
    # One that has left its session and its process group, and ignores what can be ignored.
    shell, go = held(
        start, "/bin/sh", "-c", "read _; trap '' TERM HUP; setsid sleep 600 & sleep 600"
    )
    group.add(shell.pid)
    os.close(go)
    await until(lambda: len(group.processes()) == 3)
    group.kill()
    group.kill()
    await until(lambda: not group.processes())
    await group.remove()
    await group.remove()
    group.kill()
    assert group.processes() == []
    assert not left(groups)


async def test_removing_kills_what_still_runs(groups: Groups, start: Start) -> None:
    group = groups.create("end", Limits())
    sleeper = start("/bin/sleep", "600")
    group.add(sleeper.pid)
    await asyncio.gather(group.remove(), group.remove())
    assert not sleeper.alive or await sleeper.wait() == -9
    assert not left(groups)


async def test_a_process_that_is_gone_cannot_be_limited(groups: Groups, start: Start) -> None:
    group = groups.create("gone", Limits())
    ended = start("/bin/true")
    await ended.wait()
    with pytest.raises(LaunchFailed):
        group.add(ended.pid)
    await group.remove()
