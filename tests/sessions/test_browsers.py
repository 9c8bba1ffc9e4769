"""Browsers: started late and once, ended early and for good."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from stockade.engines.values import LaunchOptions
from stockade.errors import BrowserGone, LaunchFailed
from stockade.sessions.browsers import Browsers, Isolation
from stockade.sessions.clock import Agenda
from stockade.sessions.work import Work
from tests.sessions.ground import HandClock, WatchedEngine, all_gone, until
from tests.support.browsers import HEADLESS_SHELL


@asynccontextmanager
async def browsers(
    engine: WatchedEngine,
    clock: HandClock,
    isolation: Isolation = "shared",
    *,
    binary: Path = HEADLESS_SHELL,
    idle: float = 300,
) -> AsyncIterator[Browsers]:
    async with Work() as work:
        found = Browsers(
            engine,
            LaunchOptions(binary=binary),
            isolation,
            idle=idle,
            work=work,
            agenda=Agenda(clock),
        )
        try:
            yield found
        finally:
            await found.close()
    await all_gone(engine.pids)


async def test_all_share_one(engine: WatchedEngine, clock: HandClock) -> None:
    async with browsers(engine, clock) as shared:
        assert engine.begun == 0
        got = await asyncio.gather(*(shared.acquire(f"s{number}") for number in range(5)))
        assert engine.begun == 1
        assert {id(each) for each in got} == {id(engine.browsers[0])}
        assert shared.alive == [engine.browsers[0]]
        assert shared.launched == 1


async def test_each_has_its_own(engine: WatchedEngine, clock: HandClock) -> None:
    async with browsers(engine, clock, "process") as own:
        first, second = await asyncio.gather(own.acquire("a"), own.acquire("b"))
        assert first is not second
        await own.release("a", first)
        assert (first.alive, second.alive) == (False, True)
        await all_gone([first.pid])


async def test_a_shared_one_ends_when_nobody_has_used_it_for_a_while(
    engine: WatchedEngine, clock: HandClock
) -> None:
    async with browsers(engine, clock) as shared:
        browser = await shared.acquire("a")
        await shared.acquire("b")
        await shared.release("a", browser)
        clock.advance(1000)
        assert shared.end_idle() == []
        await shared.release("b", browser)
        clock.advance(299)
        assert shared.end_idle() == []
        assert await shared.acquire("c") is browser
        await shared.release("c", browser)
        clock.advance(299)
        assert shared.end_idle() == []
        clock.advance(1)
        [ending] = shared.end_idle()
        assert shared.alive == []
        # Whoever comes while it goes gets another.
        another = await shared.acquire("d")
        assert another is not browser
        await ending.ended()
        assert not browser.alive
        assert another.alive


async def test_one_may_be_kept_for_ever(engine: WatchedEngine, clock: HandClock) -> None:
    async with browsers(engine, clock, idle=0) as shared:
        await shared.release("a", await shared.acquire("a"))
        clock.advance(1e9)
        assert shared.end_idle() == []
        assert len(shared.alive) == 1


async def test_one_that_died_is_replaced_and_leaves_nothing(
    engine: WatchedEngine, clock: HandClock
) -> None:
    async with browsers(engine, clock) as shared:
        browser = await shared.acquire("a")
        os.kill(browser.pid, signal.SIGKILL)
        await browser.wait_gone()
        await until(lambda: not shared._running)
        await all_gone([browser.pid])
        another = await shared.acquire("a")
        assert another.alive
        await shared.release("a", browser)
        assert another.alive


async def test_a_launch_that_fails_is_told_to_all_and_tried_again(
    engine: WatchedEngine, clock: HandClock, tmp_path: Path
) -> None:
    missing = tmp_path / "chromium"
    async with browsers(engine, clock, binary=missing) as shared:
        results = await asyncio.gather(
            *(shared.acquire(f"s{number}") for number in range(3)), return_exceptions=True
        )
        assert [type(each) for each in results] == [LaunchFailed] * 3
        assert engine.begun == 1
        missing.symlink_to(HEADLESS_SHELL)
        assert (await shared.acquire("a")).alive


@pytest.mark.parametrize("isolation", ["shared", "process"])
async def test_a_launch_nobody_waits_for_is_given_up(
    engine: WatchedEngine, clock: HandClock, isolation: Isolation
) -> None:
    engine.after.clear()
    async with browsers(engine, clock, isolation) as found:
        async with asyncio.TaskGroup() as tasks:
            caller = tasks.create_task(found.acquire("a"))
            await until(lambda: engine.pids)
            caller.cancel()
        await all_gone([engine.pids[0]])
        assert found.alive == []
        engine.after.set()
        assert (await found.acquire("b")).alive


async def test_only_so_many_start_at_once(engine: WatchedEngine, clock: HandClock) -> None:
    engine.before.clear()
    async with browsers(engine, clock, "process") as own, asyncio.TaskGroup() as tasks:
        starting = [tasks.create_task(own.acquire(f"s{number}")) for number in range(4)]
        await until(lambda: own._launches.users == 4)
        assert engine.begun == 2
        starting[3].cancel()
        engine.before.set()
        await asyncio.gather(*starting[:3])
        assert engine.begun == 3


async def test_a_launch_that_another_waits_for_goes_on(
    engine: WatchedEngine, clock: HandClock
) -> None:
    engine.after.clear()
    async with browsers(engine, clock) as shared, asyncio.TaskGroup() as tasks:
        first = tasks.create_task(shared.acquire("a"))
        second = tasks.create_task(shared.acquire("b"))
        await until(lambda: engine.pids)
        first.cancel()
        await until(first.cancelled)
        engine.after.set()
        assert (await second).alive
        assert engine.begun == 1


async def test_one_that_does_not_answer_is_killed(engine: WatchedEngine, clock: HandClock) -> None:
    async with browsers(engine, clock) as shared:
        browser = await shared.acquire("a")
        await shared.doubt(browser)
        assert browser.alive
        os.kill(browser.pid, signal.SIGSTOP)
        async with asyncio.timeout(20):
            await shared.doubt(browser)
        assert not browser.alive
        await all_gone([browser.pid])
        assert (await shared.acquire("a")).alive


async def test_one_in_disgrace_gets_nobody_new(engine: WatchedEngine, clock: HandClock) -> None:
    async with browsers(engine, clock) as shared:
        browser = await shared.acquire("a")
        await shared.doubt(browser, retire=True)
        assert browser.alive
        another = await shared.acquire("b")
        assert another is not browser
        await shared.release("a", browser)
        assert not browser.alive
        assert another.alive


async def test_stopping_ends_a_launch_under_way_and_lets_nobody_in(
    engine: WatchedEngine, clock: HandClock
) -> None:
    engine.after.clear()
    async with browsers(engine, clock) as shared, asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(refused(shared))
        await until(lambda: engine.pids)
        await shared.close()
        assert await waiting == "the server is stopping"
        await all_gone([engine.pids[0]])
        assert await refused(shared) == "the server is stopping"


async def refused(shared: Browsers) -> str:
    with pytest.raises(BrowserGone) as caught:
        await shared.acquire("a")
    return caught.value.message
