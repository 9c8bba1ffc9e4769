"""Work is done in full or undone, whoever stops waiting for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import anyio
import pytest

from stockade.errors import BrowserGone, LaunchFailed
from stockade.sessions.work import Joint, Work


@pytest.fixture
async def work() -> AsyncIterator[Work]:
    async with Work() as work:
        yield work


class Made:
    """Something that takes a while to make and can be undone."""

    def __init__(self) -> None:
        self.begun = 0
        self.made = 0
        self.undone = 0
        self.tidied = 0
        self.go = asyncio.Event()

    async def make(self) -> str:
        self.begun += 1
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            self.tidied += 1
            raise
        self.made += 1
        return "made"

    async def undo(self, made: str) -> None:
        assert made == "made"
        self.undone += 1


async def turns(count: int = 5) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def fails() -> None:
    raise LaunchFailed("no")


async def test_what_must_be_finished_is_finished_without_its_caller(work: Work) -> None:
    thing = Made()
    async with asyncio.TaskGroup() as group:
        caller = group.create_task(work.finish(thing.make))
        await turns()
        caller.cancel()
        await turns()
        assert caller.cancelled()
        thing.go.set()
    await turns()
    assert thing.made == 1


async def test_what_nobody_waits_for_any_more_is_undone(work: Work) -> None:
    thing = Made()
    async with asyncio.TaskGroup() as group:
        caller = group.create_task(work.obtain(thing.make, thing.undo))
        await turns()
        caller.cancel()
        thing.go.set()
    await turns(10)
    assert (thing.made, thing.undone) == (1, 1)


async def test_what_arrives_as_its_caller_leaves_is_undone(work: Work) -> None:
    thing = Made()
    async with asyncio.TaskGroup() as group:
        caller = group.create_task(work.obtain(thing.make, thing.undo))
        await turns()
        thing.go.set()
        await turns(1)
        caller.cancel()
    await turns(10)
    assert thing.made - thing.undone == (0 if caller.cancelled() else 1)
    assert thing.made == 1


async def test_what_is_obtained_is_kept(work: Work) -> None:
    thing = Made()
    thing.go.set()
    assert await work.obtain(thing.make, thing.undo) == "made"
    await turns()
    assert thing.undone == 0


async def test_a_failure_reaches_its_caller_and_nobody_else(work: Work) -> None:
    thing = Made()
    other = work.start(thing.make)
    with pytest.raises(LaunchFailed):
        await work.finish(fails)
    with pytest.raises(LaunchFailed):
        await work.obtain(fails, lambda _: fails())
    unheard = work.start(fails)
    await unheard.ended()
    thing.go.set()
    assert await other.result() == "made"


async def test_a_fault_of_ours_reaches_its_caller_too(work: Work) -> None:
    async def faulty() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await work.finish(faulty)


async def test_several_join_one_piece_of_work(work: Work) -> None:
    thing = Made()
    joint = Joint(work, thing.make)
    async with asyncio.TaskGroup() as group:
        callers = [group.create_task(joint.join()) for _ in range(5)]
        await turns()
        callers[0].cancel()
        callers[3].cancel()
        await turns()
        thing.go.set()
    assert [each.cancelled() for each in callers] == [True, False, False, True, False]
    assert (thing.begun, thing.made) == (1, 1)


async def test_the_last_to_leave_gives_it_up(work: Work) -> None:
    thing = Made()
    joint = Joint(work, thing.make)
    async with asyncio.TaskGroup() as group:
        callers = [group.create_task(joint.join()) for _ in range(3)]
        await turns()
        for each in callers:
            each.cancel()
    await turns()
    assert (thing.begun, thing.made, thing.tidied) == (1, 0, 1)
    thing.go.set()
    assert await joint.join() == "made"
    assert thing.begun == 2


async def test_a_failure_is_told_to_all_and_the_next_begins_anew(work: Work) -> None:
    joint = Joint(work, fails)
    for _ in range(2):
        results = await asyncio.gather(joint.join(), joint.join(), return_exceptions=True)
        assert [type(each) for each in results] == [LaunchFailed, LaunchFailed]


async def test_stopping_tells_those_who_wait_and_waits_for_the_tidying(work: Work) -> None:
    thing = Made()
    joint = Joint(work, thing.make)
    async with asyncio.TaskGroup() as group:
        callers = [group.create_task(asyncio.wait_for(_told(joint), timeout=5)) for _ in range(3)]
        await turns()
        await joint.stop(BrowserGone("stopping"))
        assert thing.tidied == 1
    assert [each.result() for each in callers] == ["stopping"] * 3


async def _told(joint: Joint[str]) -> str:
    try:
        return await joint.join()
    except BrowserGone as error:
        return error.message


async def test_stopping_waits_for_what_was_given_up_before(work: Work) -> None:
    thing = Made()
    joint = Joint(work, thing.make)
    async with asyncio.TaskGroup() as group:
        caller = group.create_task(joint.join())
        await turns()
        caller.cancel()
        await turns(1)
    await joint.stop(BrowserGone("stopping"))
    assert thing.tidied == 1


async def test_cancellation_that_insists_does_not_reach_the_work(work: Work) -> None:
    """A cancelled scope cancels every wait inside it, over and over."""
    thing = Made()
    with anyio.move_on_after(0.01) as scope:
        await work.obtain(thing.make, thing.undo)
    assert scope.cancelled_caught
    thing.go.set()
    await turns(10)
    assert (thing.made, thing.undone) == (1, 1)


async def test_leaving_waits_for_what_is_under_way() -> None:
    thing = Made()
    async with Work() as work:
        work.start(thing.make)
        asyncio.get_running_loop().call_later(0.01, thing.go.set)
    assert thing.made == 1
