"""No number and no address is given twice while anything of it is there."""

from __future__ import annotations

import asyncio

import pytest

from stockade.errors import LaunchFailed, LimitReached
from stockade.jails.bastille.hostd import DESTROY
from stockade.jails.bastille.names import Clone
from stockade.jails.bastille.registry import Registry
from tests.jails.bastille.world import World


async def test_those_who_ask_at_once_get_different_ones() -> None:
    world = World()
    taken = await asyncio.gather(*(world.registry.take() for _ in range(20)))
    assert sorted(each.number for each in taken) == list(range(1, 21))
    assert world.registry.held == set(taken)


async def test_one_that_is_given_back_is_given_again_when_nothing_of_it_is_left() -> None:
    world = World()
    clone = await world.registry.take()
    await world.create(clone.number)
    world.registry.give_back(clone)
    assert await world.registry.take() == Clone(2)
    await world.hostd.call(DESTROY, clone=clone.name)
    assert await world.registry.take() == clone


async def test_there_are_only_so_many() -> None:
    world = World()
    registry = Registry(world.hostd, most=2)
    await registry.take()
    clone = await registry.take()
    with pytest.raises(LimitReached) as full:
        await registry.take()
    assert full.value.details["limit"] == "jails"
    registry.give_back(clone)
    assert await registry.take() == clone


async def test_a_network_that_is_full_is_told() -> None:
    world = World()
    addresses = [str(world.ground.address(Clone(each))) for each in range(1, 155)]
    world.simulator.host.table |= set(addresses)
    with pytest.raises(LimitReached):
        await world.registry.take()


async def test_orphans_are_reaped_and_what_somebody_has_stays() -> None:
    world = World()
    mine = await world.registry.take()
    await world.create(mine.number)
    await world.create(5)
    await world.create(7)
    assert await world.registry.reap() == {Clone(5): None, Clone(7): None}
    assert (await world.hostd.look()).clones == {mine}


async def test_an_orphan_that_cannot_be_reaped_does_not_hold_up_the_others() -> None:
    world = World()
    await world.create(1)
    await world.create(2)
    world.simulator.broken = lambda argv: argv[:1] == ("/sbin/pfctl",) and "192.168.72.101" in argv
    reaped = await world.registry.reap()
    assert isinstance(reaped[Clone(1)], LaunchFailed)
    assert reaped[Clone(2)] is None
    assert await world.registry.take() == Clone(2)
    world.simulator.broken = lambda _: False
    assert await world.registry.reap() == {Clone(1): None}
