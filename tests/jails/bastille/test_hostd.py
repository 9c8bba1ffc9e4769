"""The door to the host takes four names and checked arguments, and nothing else."""

from __future__ import annotations

import asyncio

import pytest

from stockade.errors import InvalidArgument
from stockade.jails.bastille.hostd import CREATE, DESTROY, FORCE_UNMOUNT, OPERATIONS, REAP
from tests.jails.bastille.world import World

GOOD = {"clone": "browsertask001", "ip": "192.168.72.101"}


def test_the_operations_have_their_names() -> None:
    assert list(OPERATIONS) == [
        "browser-clone-create",
        "browser-clone-destroy",
        "browser-clone-reap",
        "browser-clone-force-unmount",
    ]


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("", GOOD),
        ("browser-clone", GOOD),
        ("pfctl", GOOD),
        (CREATE, {}),
        (CREATE, {"clone": "browsertask001"}),
        (CREATE, {"ip": "192.168.72.101"}),
        (CREATE, {**GOOD, "command": "x"}),
        (CREATE, {**GOOD, "snapshot": "-r"}),
        (CREATE, {**GOOD, "snapshot": "good; reboot"}),
        (CREATE, {**GOOD, "snapshot": "browsertask002"}),
        (CREATE, {**GOOD, "clone": "browser"}),
        (CREATE, {**GOOD, "clone": "browsertask001 x"}),
        (CREATE, {**GOOD, "clone": "browsertask999"}),
        (CREATE, {**GOOD, "ip": "192.168.72.102"}),
        (CREATE, {**GOOD, "ip": "192.168.72.6"}),
        (CREATE, {**GOOD, "ip": "127.0.0.1"}),
        (CREATE, {**GOOD, "ip": "192.168.72.101/0"}),
        (CREATE, {**GOOD, "ip": " 192.168.72.101"}),
        (CREATE, {**GOOD, "ip": ""}),
        (DESTROY, {}),
        (DESTROY, {"clone": "browser"}),
        (DESTROY, GOOD),
        (REAP, {"clone": "../x"}),
        (REAP, {"clone": "browsertask001", "snapshot": "good"}),
        (FORCE_UNMOUNT, {"clone": "/"}),
    ],
)
async def test_whatever_else_is_said_runs_nothing(
    operation: str, arguments: dict[str, str]
) -> None:
    world = World()
    with pytest.raises(InvalidArgument):
        await world.hostd.call(operation, **arguments)
    assert world.commands() == []


async def test_operations_on_one_clone_take_turns() -> None:
    world = World()
    creating, reaping = (
        world.hostd.call(CREATE, **GOOD),
        world.hostd.call(REAP, clone="browsertask001"),
    )
    await asyncio.gather(creating, reaping)
    steps = [at.split()[0] for at, _, _ in world.simulator.said]
    assert steps == sorted(steps, key=[CREATE, REAP].index)
    assert world.clean
