"""Chance, made repeatable."""

from __future__ import annotations

from stockade.instruments.randomness import Randomness
from tests.support.asking import page_says, session_of
from tests.support.callers import Caller


async def test_a_new_seed_takes_the_place_of_the_old_one(caller: Caller) -> None:
    await caller.show("<p>dice</p>")
    session, randomness = session_of(caller), Randomness()
    drawn: list[float] = []
    for seed in (1, 2, 1):
        await randomness.seed(session, seed, timeout=5)
        await caller.show("<script>window.drawn = Math.random()</script>", path=f"/{len(drawn)}")
        drawn.append(await page_says(caller, "() => drawn"))
    assert drawn[0] == drawn[2] != drawn[1]
