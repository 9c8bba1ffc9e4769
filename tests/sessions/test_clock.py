"""The keeper is woken when something is due, and not before."""

from __future__ import annotations

import asyncio

from stockade.sessions.clock import NEVER, Agenda, Clock
from tests.sessions.ground import HandClock


async def turns(count: int = 5) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_what_is_due_wakes_the_keeper(clock: HandClock) -> None:
    agenda = Agenda(clock)
    async with asyncio.TaskGroup() as group:
        due = group.create_task(agenda.come_due())
        await turns()
        assert clock.planned == [NEVER]
        agenda.expect(clock.now() + 30)
        await turns()
        assert clock.planned == [30]
        agenda.expect(clock.now() + 20)
        agenda.expect(clock.now() + 40)
        await turns()
        assert clock.planned == [20]
        clock.advance(19)
        await turns()
        assert not due.done()
        clock.advance(1)
    assert due.done()


async def test_later_moments_have_to_be_told_again(clock: HandClock) -> None:
    agenda = Agenda(clock)
    agenda.expect(clock.now() - 1)
    agenda.expect(clock.now() + 5)
    await agenda.come_due()
    async with asyncio.TaskGroup() as group:
        due = group.create_task(agenda.come_due())
        await turns()
        assert clock.planned == [NEVER]
        agenda.expect(clock.now())
    assert due.done()


async def test_the_real_clock_ends_a_wait_by_time_and_by_event() -> None:
    clock = Clock()
    event = asyncio.Event()
    await clock.wait(event, clock.now() - 1)
    before = clock.now()
    await clock.wait(event, before + 0.02)
    assert clock.now() >= before + 0.02
    event.set()
    await clock.wait(event, NEVER)
