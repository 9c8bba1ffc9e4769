"""The hub that passes events on."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.events import ConsoleMessage, Event, Events, PageError
from stockade.errors import DeadlineExceeded


def line(text: str) -> ConsoleMessage:
    return ConsoleMessage("log", text, "", 0, 0.0)


def test_only_the_wanted_kind_arrives_and_only_while_wanted() -> None:
    events, seen = Events(), list[Event]()
    off = events.on(ConsoleMessage, seen.append)
    events.emit(line("one"))
    events.emit(PageError("other", "", 0, 0.0))
    assert events.wanted(ConsoleMessage)
    off()
    off()
    events.emit(line("two"))
    assert seen == [line("one")]
    assert not events.wanted(ConsoleMessage)


def test_a_handler_may_leave_while_it_is_called() -> None:
    events, seen = Events(), list[str]()

    def first(_: ConsoleMessage) -> None:
        seen.append("first")
        off()

    off = events.on(ConsoleMessage, first)
    events.on(ConsoleMessage, lambda _: seen.append("second"))
    events.emit(line("x"))
    events.emit(line("x"))
    assert seen == ["first", "second", "second"]


async def test_waiting_for_one_that_fits() -> None:
    events = Events()
    loop = asyncio.get_running_loop()
    loop.call_soon(events.emit, line("no"))
    loop.call_soon(events.emit, line("yes"))
    found = await events.wait(ConsoleMessage, where=lambda e: e.text == "yes", timeout=5)
    assert found.text == "yes"
    with pytest.raises(DeadlineExceeded):
        await events.wait(ConsoleMessage, timeout=0.01)
    assert not events.wanted(ConsoleMessage)
