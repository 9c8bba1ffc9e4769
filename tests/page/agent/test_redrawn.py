"""Elements that a page takes away and puts back."""

from __future__ import annotations

import pytest

from stockade.errors import StaleRef
from tests.page.looks import Looks
from tests.support.tabs import Tab

DAYS = "days.innerHTML = [...Array(9).keys()].map((day) => `<button>Day ${day}</button>`).join('')"


async def test_what_is_redrawn_as_it_was_takes_one_line(tab: Tab) -> None:
    looks = Looks(tab)
    await looks.see(f"<button>Before</button><div id=days></div><script>{DAYS}</script>")
    text = await looks.changes(f"{DAYS}; days.children[4].textContent = 'Chosen'")
    assert text.splitlines() == [
        '+ button "Chosen" [e19]',
        "~ 8 elements redrawn as they were: e2-e5 now e11-e14, e7-e10 now e15-e18",
        '- button "Day 4" [e6]',
    ]
    # The new refs count as shown, and an old one says what stands in its place.
    await tab.actions.click("e15", caller=looks.caller)
    with pytest.raises(StaleRef, match="e11"):
        await tab.actions.click("e2", caller=looks.caller)
    assert await looks.changes() == ""


async def test_alike_controls_that_are_redrawn_are_told_apart_by_their_rows(tab: Tab) -> None:
    looks = Looks(tab)
    rows = "list.innerHTML = ['One', 'Two', 'Three'].map((name) => `<li>${name} <button>Delete</button>`).join('')"
    await looks.see(f"<ul id=list></ul><script>{rows}</script>")
    assert await looks.changes(rows) == "~ 3 elements redrawn as they were: e1-e3 now e4-e6"
    text = await looks.changes(
        "list.innerHTML = ['Two', 'Three', 'Four'].map((name) => `<li>${name} <button>Delete</button>`).join('')"
    )
    assert [line.strip() for line in text.splitlines()] == [
        '~ button "Delete" [e7], was e5',
        '~ button "Delete" [e8], was e6',
        "+ listitem: Four",
        '+ button "Delete" [e9]',
        "- listitem: One",
    ]


async def test_what_a_continuation_showed_is_told_too(tab: Tab) -> None:
    looks = Looks(tab)
    await looks.see("<button>Before</button><div id=days></div>")
    delta = await looks.delta(DAYS, budget=30)
    assert delta.continuation is not None
    rest = await looks.see(continuation=delta.continuation)
    assert '+ button "Day 8"' in rest.text
    text = await looks.changes(DAYS)
    assert text.startswith("~ 9 elements redrawn as they were: ")
    assert "gone" in await looks.changes("days.innerHTML = ''")


@pytest.mark.parametrize("budget", [20, 45])
async def test_what_was_left_out_before_is_told_when_it_is_redrawn(tab: Tab, budget: int) -> None:
    looks = Looks(tab)
    page = f"<button>Before</button><div id=days></div><script>{DAYS}</script>"
    assert (await looks.see(page, budget=budget)).truncated
    ref = await tab.ref("text='Day 7'")
    text = await looks.changes(DAYS)
    assert "gone" not in text
    assert '- button "Day' not in text
    assert '+ button "Day 8"' in text or "redrawn" in text
    with pytest.raises(StaleRef):
        await tab.actions.click(ref, caller=looks.caller)
