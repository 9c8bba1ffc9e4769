"""The part of settling that happens inside the page."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import Tab


async def quiet(tab: Tab, cap: int = 2000) -> Any:
    return await tab.agent.call(tab.page.main_frame, "quiet", cap=cap)


async def arm(tab: Tab) -> None:
    await tab.page.main_frame.call("() => stockade.modules.Settle.arm(null)")


async def test_changes_since_it_was_armed_are_counted(tab: Tab) -> None:
    await tab.show("<p id=p>x</p>")
    await arm(tab)
    assert (await quiet(tab))["changes"] == 0
    await tab.main("() => { p.textContent = 'y'; }")
    report = await quiet(tab)
    assert report["changes"] == 1
    assert report["quiet"] is True


async def test_it_waits_while_changes_go_on(tab: Tab) -> None:
    await tab.show("<p id=p>x</p>")
    await arm(tab)
    await tab.main(
        "() => { let n = 0; (function step() { p.append('.');"
        " if (++n < 8) requestAnimationFrame(step); })(); }"
    )
    assert (await quiet(tab))["changes"] >= 8
    assert await tab.main("() => p.textContent.length") == 9


async def test_what_never_ends_ends_at_the_cap(tab: Tab) -> None:
    await tab.show("<p id=p>x</p>")
    await arm(tab)
    await tab.main("() => { (function step() { p.append('.'); requestAnimationFrame(step); })(); }")
    assert (await quiet(tab, cap=200))["quiet"] is False


async def test_an_element_that_changes_all_the_time_is_ignored(tab: Tab) -> None:
    await tab.show(
        "<p id=p>x</p><script>(function step() { p.textContent = performance.now();"
        " globalThis.steps = (globalThis.steps || 0) + 1; requestAnimationFrame(step); })()</script>"
    )
    await tab.main(
        "() => new Promise((done) => { (function look() { steps > 8 ? done()"
        " : requestAnimationFrame(look); })(); })"
    )
    await arm(tab)
    report = await quiet(tab)
    assert report["quiet"] is True
    assert report["changes"] == 0


async def test_the_first_change_wakes_the_one_who_waits(tab: Tab) -> None:
    await tab.show("<p id=p>x</p>")
    await arm(tab)
    await tab.main("() => { setTimeout(() => { p.textContent = 'y'; }, 30); }")
    report = await tab.agent.call(tab.page.main_frame, "evidence", cap=5000)
    assert report["changes"] == 1
    await arm(tab)
    assert (await tab.agent.call(tab.page.main_frame, "evidence", cap=20))["changes"] == 0


async def test_busy_marks_that_were_there_before_do_not_count(tab: Tab) -> None:
    await tab.show("<p id=old aria-busy=true>x</p><p id=p>y</p><p id=new>z</p>")
    await arm(tab)
    await tab.main("() => { p.textContent = 'changed'; }")
    assert (await quiet(tab))["busy"] == []
    await tab.main("() => { document.getElementById('new').setAttribute('aria-busy', 'true'); }")
    assert (await quiet(tab, cap=150))["busy"] == ["aria-busy"]


async def test_taking_the_focus_is_no_effect_of_a_click(tab: Tab) -> None:
    await tab.show("<button id=b>x</button><input id=i>")
    await tab.page.main_frame.call(
        "() => stockade.modules.Settle.arm(document.getElementById('b'))"
    )
    await tab.main("() => b.focus()")
    assert (await quiet(tab))["changes"] == 0
    await tab.main("() => i.focus()")
    assert (await quiet(tab))["changes"] == 1
