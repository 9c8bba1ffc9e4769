"""Asking a person."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.callers import Caller
from tests.support.desk import Desk


@pytest.mark.parametrize(
    ("given", "decision", "said", "value"),
    [
        ({}, "approve", {}, True),
        ({"kind": "confirm"}, "approve", {}, True),
        ({"kind": "confirm"}, "deny", {}, False),
        ({"kind": "choose", "choices": ["red", "green"]}, "answer", {"value": "green"}, "green"),
        ({"kind": "choose", "choices": ["red"]}, "deny", {}, None),
        ({"kind": "input"}, "answer", {"value": "Tuesday"}, "Tuesday"),
    ],
)
async def test_a_person_is_asked_and_answers(
    caller: Caller, given: dict[str, Any], decision: Any, said: dict[str, Any], value: Any
) -> None:
    desk = Desk(caller)
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(caller.ok("await_human", prompt="Now?", **given))
        question = await desk.asked()
        assert question.facts["prompt"] == "Now?"
        # Nothing is held: more calls than one has slots for go through.
        await asyncio.gather(*(caller.ok("tabs") for _ in range(4)))
        await desk.say(decision, **said)
    told = waiting.result()
    assert (told["kind"], told["value"]) == (given.get("kind", "acknowledge"), value)
    assert told["timedOut"] is False


async def test_nobody_there(caller: Caller) -> None:
    told = await caller.ok("await_human", prompt="Anybody?", timeoutMs=20)
    assert (told["value"], told["timedOut"]) == (None, True)


@pytest.mark.parametrize(
    "given",
    [
        {"prompt": ""},
        {"prompt": "x" * 2001},
        {"prompt": "x", "kind": "choose"},
        {"prompt": "x", "choices": ["a"]},
        {"prompt": "x", "timeoutMs": 3_600_001},
    ],
)
async def test_what_makes_no_sense_is_not_asked(caller: Caller, given: dict[str, Any]) -> None:
    assert (await caller.refused("await_human", **given))["code"] == "invalid_argument"
    assert Desk(caller).pending == []


async def test_who_stops_waiting_takes_the_question_back(caller: Caller) -> None:
    desk = Desk(caller)
    waiting = asyncio.get_running_loop().create_task(caller.reply("await_human", prompt="Well?"))
    question = await desk.asked()
    waiting.cancel()
    await asyncio.wait([waiting])
    assert question.state == "withdrawn"
