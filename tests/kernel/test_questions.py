"""A question, as it is shown."""

from __future__ import annotations

import asyncio

from stockade.kernel.questions import Question, new_question_id
from stockade.policy.principal import Principal


async def test_a_question_says_how_long_it_waits_and_what_became_of_it() -> None:
    somebody = Principal("key_1")
    due = asyncio.get_running_loop().time() + 60
    asked = Question("input", somebody, somebody, due, {"prompt": "Which?"})
    told = asked.description
    assert (told["id"], told["state"], told["prompt"]) == (asked.id, "pending", "Which?")
    assert 0 < told["expiresInMs"] <= 60_000
    assert told["picture"] is False
    asked.state, asked.by, asked.value, asked.note = "answered", "boss", "red", "so be it"
    told = asked.description
    assert (told["expiresInMs"], told["answeredBy"], told["value"]) == (0, "boss", "red")
    assert told["note"] == "so be it"


def test_nobody_guesses_an_id() -> None:
    assert len({new_question_id() for _ in range(100)}) == 100
