"""So many at a time, first come, first served, whoever leaves when."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.errors import Busy, StockadeError, TabClosed
from stockade.sessions.lease import Lease


async def turns(count: int = 4) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_only_so_many_at_a_time_in_the_order_they_came() -> None:
    lease = Lease("it", 2)
    inside: list[int] = []
    order: list[int] = []
    leave = [asyncio.Event() for _ in range(6)]

    async def call(number: int) -> None:
        async with lease.hold(10):
            inside.append(number)
            order.append(number)
            assert len(inside) <= 2
            await leave[number].wait()
            inside.remove(number)

    async with asyncio.TaskGroup() as group:
        for number in range(6):
            group.create_task(call(number))
        await turns()
        assert (order, lease.users) == ([0, 1], 6)
        leave[1].set()
        await turns()
        assert order == [0, 1, 2]
        for event in leave:
            event.set()
    assert order == list(range(6))
    assert lease.users == 0


async def test_waiting_ends_with_a_typed_error() -> None:
    lease = Lease("tab t1")
    async with lease.hold(1):
        with pytest.raises(Busy, match="tab t1"):
            async with lease.hold(0.01):
                pytest.fail("there were two")
        assert lease.users == 1
    async with lease.hold(0.01):
        assert lease.users == 1


async def test_a_newcomer_does_not_overtake_those_in_line() -> None:
    lease = Lease("it")
    order = []

    async def call(name: str) -> None:
        async with lease.hold(10):
            order.append(name)

    async with asyncio.TaskGroup() as group:
        async with lease.hold(1):
            group.create_task(call("first"))
            await turns()
        # The place is free, but it has been promised.
        group.create_task(call("second"))
    assert order == ["first", "second"]


async def test_a_place_that_comes_as_its_caller_leaves_goes_to_the_next() -> None:
    lease = Lease("it")
    got = []

    async def call(name: str) -> None:
        async with lease.hold(10):
            got.append(name)

    async with asyncio.TaskGroup() as group:
        async with lease.hold(1):
            leaver = group.create_task(call("leaver"))
            group.create_task(call("stayer"))
            await turns()
        leaver.cancel()
    assert got == ["stayer"]
    assert lease.users == 0


async def test_those_who_wait_are_told_of_the_end_and_those_who_come_later() -> None:
    lease = Lease("it")
    told = []

    async def call() -> None:
        try:
            async with lease.hold(10):
                told.append("got it")
        except TabClosed:
            told.append("told")

    async with asyncio.TaskGroup() as group, lease.hold(1):
        waiting = [group.create_task(call()) for _ in range(3)]
        await turns()
        waiting[1].cancel()
        lease.end(TabClosed("gone"))
        lease.end(TabClosed("twice"))
        await turns()
        assert told == ["told", "told"]
    with pytest.raises(TabClosed, match="gone"):
        async with lease.hold(1):
            pytest.fail("it is gone")
    assert lease.users == 0


async def test_whoever_wants_to_know_is_told_of_every_end() -> None:
    ends: list[tuple[int, type[BaseException] | None]] = []
    lease = Lease(
        "it", released=lambda error: ends.append((lease.users, type(error) if error else None))
    )
    async with lease.hold(1):
        with pytest.raises(Busy):
            async with lease.hold(0):
                pytest.fail("there were two")
    with pytest.raises(TabClosed):
        async with lease.hold(1):
            raise TabClosed("gone")
    assert ends == [(1, Busy), (0, None), (0, TabClosed)]


class Schedule:
    """Callers that come, wait, work, fail and are cancelled in any order."""

    def __init__(self, chance: random.Random, capacity: int) -> None:
        self._chance = chance
        self._capacity = capacity
        self._lease = Lease("it", capacity)
        self._line: list[int] = []
        self._inside: set[int] = set()
        self._leaving: set[int] = set()

    async def run(self, callers: int) -> None:
        async with asyncio.TaskGroup() as group:
            tasks: list[asyncio.Task[None]] = []
            for number in range(callers):
                tasks.append(group.create_task(self._call(number)))
                await turns(self._chance.randrange(3))
                if self._chance.random() < 0.4:
                    chosen = self._chance.randrange(number + 1)
                    self._leaving.add(chosen)
                    tasks[chosen].cancel()
        assert self._lease.users == 0
        await self._count()

    async def _call(self, number: int) -> None:
        self._line.append(number)
        wait = self._chance.choice([0, 0.001, 10, 10])
        if wait < 10:
            self._leaving.add(number)
        try:
            async with self._lease.hold(wait):
                await self._work(number)
        except StockadeError:
            return
        finally:
            if number in self._line:
                self._line.remove(number)

    async def _work(self, number: int) -> None:
        before = set(self._line[: self._line.index(number)]) - self._leaving
        self._line.remove(number)
        self._inside.add(number)
        # Whoever came before and wants to wait has a place too, if not had its turn yet.
        assert len(self._inside) + len(before) <= self._capacity
        try:
            await turns(self._chance.randrange(6))
            if self._chance.random() < 0.2:
                raise TabClosed("gone")
        finally:
            self._inside.remove(number)

    async def _count(self) -> None:
        """No place was lost, and none was made up."""
        full = asyncio.Event()

        async def hold() -> None:
            async with self._lease.hold(0.01):
                await full.wait()

        async with asyncio.TaskGroup() as group:
            for _ in range(self._capacity):
                group.create_task(hold())
            await turns()
            with pytest.raises(Busy):
                async with self._lease.hold(0):
                    pytest.fail("one too many")
            full.set()


@given(seed=st.integers(0, 2**32), capacity=st.integers(1, 4), callers=st.integers(1, 40))
def test_any_schedule(seed: int, capacity: int, callers: int) -> None:
    asyncio.run(Schedule(random.Random(seed), capacity).run(callers))
