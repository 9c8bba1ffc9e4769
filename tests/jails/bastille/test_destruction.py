"""A clone is cleared away in the order of the steps, from whatever state it is in."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from stockade.errors import LaunchFailed
from stockade.jails.bastille.destruction import STEPS
from stockade.jails.bastille.hostd import DESTROY, FORCE_UNMOUNT, REAP
from stockade.jails.bastille.names import Clone
from tests.jails.bastille.simulator import Fault, Killed, Moment
from tests.jails.bastille.world import BROWSER, World

MOMENTS: tuple[Moment, ...] = ("before", "in", "after")
NAME = "browsertask001"


async def numbers(operation: str, step: str) -> list[int]:
    world = World()
    await world.worst()
    since = len(world.simulator.said)
    await world.hostd.call(operation, clone=NAME)
    found = world.numbers(operation, step, since)
    assert found, "the step runs nothing"
    return found


async def test_the_steps_are_in_their_order() -> None:
    world = World()
    await world.worst()
    since = len(world.simulator.said)
    await world.hostd.call(DESTROY, clone=NAME)
    steps = list(dict.fromkeys(at for at, _, _ in world.simulator.said[since:]))
    assert steps == [f"{DESTROY} {each}" for each in STEPS]
    assert world.clean


@pytest.mark.parametrize("deadly", [False, True], ids=["failing", "killed"])
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("operation", [DESTROY, REAP])
async def test_after_any_failure_reaping_leaves_nothing(
    operation: str, step: str, moment: Moment, deadly: bool
) -> None:
    for number in await numbers(operation, step):
        world = World()
        await world.worst()
        world.simulator.fault = Fault(number, moment, deadly)
        failed: LaunchFailed | Killed | None = None
        try:
            await world.hostd.call(operation, clone=NAME)
        except (LaunchFailed, Killed) as error:
            failed = error
        assert isinstance(failed, Killed) == deadly
        assert failed is not None or world.clean, "it was said that nothing is left"
        if isinstance(failed, LaunchFailed):
            assert failed.details["step"] in STEPS
            assert failed.details["operation"] == operation
            assert failed.hint
        world.simulator.revive()
        assert set((await world.registry.reap()).values()) <= {None}
        assert world.clean, (number, world.commands()[number])


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_forced_unmount_that_fails_harms_nothing(moment: Moment) -> None:
    async def held() -> World:
        world = World()
        clone = await world.worst()
        del world.simulator.host.jails[clone.name]
        return world

    world = await held()
    since = len(world.simulator.said)
    await world.hostd.call(FORCE_UNMOUNT, clone=NAME)
    count = len(world.simulator.said) - since
    assert count == 6
    assert not [each for each in world.simulator.host.mounts if NAME in each[1]]
    for number in range(since, since + count):
        for deadly in (False, True):
            world = await held()
            world.simulator.fault = Fault(number, moment, deadly)
            with pytest.raises((LaunchFailed, Killed)):
                await world.hostd.call(FORCE_UNMOUNT, clone=NAME)
            world.simulator.revive()
            await world.registry.reap()
            assert world.clean


async def test_nothing_is_unmounted_below_a_jail_that_runs() -> None:
    world = World()
    await world.worst()
    before = world.simulator.state
    with pytest.raises(LaunchFailed, match="still runs"):
        await world.hostd.call(FORCE_UNMOUNT, clone=NAME)
    assert world.simulator.host == before


@pytest.mark.parametrize("operation", [DESTROY, REAP])
async def test_a_second_time_does_no_harm(operation: str) -> None:
    world = World()
    await world.create()
    other = await world.create(2)
    for _ in range(3):
        await world.hostd.call(operation, clone=NAME)
    assert (await world.hostd.look()).clones == {other}
    await world.hostd.call(operation, clone=other.name)
    assert world.clean


async def test_a_browser_that_ends_is_not_killed() -> None:
    world = World()
    clone = await world.create()
    world.browse(clone)
    await world.hostd.call(DESTROY, clone=NAME)
    assert not [each for each in world.commands() if "-KILL" in each]


async def test_a_browser_that_does_not_end_is_killed_by_its_number_in_its_jail() -> None:
    world = World()
    await world.worst()
    await world.hostd.call(DESTROY, clone=NAME)
    killed = [each for each in world.commands() if "/bin/kill" in each]
    inside = ("/usr/sbin/jexec", NAME, "/bin/kill")
    assert killed == [(*inside, "-TERM", str(BROWSER)), (*inside, "-KILL", str(BROWSER))]


@pytest.mark.parametrize("text", ["", "1", "0", "-1", "x", "4 5", "-9 1", "٤", "1\n2"])
async def test_a_forged_number_is_not_used(text: str) -> None:
    world = World()
    clone = await world.create()
    world.browse(clone)
    jail = world.simulator.host.jails[NAME]
    for name in jail.files:
        jail.files[name] = text
    jail.processes.clear()
    simulate = world.simulator._inside
    world.simulator._inside = (  # type: ignore[method-assign]
        lambda name, argv, stdin: ([], "") if "service" in argv[0] else simulate(name, argv, stdin)
    )
    await world.hostd.call(DESTROY, clone=NAME)
    assert not [each for each in world.commands() if "/bin/kill" in each]
    assert world.clean


BROKEN: dict[str, tuple[Callable[[Sequence[str]], bool], set[str]]] = {
    "stop": (lambda argv: "stop" in argv or "-R" in argv, {"jail", "dataset", "mount"}),
    "limits": (lambda argv: argv[0] == "/usr/bin/rctl" and "-r" in argv, {"limit"}),
    "network": (lambda argv: "delete" in argv, {"address"}),
    "address": (lambda argv: "-k" in argv, {"dataset"}),
    "datasets": (lambda argv: argv[:2] == ("/sbin/zfs", "destroy"), {"dataset"}),
    "force-unmount": (lambda argv: "-f" in argv, {"dataset", "mount"}),
    "epairs": (lambda argv: argv[-1] == "destroy", {"interface"}),
}


@pytest.mark.parametrize("step", BROKEN)
async def test_what_is_in_the_way_for_good_is_named_and_the_rest_goes(step: str) -> None:
    world = World()
    clone = await world.worst()
    broken, kinds = BROKEN[step]
    world.simulator.broken = broken
    with pytest.raises(LaunchFailed) as failed:
        await world.hostd.call(DESTROY, clone=clone.name)
    assert failed.value.details["step"] == step
    assert kinds <= {each.split()[0] for each in failed.value.details["left"]}
    if step != "network":
        assert world.simulator.host.table == world.before.table, "its way out is closed anyhow"
    world.simulator.broken = lambda _: False
    await world.hostd.call(REAP, clone=clone.name)
    assert world.clean


async def test_a_mount_with_a_strange_name_is_not_touched() -> None:
    world = World()
    clone = await world.create()
    place = world.ground.place(clone)
    strange = [f"{place}/root/$(reboot)", f"{place}/root/../../other", f"{place}x/root", "/etc"]
    world.simulator.host.mounts += [("/x", each, "nullfs") for each in strange]
    with pytest.raises(LaunchFailed):
        await world.hostd.call(DESTROY, clone=clone.name)
    assert not [
        each for each in world.commands() if each[0] == "/sbin/umount" and each[-1] in strange
    ]


@pytest.mark.parametrize("seed", range(40))
async def test_any_history_ends_with_nothing(seed: int) -> None:
    """Operations at random on three clones, each of which may fail or be killed anywhere."""
    chance = random.Random(seed)
    world = World()
    for _ in range(12):
        number = chance.randint(1, 3)
        if chance.random() < 0.7:
            at = len(world.simulator.said) + chance.randint(0, 45)
            deadly = chance.random() < 0.5
            world.simulator.fault = Fault(at, chance.choice(MOMENTS), deadly)
        try:
            if chance.random() < 0.5:
                clone = await world.create(number)
                world.browse(clone, ends=chance.random() < 0.5)
                if chance.random() < 0.5:
                    world.bring(clone, held=chance.random() < 0.5)
            else:
                await world.hostd.call(chance.choice([DESTROY, REAP]), clone=Clone(number).name)
        except (LaunchFailed, Killed):
            pass
        world.simulator.revive()
    assert set((await world.registry.reap()).values()) <= {None}
    assert world.clean
