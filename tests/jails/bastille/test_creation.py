"""A clone is made step by step, wholly or not at all."""

from __future__ import annotations

import pytest

from stockade.errors import LaunchFailed
from stockade.jails.bastille.creation import STEPS
from stockade.jails.bastille.hostd import CREATE
from stockade.jails.bastille.names import Clone
from tests.jails.bastille.simulator import Fault, Jail, Killed, Moment
from tests.jails.bastille.world import World

MOMENTS: tuple[Moment, ...] = ("before", "in", "after")


async def numbers(step: str) -> list[int]:
    world = World()
    await world.create()
    found = world.numbers(CREATE, step)
    assert found, "the step runs nothing"
    return found


async def test_the_steps_are_in_their_order() -> None:
    world = World()
    await world.create()
    steps = list(dict.fromkeys(at for at, _, _ in world.simulator.said))
    assert steps == [f"{CREATE} {each}" for each in STEPS]


async def test_what_is_made() -> None:
    world = World()
    clone = await world.create(snapshot="good")
    host = world.simulator.host
    assert host.jails[clone.name].address == "192.168.72.101"
    assert host.datasets["zroot/bastille/jails/browsertask001/root"] == (
        "zroot/bastille/jails/browser/root@good"
    )
    assert "192.168.72.101" in host.table
    assert [each for each in host.rules if clone.name in each] == [
        "jail:browsertask001:memoryuse:deny=1073741824",
        "jail:browsertask001:openfiles:deny=8192",
        "jail:browsertask001:maxproc:deny=512",
        "jail:browsertask001:pcpu:deny=100",
    ]
    assert host.snapshots == world.before.snapshots


async def test_stale_cables_are_cleared_before_the_start() -> None:
    """Those of a jail that was dying when the look was taken, say."""
    index = (await numbers("epairs"))[0]
    world, clone = World(), Clone(1)

    def appear(_: object) -> bool:
        if len(world.simulator.said) == index + 1:
            world.simulator.host.epairs |= {clone.host_end, clone.jail_end}
        return False

    world.simulator.broken = appear
    await world.create()
    assert ("/sbin/ifconfig", "e0a_bt001", "destroy") in world.commands()


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("step", STEPS)
async def test_a_step_that_fails_leaves_nothing(step: str, moment: Moment) -> None:
    for number in await numbers(step):
        world = World()
        world.simulator.fault = Fault(number, moment)
        with pytest.raises(LaunchFailed) as failed:
            await world.create()
        assert failed.value.details["step"] == step
        assert failed.value.details["operation"] == CREATE
        assert step in failed.value.message
        assert failed.value.hint
        assert "left" not in failed.value.details
        assert world.clean, (number, world.commands()[number])


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("step", STEPS)
async def test_what_a_killed_controller_left_is_reaped(step: str, moment: Moment) -> None:
    for number in await numbers(step):
        world = World()
        world.simulator.fault = Fault(number, moment, deadly=True)
        with pytest.raises(Killed):
            await world.create()
        world.simulator.revive()
        assert set((await world.registry.reap()).values()) <= {None}
        assert world.clean, (number, world.commands()[number])


async def test_a_template_that_runs_is_not_cloned() -> None:
    world = World()
    world.simulator.host.jails["browser"] = Jail("192.168.72.6")
    world.before = world.simulator.state
    with pytest.raises(LaunchFailed) as failed:
        await world.create()
    assert failed.value.details["step"] == "template"
    assert "bastille stop browser" in failed.value.hint
    assert world.clean


async def test_a_snapshot_that_is_not_there_is_told() -> None:
    world = World()
    with pytest.raises(LaunchFailed, match="no snapshot better"):
        await world.create(snapshot="better")
    assert world.clean


async def test_one_that_is_there_is_left_alone() -> None:
    world = World()
    await world.create()
    before = world.simulator.state
    with pytest.raises(LaunchFailed) as failed:
        await world.create()
    assert failed.value.details["step"] == "claim"
    assert any("dataset" in each for each in failed.value.details["left"])
    assert world.simulator.host == before


async def test_who_is_second_in_a_race_destroys_nothing() -> None:
    """Between a look and the clone somebody else has made it: it is theirs."""
    world = World()
    await world.create(snapshot="good")
    taken = world.simulator.state
    number = world.numbers(CREATE, "template")[0]
    world = World()

    def overtaken(_: object) -> bool:
        if len(world.simulator.said) == number + 1:
            world.simulator.host = taken
        return False

    world.simulator.broken = overtaken
    before = world.simulator.state
    with pytest.raises(LaunchFailed, match="already exists"):
        await world.create(snapshot="good")
    assert before != taken
    assert world.simulator.host.jails.keys() == {"browsertask001"}
    assert not [each for each in world.commands() if "destroy" in each or "stop" in each]


async def test_what_cannot_be_undone_is_told_with_the_cause() -> None:
    world = World()
    world.simulator.broken = lambda argv: "start" in argv or "delete" in argv
    with pytest.raises(LaunchFailed) as failed:
        await world.create()
    assert failed.value.details["step"] == "start"
    assert failed.value.details["left"] == ["address 192.168.72.101"]
    world.simulator.broken = lambda _: False
    await world.registry.reap()
    assert world.clean


async def test_a_jail_that_says_it_started_and_did_not_is_no_jail() -> None:
    number = (await numbers("start"))[0]
    world = World()

    def lies(_: object) -> bool:
        if len(world.simulator.said) == number + 2:
            world.simulator.host.jails.clear()
        return False

    world.simulator.broken = lies
    with pytest.raises(LaunchFailed, match="does not run"):
        await world.create()
    assert world.clean
