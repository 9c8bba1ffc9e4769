"""Turns: nobody is held back alone, and nobody holds another back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from stockade.errors import Busy
from stockade.kernel import turns as module
from stockade.kernel.turns import Turns
from tests.support.waiting import until

NEVER = 1000.0


class Calls:
    """Calls that take a turn and keep it until they are told to end."""

    def __init__(self, turns: Turns, tasks: asyncio.TaskGroup) -> None:
        self.turns = turns
        self.tasks = tasks
        self.at_work: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def begin(self, *names: str) -> None:
        """`alice/s1/a` is a call of alice in session s1."""
        for name in names:
            self._ends[name] = asyncio.Event()
            self._tasks[name] = self.tasks.create_task(self._call(name))
            await breathe()

    async def _call(self, name: str) -> None:
        caller, session, _ = name.split("/")
        async with self.turns.take(caller, session, NEVER):
            self.at_work.append(name)
            await self._ends[name].wait()
            self.at_work.remove(name)

    async def end(self, *names: str) -> None:
        for name in names:
            self._ends[name].set()
            await self._tasks[name]
            await breathe()

    async def cancel(self, name: str) -> None:
        self._tasks[name].cancel()
        await breathe()


async def breathe() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@asynccontextmanager
async def calling(turns: Turns) -> AsyncIterator[Calls]:
    async with asyncio.TaskGroup() as tasks:
        calls = Calls(turns, tasks)
        yield calls
        while calls.at_work:
            await calls.end(*calls.at_work)
    assert all(each.idle for each in turns._callers.values())


async def test_who_is_alone_is_not_held_back() -> None:
    async with calling(Turns(1, NEVER)) as calls:
        await calls.begin(*(f"alice/s{number}/a" for number in range(20)))
        assert len(calls.at_work) == 20


async def test_two_callers_do_not_wait_for_each_other_but_for_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_HURRIED", 1.0)
    async with calling(Turns(1, NEVER)) as calls:
        await calls.begin("alice/s1/a", "alice/s2/a", "bob/s/a")
        # What was at work already goes on; what comes now waits until there is less of it.
        await calls.begin("alice/s1/b", "alice/s1/c", "alice/s2/b", "bob/s/b")
        assert calls.at_work == ["alice/s1/a", "alice/s2/a", "bob/s/a"]
        await calls.end("bob/s/a")
        assert "bob/s/b" in calls.at_work
        await calls.end("alice/s1/a")
        assert [name for name in calls.at_work if name.startswith("alice")] == ["alice/s2/a"]
        order = []
        for _ in range(3):
            await calls.end(*(name for name in calls.at_work if name.startswith("alice")))
            order += [name for name in calls.at_work if name.startswith("alice")]
        assert order == ["alice/s1/b", "alice/s2/b", "alice/s1/c"], "sessions in rotation"


async def test_whoever_leaves_the_line_leaves_no_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_HURRIED", 1.0)
    async with calling(Turns(1, NEVER)) as calls:
        await calls.begin("bob/s/a", "alice/s/a", "alice/s/b", "alice/s/c", "alice/t/a")
        await calls.cancel("alice/s/b")
        await calls.cancel("alice/t/a")
        # The turn comes at the very moment its call is given up.
        calls._ends["alice/s/a"].set()
        while "alice/s/a" in calls.at_work:  # noqa: ASYNC110
            await asyncio.sleep(0)
        await calls.cancel("alice/s/c")
        await calls.begin("alice/s/d")
        assert calls.at_work == ["bob/s/a", "alice/s/d"]


async def test_a_call_that_takes_long_only_waits_so_its_turn_is_over() -> None:
    turns = Turns(1, 0.01)
    async with asyncio.timeout(10), turns.take("bob", "s", 1):
        async with turns.take("alice", "s", 1) as first, turns.take("alice", "s", 5) as second:
            assert first.over
            assert not second.over
        assert second.over


async def test_nobody_waits_longer_than_it_wants_to() -> None:
    turns = Turns(1, NEVER)
    async with turns.take("bob", "s", 1), turns.take("alice", "s", 1):
        with pytest.raises(Busy) as caught:
            async with turns.take("alice", "s", 0.01):
                pytest.fail("it is not its turn")
        assert caught.value.details == {"waited": 0.01}
    assert all(each.idle for each in turns._callers.values())


async def test_who_has_not_called_for_a_while_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    async with calling(Turns(1, NEVER)) as calls:
        await calls.begin("bob/s/a", "alice/s/a", "alice/s/b")
        await calls.end("bob/s/a")
        assert calls.at_work == ["alice/s/a"]
        monkeypatch.setattr(module, "_MEMORY", -1.0)
        await calls.begin("alice/t/a")
        await calls.end("alice/s/a")
        assert calls.at_work == ["alice/s/b", "alice/t/a"], "all of them, now that she is alone"


async def hurry(turns: Turns, *callers: str) -> None:
    """Call again and again without a pause, as no one does who thinks in between."""
    for _ in range(10):
        for caller in callers:
            async with turns.take(caller, "s", NEVER):
                pass


async def test_who_never_pauses_gives_way_to_who_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_PATIENT", NEVER)
    turns = Turns(1, NEVER)
    await hurry(turns, "alice")
    async with calling(turns) as calls:
        await calls.begin("bob/s/a", "alice/s/a")
        assert calls.at_work == ["bob/s/a"]
        # His answer goes out, and then it is her turn.
        await calls.end("bob/s/a")
        assert calls.at_work == []
        await until(lambda: calls.at_work == ["alice/s/a"])
        # Who is at work already goes on.
        await calls.begin("bob/s/b")
        assert calls.at_work == ["alice/s/a", "bob/s/b"]


async def test_it_gives_way_for_a_moment_at_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_PATIENT", 0.01)
    turns = Turns(1, NEVER)
    await hurry(turns, "alice")
    async with calling(turns) as calls:
        await calls.begin("bob/s/a", "alice/s/a")
        assert calls.at_work == ["bob/s/a"]
        await until(lambda: calls.at_work == ["bob/s/a", "alice/s/a"])


async def test_those_who_never_pause_do_not_wait_for_each_other() -> None:
    turns = Turns(1, NEVER)
    await hurry(turns, "alice", "bob")
    async with calling(turns) as calls:
        await calls.begin("bob/s/a", "alice/s/a")
        assert calls.at_work == ["bob/s/a", "alice/s/a"]
