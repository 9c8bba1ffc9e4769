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


async def test_workers_draw_from_the_seed_too(caller: Caller) -> None:
    caller.site.page("/w.js", "postMessage(Math.random())", content_type="text/javascript")
    await caller.show("<p>dice</p>")
    await Randomness().seed(session_of(caller), 7, timeout=5)
    draw = "() => new Promise((done) => { new Worker('/w.js').onmessage = (e) => done(e.data) })"
    drawn = [await page_says(caller, draw) for _ in range(3)]
    assert drawn == [await page_says(caller, "() => Math.random()")] * 3
