"""What is there on a host is told by clone, whatever it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stockade.jails.bastille.look import Mount, mounts_in
from stockade.jails.bastille.names import Clone
from tests.jails.bastille.simulator import Host, Jail
from tests.jails.bastille.world import World

DATASET = "zroot/bastille/jails"
TRACES: dict[str, Callable[[Host], object]] = {
    "dataset": lambda host: host.datasets.update({f"{DATASET}/browsertask004": None}),
    "inner dataset": lambda host: host.datasets.update({f"{DATASET}/browsertask004/root": None}),
    "its snapshot": lambda host: host.snapshots.add(f"{DATASET}/browsertask004@x"),
    "snapshot": lambda host: host.snapshots.add(f"{DATASET}/browser@browsertask004"),
    "inner snapshot": lambda host: host.snapshots.add(f"{DATASET}/browser/root@browsertask004"),
    "jail": lambda host: host.jails.update({"browsertask004": Jail("192.168.72.104")}),
    "mount": lambda host: host.mounts.append(
        ("devfs", "/usr/local/bastille/jails/browsertask004/root/dev", "devfs")
    ),
    "cable": lambda host: host.epairs.add("e0a_bt004"),
    "nameless cable": lambda host: host.epairs.add("epair1004b"),
    "limit": lambda host: host.rules.append("jail:browsertask004:pcpu:deny=100"),
    "address": lambda host: host.table.add("192.168.72.104"),
}

CANNOT_BE_ALONE = {"inner dataset", "its snapshot", "mount"}
"""They have to be of a dataset, or on one."""


async def test_what_is_others_is_nobody_of_ours() -> None:
    assert (await World().hostd.look()).clones == set()


@pytest.mark.parametrize("kind", TRACES)
async def test_any_trace_is_seen_and_keeps_the_number(kind: str) -> None:
    world = World()
    TRACES[kind](world.simulator.host)
    seen = await world.hostd.look()
    assert seen.clones == {Clone(4)}
    assert len(seen.traces(Clone(4))) == 1
    assert seen.traces(Clone(3)) == []
    taken = [await world.registry.take() for _ in range(5)]
    assert [each.number for each in taken] == [1, 2, 3, 5, 6]


@pytest.mark.parametrize("kind", sorted(TRACES.keys() - CANNOT_BE_ALONE))
async def test_any_trace_alone_is_reaped(kind: str) -> None:
    world = World()
    TRACES[kind](world.simulator.host)
    if kind == "jail":
        world.simulator.host.epairs.add("e0a_bt004")
        world.simulator.broken = lambda argv: "stop" in argv
    if kind == "nameless cable":
        world.simulator.host.epairs.add("epair1004a")
    assert await world.registry.reap() == {Clone(4): None}
    assert world.clean


def test_mounts_of_a_place_the_last_first() -> None:
    listed = "a /j/x zfs rw 0 0\nb /j/x/root zfs rw 0 0\nc /j/xy nullfs rw 0 0\nd / zfs rw 0 0\n\n"
    assert mounts_in(listed, "/j/x") == [Mount("b", "/j/x/root", "zfs"), Mount("a", "/j/x", "zfs")]
