from __future__ import annotations

from stockade.sessions.taint import Taint
from tests.support.callers import Caller
from tests.support.waiting import until


async def test_who_may_know_what_was_filled_in(caller: Caller) -> None:
    site = caller.site
    for path in ("/popup", "/free"):
        site.page(path, "<p>free</p>")
    elsewhere = site.url("/free").replace("127.0.0.1", "localhost")
    await caller.show("<p>first</p>", path="/first")
    await caller.ok("tabs", action="new", url=elsewhere)
    session = caller.kernel.sessions.all()[0]
    first, other = session.tabs
    taint = Taint()
    assert not taint.lasting
    taint.mark(first, first.page.main_frame)
    taint.mark(first, first.page.main_frame)
    assert taint.holds(first)
    assert taint.of_frame(first.page.main_frame)
    assert not taint.holds(other)
    # A tab of the same origin shares storage with it, one that it opened can be spoken to.
    await caller.ok("tabs", action="new", url=site.url("/free"))
    assert taint.holds(session.tabs[-1])
    await caller.ok("navigate", url=site.url("/first#there"), tab=first.id)
    assert taint.lasting
    await caller.ok("navigate", url=elsewhere, tab=first.id)
    assert not taint.lasting
    assert not any(map(taint.holds, session.tabs))


async def test_a_popup_of_another_origin_can_be_told(caller: Caller) -> None:
    other = caller.site.url("/free").replace("127.0.0.1", "localhost")
    caller.site.page("/free", "<p>free</p>")
    await caller.show(f"<button onclick=\"window.open('{other}')\">Open</button>")
    await caller.ok("click", selector="button")
    session = caller.kernel.sessions.all()[0]
    await until(lambda: len(session.tabs) == 2)
    opener, popup = session.tabs
    taint = Taint()
    taint.mark(opener, opener.page.main_frame)
    assert taint.holds(popup)
    await caller.ok("navigate", url=other, tab=opener.id)
    assert not taint.holds(popup)
