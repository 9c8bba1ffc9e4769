"""The clock of a session's pages."""

from __future__ import annotations

import time

from stockade.instruments.clock import PageClock
from tests.support.asking import page_says, session_of
from tests.support.callers import Caller


async def test_it_is_real_time_until_it_is_held(caller: Caller) -> None:
    await caller.show("<p>now</p>")
    session, clock = session_of(caller), PageClock()
    assert not clock.frozen(session)
    assert abs(clock.now(session) - time.time()) < 60
    assert await clock.release(session, timeout=5) == []
    assert await clock.freeze(session, 1000.0, timeout=5) == []
    assert clock.frozen(session)
    assert clock.now(session) == 1000.0
    assert await page_says(caller, "() => Date.now()") == 1_000_000


async def test_moving_on_holds_it_first(caller: Caller) -> None:
    await caller.show("<p>now</p>")
    session, clock = session_of(caller), PageClock()
    before = time.time()
    await clock.advance(session, 3600.0, timeout=5)
    assert clock.frozen(session)
    assert clock.now(session) >= before + 3600
    assert await page_says(caller, "() => Date.now()") == int(clock.now(session) * 1000)
    await clock.release(session, timeout=5)
    assert not clock.frozen(session)


async def test_workers_are_said_to_keep_real_time(caller: Caller) -> None:
    caller.site.page("/w.js", "postMessage(1)", content_type="text/javascript")
    await caller.show("<script>w = new Worker('/w.js'); w.onmessage = () => { ready = 1 }</script>")
    await page_says(
        caller,
        "() => new Promise((done) => { w.onmessage = done; window.ready && done() }).then(() => 1)",
    )
    remarks = await PageClock().freeze(session_of(caller), None, timeout=5)
    assert "workers keep real time" in remarks


async def test_a_frame_with_a_dialog_is_told_as_silent(caller: Caller) -> None:
    await caller.show("<button onclick=\"confirm('Sure?')\">Ask</button>")
    await caller.reply("click", selector="role=button")
    remarks = await PageClock().freeze(session_of(caller), None, timeout=2)
    assert any("did not answer" in each for each in remarks)
