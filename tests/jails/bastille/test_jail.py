"""A jail of Bastille lives once: created, started, destroyed."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from unittest.mock import patch

import pytest

from stockade.errors import LaunchFailed
from stockade.jails.bastille.jail import BastilleJail
from stockade.jails.bastille.runner import Ran
from stockade.jails.life import Misstep, State
from stockade.processes import read_pipe
from tests.jails.bastille.simulator import PID_FILE, Fault, Killed
from tests.jails.bastille.world import World

ECHO = """
import os, sys
heard = os.read(3, 100)
os.write(4, heard + repr(sorted(os.environ)).encode())
os.close(4)
os.read(3, 1)
"""


async def started(jail: BastilleJail) -> tuple[int, int]:
    """A program in the jail that hears us at 3 and answers at 4; our ends of its pipes."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    try:
        await jail.start(
            [sys.executable, "-I", "-c", ECHO],
            {"TZ": "UTC", "LC_ALL": "C"},
            {3: theirs_in, 4: theirs_out},
        )
    finally:
        os.close(theirs_in)
        os.close(theirs_out)
    return ours_in, ours_out


async def test_a_pipe_crosses_into_the_jail() -> None:
    world = World()
    jail = BastilleJail(world.registry)
    await jail.create()
    assert (jail.id, jail.level, jail.life.state) == ("browsertask001", "bastille", State.CREATED)
    ours_in, ours_out = await started(jail)
    try:
        os.write(ours_out, b"hello ")
        async with asyncio.timeout(10):
            assert await read_pipe(ours_in, 1000) == b"hello ['LC_ALL', 'TZ']"
    finally:
        os.close(ours_out)
        await jail.destroy()
    assert jail.life.over
    assert world.registry.held == set()
    assert world.clean


async def test_the_process_that_is_written_down_is_the_browser() -> None:
    world = World()
    jail = BastilleJail(world.registry, "good")
    await jail.create()
    ours_in, ours_out = await started(jail)
    inside = world.simulator.host.jails[jail.id]
    assert jail._process is not None
    assert inside.files[PID_FILE] == f"{jail._process.pid}\n"
    assert jail._process.pid in inside.processes
    await jail.destroy()
    assert not jail._process.alive
    os.close(ours_in)
    os.close(ours_out)


async def test_it_can_be_destroyed_twice_and_at_once() -> None:
    world = World()
    jail = BastilleJail(world.registry)
    await jail.create()
    await asyncio.gather(*(jail.destroy() for _ in range(3)))
    await jail.destroy()
    assert world.clean


async def test_one_that_was_never_created_can_be_destroyed() -> None:
    world = World()
    jail = BastilleJail(world.registry)
    await jail.destroy()
    assert world.commands() == []
    with pytest.raises(Misstep):
        await jail.create()


async def test_one_that_cannot_be_created_is_given_back() -> None:
    world = World()
    jail = BastilleJail(world.registry)
    world.simulator.broken = lambda argv: "start" in argv
    with pytest.raises(LaunchFailed):
        await jail.create()
    assert world.registry.held == set()
    with pytest.raises(Misstep):
        await jail.start(["/bin/cat"], {}, {})
    await jail.destroy()
    assert world.clean


async def test_a_browser_that_cannot_be_written_down_is_destroyed_with_its_jail() -> None:
    world = World()
    jail = BastilleJail(world.registry)
    await jail.create()
    world.simulator.broken = lambda argv: PID_FILE in argv and "/usr/bin/tee" in argv
    with pytest.raises(LaunchFailed) as failed:
        await jail.start([sys.executable, "-c", "import time; time.sleep(60)"], {}, {})
    assert failed.value.details["step"] == "browser"
    await jail.destroy()
    assert jail._process is not None
    assert not jail._process.alive
    assert world.clean


async def test_what_is_left_of_one_is_left_to_the_registry() -> None:
    world = World()
    jail = BastilleJail(world.registry)
    await jail.create()
    world.simulator.broken = lambda argv: "delete" in argv
    with pytest.raises(LaunchFailed):
        await jail.destroy()
    other = BastilleJail(world.registry)
    await other.create()
    assert other.id == "browsertask002"
    world.simulator.broken = lambda _: False
    await world.registry.reap()
    await jail.destroy()
    assert other.id in world.simulator.host.jails
    await other.destroy()
    assert world.clean


async def test_a_creation_that_is_cancelled_leaves_nothing() -> None:
    world = World()
    count = 0
    while await _is_cancelled_after(world, count):
        assert world.clean
        assert world.registry.held == set()
        count += 1
    assert count > 20


async def _is_cancelled_after(world: World, count: int) -> bool:
    """Whether a creation runs that many commands; it is cancelled when it has."""
    run, ran = world.simulator.run, 0

    async def cancelling(argv: Sequence[str], stdin: bytes | None = None) -> Ran:
        nonlocal ran
        said = await run(argv, stdin)
        ran += 1
        if ran == count + 1:
            raise asyncio.CancelledError
        return said

    jail = BastilleJail(world.registry)
    with patch.object(world.simulator, "run", cancelling):
        try:
            await jail.create()
        except asyncio.CancelledError:
            return True
    await jail.destroy()
    return False


async def test_what_a_killed_server_left_the_next_one_reaps() -> None:
    world = World()
    jail = BastilleJail(world.registry)
    await jail.create()
    ours_in, ours_out = await started(jail)
    world.simulator.fault = Fault(len(world.simulator.said), "before", deadly=True)
    with pytest.raises(Killed):
        await jail.destroy()
    os.close(ours_in)
    os.close(ours_out)
    world.simulator.revive()
    assert set((await world.registry_of().reap()).values()) == {None}
    assert world.clean
