"""A clock in the page's own world."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.page.scripts import script

TOKEN = "a token that no page knows"
NOON = 1_700_000_000_000


class Held:
    """A page whose time stands still."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def says(self, function: str, *given: Any) -> Any:
        return await self.page.main_frame.call(function, *given, world=World.MAIN)

    async def freeze(self, date: int = NOON) -> None:
        given = json.dumps({"token": TOKEN, "date": date})
        await self.says(f"() => ({script('clock')})({given})")

    async def tell(self, method: str, given: Any = None) -> Any:
        return await self.says("(t, m, g) => performance.now(t)[m](g)", TOKEN, method, given)

    async def advance(self, by: float, patience: float = 5000) -> Any:
        return await self.tell("advance", {"by": by, "patience": patience})


@pytest.fixture
async def held(page: Page) -> Held:
    held = Held(page)
    await held.freeze()
    return held


async def test_every_way_to_ask_for_the_date_agrees(held: Held) -> None:
    said = await held.says(
        """() => [
          Date.now(), +new Date(), Date.parse(Date()), new Date().constructor.now(),
          Date.parse(new Intl.DateTimeFormat('en', {timeZone: 'UTC', dateStyle: 'short',
            timeStyle: 'medium'}).format() + ' UTC'),
          'Temporal' in window ? Temporal.Now.instant().epochMilliseconds : Date.now(),
        ]"""
    )
    assert said == [NOON] * 6


async def test_dates_that_are_given_are_kept(held: Held) -> None:
    said = await held.says("() => [new Date(0).getTime(), new Date(2020, 1).getMonth()]")
    assert said == [0, 1]
    assert await held.says("() => new Date() instanceof Date && /native/.test(Date)")


async def test_time_stands_still_for_both_clocks(held: Held) -> None:
    before = await held.says("() => [Date.now(), performance.now()]")
    after = await held.says(
        """async () => { await fetch('data:,x'); return [Date.now(), performance.now()] }"""
    )
    assert before == after


async def test_due_timers_fire_in_order_each_at_its_own_time(held: Held) -> None:
    await held.says(
        """() => {
          window.seen = [];
          const note = (name) => seen.push([name, Date.now()]);
          setTimeout(note, 300, 'late');
          setTimeout(note, 100, 'first');
          setTimeout(note, 100, 'second');
          setTimeout(() => Promise.resolve().then(() => setTimeout(note, 50, 'nested')), 100);
          setInterval(note, 200, 'again');
        }"""
    )
    assert await held.says("() => seen") == []
    told = await held.advance(450)
    assert told["late"] is False
    assert await held.says("() => seen") == [
        ["first", NOON + 100],
        ["second", NOON + 100],
        ["nested", NOON + 150],
        ["again", NOON + 200],
        ["late", NOON + 300],
        ["again", NOON + 400],
    ]
    assert await held.says("() => Date.now()") == NOON + 450


async def test_frames_and_idle_callbacks_come_with_time(held: Held) -> None:
    await held.says(
        """() => {
          window.frames_ = 0;
          window.idle = 0;
          const loop = (now) => { frames_ += now === performance.now(); requestAnimationFrame(loop) };
          requestAnimationFrame(loop);
          requestIdleCallback((deadline) => { idle = deadline.timeRemaining() });
        }"""
    )
    await held.advance(1000)
    assert 59 <= await held.says("() => frames_") <= 61
    assert await held.says("() => idle") == 50


async def test_what_is_cancelled_does_not_fire(held: Held) -> None:
    await held.says(
        """() => {
          window.fired = 0;
          clearTimeout(setTimeout(() => { fired += 1 }, 10));
          clearInterval(setInterval(() => { fired += 1 }, 10));
          cancelAnimationFrame(requestAnimationFrame(() => { fired += 1 }));
          const own = setInterval(() => { fired += 100; clearInterval(own) }, 10);
        }"""
    )
    await held.advance(100)
    assert await held.says("() => fired") == 100


async def test_an_exception_in_a_timer_is_the_pages_own(held: Held) -> None:
    await held.page.set_content(
        """<script>
          window.onerror = (text) => { window.heard = text; return true };
          setTimeout(() => { throw new Error('oh') }, 1);
          setTimeout("window.went = 'on'", 2);
        </script>"""
    )
    await held.advance(5)
    assert await held.says("() => [heard, went]") == ["Uncaught Error: oh", "on"]


async def test_after_release_what_was_waiting_comes_by_itself(held: Held) -> None:
    waiting = (
        """() => { window.done = new Promise((resolve) => setTimeout(resolve, 20, 'done')) }"""
    )
    await held.says(waiting)
    before = await held.says("() => performance.now()")
    await held.advance(10)
    await held.tell("release")
    assert await held.says("() => done") == "done"
    assert await held.says("() => performance.now()") > before
    assert await held.says("() => Date.now()") > NOON + 10_000


async def test_the_monotonic_clock_never_goes_back(held: Held) -> None:
    await held.advance(3_600_000)
    frozen = await held.says("() => performance.now()")
    await held.tell("release")
    assert await held.says("() => performance.now()") >= frozen


async def test_frozen_again_it_holds_every_timer(held: Held) -> None:
    await held.tell("release")
    await held.says("() => { window.ticks = 0; setInterval(() => { ticks += 1 }, 1000) }")
    await held.freeze(NOON)
    await held.advance(3500)
    assert await held.says("() => ticks") == 3


async def test_endless_timers_end_with_patience(held: Held) -> None:
    await held.says("() => { const again = () => setTimeout(again, 1); again() }")
    told = await held.advance(1e9, patience=50)
    assert told["late"] is True
    assert await held.says("() => Date.now()") == NOON + 1_000_000_000


async def test_timers_from_before_are_told(page: Page) -> None:
    held = Held(page)
    await held.says("() => { setTimeout(() => {}, 100000) }")
    await held.freeze()
    assert (await held.tell("state"))["earlier"] is True
