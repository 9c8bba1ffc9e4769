"""Browsers: started late and once, ended early and for good."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from stockade.engines.values import LaunchOptions
from stockade.errors import (
    AdmissionRejected,
    BrowserGone,
    DeadlineExceeded,
    LaunchFailed,
    ProtocolFault,
    TabCrashed,
)
from stockade.sessions import examination
from stockade.sessions.browsers import Browsers, Isolation, Upkeep
from stockade.sessions.clock import Agenda
from stockade.sessions.memory import Memory
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
    memory_reader: Memory | None = None,
    **upkeep: Any,
) -> AsyncIterator[Browsers]:
    async with Work() as work:
        found = Browsers(
            engine,
            LaunchOptions(binary=binary),
            isolation,
            upkeep=Upkeep(**upkeep),
            work=work,
            agenda=Agenda(clock),
            memory=memory_reader,
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
        assert shared.tidy() == []
        await shared.release("b", browser)
        clock.advance(299)
        assert shared.tidy() == []
        assert await shared.acquire("c") is browser
        await shared.release("c", browser)
        clock.advance(299)
        assert shared.tidy() == []
        clock.advance(1)
        [ending] = shared.tidy()
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
        assert shared.tidy() == []
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
        assert (shared.loss, shared.restarted) == ("the browser ended unexpectedly", 1)
        another = await shared.acquire("a")
        assert (another.alive, shared.loss) == (True, "")
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


async def test_one_that_fails_again_and_again_but_works_is_left_alone(
    engine: WatchedEngine, clock: HandClock
) -> None:
    async with browsers(engine, clock) as shared:
        browser = await shared.acquire("a")
        for error in (DeadlineExceeded("slow"), TabCrashed("crash"), ProtocolFault("odd")):
            assert not shared.examining
            shared.call_ended(browser, error)
        assert (shared.examining, shared.recovering) == (True, False)
        await until(lambda: not shared.examining)
        assert (browser.alive, shared.failures, shared.restarted) == (True, 0, 0)
        assert await shared.acquire("b") is browser


async def test_one_that_does_not_answer_is_killed_and_that_is_a_loss(
    engine: WatchedEngine, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "_ANSWER_PATIENCE", 0.3)
    async with browsers(engine, clock, failures=2) as shared:
        browser = await shared.acquire("a")
        os.kill(browser.pid, signal.SIGSTOP)
        for number in range(2):
            assert shared.failures == number
            shared.silent(browser)
        await until(lambda: shared.loss)
        await all_gone([browser.pid])
        await until(lambda: not shared.recovering)
        assert "does not answer" in shared.loss
        # Until whoever used it has heard.
        await shared.release("a", browser)
        assert (shared.loss, shared.restarted) == ("", 1)
        assert (await shared.acquire("a")).alive


async def test_one_in_which_nothing_new_begins_is_left_to_those_it_serves(
    engine: WatchedEngine, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "_WORK_PATIENCE", 0.0)
    async with browsers(engine, clock) as shared:
        browser = await shared.acquire("a")
        for _ in range(3):
            shared.start_ended(browser, DeadlineExceeded("no state was made"))
        await until(lambda: not shared.examining)
        assert browser.alive
        another = await shared.acquire("b")
        assert another is not browser
        await shared.release("a", browser)
        assert (browser.alive, another.alive, shared.loss) == (False, True, "")


async def test_one_in_disgrace_gets_nobody_new(engine: WatchedEngine, clock: HandClock) -> None:
    async with browsers(engine, clock) as shared:
        browser = await shared.acquire("a")
        await shared.examine(browser)
        assert browser.alive
        another = await shared.acquire("b")
        assert another is not browser
        await shared.release("a", browser)
        assert not browser.alive
        assert another.alive


async def test_an_old_one_ends_as_soon_as_nobody_uses_it(
    engine: WatchedEngine, clock: HandClock
) -> None:
    async with browsers(engine, clock, idle=0, age=1000) as shared:
        old = await shared.acquire("a")
        clock.advance(999)
        assert shared.tidy() == []
        assert await shared.acquire("b") is old
        clock.advance(1)
        assert shared.tidy() == []
        young = await shared.acquire("c")
        assert (old.alive, young is old) == (True, False)
        await shared.release("a", old)
        assert old.alive
        await shared.release("b", old)
        await shared.release("c", young)
        assert (old.alive, young.alive) == (False, True)
        clock.advance(1000)
        [ending] = shared.tidy()
        await ending.ended()
        assert (young.alive, shared.loss) == (False, "")


async def test_a_large_one_ends_as_soon_as_nobody_uses_it(
    engine: WatchedEngine, clock: HandClock
) -> None:
    async with browsers(engine, clock, memory=1_000_000_000_000) as shared:
        browser = await shared.acquire("a")
        [weighing] = shared.tidy()
        await weighing.ended()
        assert await shared.acquire("b") is browser
        assert shared.tidy() == [], "not all the time"
    async with browsers(engine, clock, memory=1_000_000) as shared:
        browser = await shared.acquire("a")
        [weighing] = shared.tidy()
        await weighing.ended()
        assert browser.alive
        another = await shared.acquire("b")
        assert another is not browser
        await shared.release("a", browser)
        assert not browser.alive
        await shared.release("b", another)
        clock.advance(10)
        [weighing] = shared.tidy()
        await weighing.ended()
        await until(lambda: not shared.alive)


async def test_nothing_begins_when_the_memory_is_full(
    engine: WatchedEngine, clock: HandClock, tmp_path: Path
) -> None:
    def left(percent: int) -> None:
        rows = f"MemTotal: 100 kB\nMemFree: 0 kB\nMemAvailable: {percent} kB\n"
        (tmp_path / "meminfo").write_text(rows, encoding="ascii")

    memory = Memory(tmp_path, tmp_path)
    left(10)
    async with browsers(engine, clock, memory_reader=memory, ceiling=90) as shared:
        browser = await shared.acquire("a")
        left(9)
        with pytest.raises(AdmissionRejected) as caught:
            await shared.acquire("b")
        assert (browser.alive, caught.value.details) == (True, {"retryAfter": 5})
        await shared.release("a", browser)
        # Now there is something that nobody needs.
        with pytest.raises(AdmissionRejected):
            await shared.acquire("b")
        assert not browser.alive
        left(10)
        await shared.warm()
        assert engine.begun == 2


async def test_one_that_was_warmed_is_the_next_sessions(
    engine: WatchedEngine, clock: HandClock
) -> None:
    async with browsers(engine, clock, "process") as own:
        await own.warm()
        await own.warm()
        assert engine.begun == 1
        first = await own.acquire("a")
        assert first is engine.browsers[0]
        assert await own.acquire("b") is not first


@pytest.mark.parametrize("level", ["shared", "process"])
async def test_where_browsers_never_idle_out_one_is_ready_after_the_last_session(
    engine: WatchedEngine, clock: HandClock, level: Isolation
) -> None:
    async with browsers(engine, clock, level, idle=0) as own:
        first = await own.acquire("a")
        second = await own.acquire("b")
        await own.release("a", first)
        await own.release("b", second)
        [ready] = own.alive
        # Another session gets nothing that the last one has touched, unless it is shared.
        assert (ready is first) == (level == "shared")
        assert await own.acquire("c") is ready
        await own.stop_all()
        assert own.alive == []


async def test_all_can_be_stopped_which_is_no_loss(engine: WatchedEngine, clock: HandClock) -> None:
    async with browsers(engine, clock, "process") as own:
        stopped = await asyncio.gather(own.acquire("a"), own.acquire("b"))
        await own.stop_all()
        assert [each.alive for each in stopped] == [False, False]
        assert (own.alive, own.loss, own.restarted) == ([], "", 0)
        assert (await own.acquire("a")).alive


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
