"""Commands, answers, deadlines and failures, without a browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from stockade.engines.cdp.connection import Connection, Session
from stockade.errors import (
    BrowserGone,
    DeadlineExceeded,
    DialogOpen,
    InvalidArgument,
    NavigationRace,
    ProtocolFault,
    StockadeError,
    TabClosed,
    TabCrashed,
)


class Wire:
    """The browser's side of a connection."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.writes = 0
        self.connection = Connection()
        self.connection.opened(self.write, lambda: None)

    def write(self, data: bytes) -> None:
        self.writes += 1
        self.sent += [json.loads(part) for part in data.split(b"\0") if part]

    def say(self, **message: Any) -> None:
        self.connection.received(json.dumps(message).encode())

    def answer_all(self) -> None:
        for sent in self.sent:
            self.say(id=sent["id"], result={})

    async def failing(self, session: Session, method: str, **answer: Any) -> StockadeError:
        """What a command that is answered so raises."""
        asyncio.get_running_loop().call_soon(lambda: self.say(id=self.sent[-1]["id"], **answer))
        with pytest.raises(StockadeError) as caught:
            await session.send(method, timeout=5)
        return caught.value


def soon(act: Callable[[], None]) -> None:
    """Do it once the tasks that are made next have begun."""
    loop = asyncio.get_running_loop()
    loop.call_soon(lambda: loop.call_soon(act))


async def test_an_answer_finds_its_command() -> None:
    wire = Wire()
    session = wire.connection.session("S")
    loop = asyncio.get_running_loop()
    loop.call_soon(lambda: wire.say(id=wire.sent[0]["id"], sessionId="S", result={"x": 1}))
    assert await session.send("A.b", {"y": 2}, timeout=5) == {"x": 1}
    assert wire.sent == [{"id": 1, "method": "A.b", "params": {"y": 2}, "sessionId": "S"}]


async def test_many_commands_are_one_write() -> None:
    wire = Wire()
    loop = asyncio.get_running_loop()
    loop.call_soon(wire.answer_all)
    await wire.connection.root.send_all([("A.a", {}), ("A.b", {})], timeout=5)
    assert wire.writes == 1


async def test_every_command_has_a_deadline() -> None:
    wire = Wire()
    with pytest.raises(DeadlineExceeded):
        await wire.connection.root.send("A.b", timeout=0.01)
    wire.say(id=1, result={})


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Inspected target navigated or closed", NavigationRace),
        ("Cannot find context with specified id", NavigationRace),
        ("Execution context was destroyed.", NavigationRace),
        ("Session with given id not found.", TabClosed),
        ("Not attached to an active page", NavigationRace),
        ("No target found for targetId", TabClosed),
        ("Target crashed", TabCrashed),
        ("Something else", ProtocolFault),
    ],
)
async def test_refusals_are_typed(message: str, kind: type[StockadeError]) -> None:
    wire = Wire()
    error = await wire.failing(wire.connection.root, "A.b", error={"code": 1, "message": message})
    assert type(error) is kind


async def test_a_lost_browser_fails_everything_at_once() -> None:
    wire = Wire()
    session = wire.connection.session("S")
    asyncio.get_running_loop().call_soon(wire.connection.lost)
    with pytest.raises(BrowserGone):
        await session.send("A.b", timeout=60)
    with pytest.raises(BrowserGone):
        await wire.connection.root.send("A.b", timeout=60)
    session.post(("A.b", {}))
    assert len(wire.sent) == 1


async def test_a_session_that_ends_fails_its_own_calls_only() -> None:
    wire = Wire()
    one, other = wire.connection.session("1"), wire.connection.session("2")
    soon(lambda: wire.connection.forget(one, TabClosed("gone")))
    soon(lambda: wire.say(id=2, result={}))
    results = await asyncio.gather(
        one.send("A.b", timeout=5), other.send("A.b", timeout=5), return_exceptions=True
    )
    assert isinstance(results[0], TabClosed)
    assert results[1] == {}
    with pytest.raises(TabClosed):
        await one.send("A.b", timeout=5)


async def test_a_dialog_holds_back_what_it_blocks() -> None:
    wire = Wire()
    session = wire.connection.session("S")
    soon(lambda: session.interrupted(DialogOpen("open")))
    soon(lambda: wire.say(id=2, result={}))
    results = await asyncio.gather(
        session.send("Runtime.evaluate", timeout=5),
        session.send("Page.handleJavaScriptDialog", timeout=5),
        return_exceptions=True,
    )
    assert isinstance(results[0], DialogOpen)
    assert results[1] == {}
    session.dialog_open = lambda: True
    with pytest.raises(DialogOpen):
        await session.send("Runtime.evaluate", timeout=5)
    assert len(wire.sent) == 2


async def test_a_crashed_target_takes_only_what_revives_it() -> None:
    wire = Wire()
    session = wire.connection.session("S")
    session.crashed(TabCrashed("crashed"))
    with pytest.raises(TabCrashed):
        await session.send("Runtime.evaluate", timeout=5)
    asyncio.get_running_loop().call_soon(lambda: wire.say(id=1, result={}))
    await session.send("Page.navigate", timeout=5)
    session.revived()


async def test_events_are_parsed_only_for_those_who_listen() -> None:
    class Wanted(msgspec.Struct):
        x: int

    wire = Wire()
    session = wire.connection.session("S")
    seen: list[int] = []
    session.on("A.wanted", lambda event: seen.append(event.x), Wanted)
    wire.say(method="A.wanted", sessionId="S", params={"x": 1, "rest": [1, 2]})
    wire.say(method="A.unwanted", sessionId="S", params={"x": "not a number"})
    wire.say(method="A.wanted", sessionId="unknown", params={"x": 2})
    assert seen == [1]


async def test_half_a_character_is_refused_and_nothing_is_sent() -> None:
    wire = Wire()
    with pytest.raises(InvalidArgument):
        await wire.connection.root.send("A.b", {"text": "\ud83d"}, timeout=5)
    assert wire.sent == []


async def test_a_cancelled_caller_leaves_nothing_behind() -> None:
    wire = Wire()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await wire.connection.root.send("A.b", timeout=60)
    wire.say(id=1, result={"late": True})
