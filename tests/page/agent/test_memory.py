"""What each caller has seen."""

from __future__ import annotations

from tests.page.looks import Looks
from tests.support.tabs import Tab


async def test_each_caller_has_a_delta_of_its_own(shop: Looks) -> None:
    other = Looks(shop.tab, "other")
    await other.see()
    assert "Count: 4" in await shop.changes("n.textContent = 4")
    assert "Count: 5" in await shop.changes("n.textContent = 5")
    assert "Count: 5" in await other.changes()
    assert await other.changes() == ""


async def test_what_the_budget_hid_has_not_appeared(tab: Tab) -> None:
    looks = Looks(tab)
    rows = "".join(f"<p>Paragraph {n} of a long page.</p>" for n in range(300))
    seen = await looks.see(f"<div id=all>{rows}</div>", budget=200)
    assert seen.truncated
    text = await looks.changes("all.insertAdjacentHTML('beforeend', '<p>Really new</p>')")
    assert text == "+ text: Really new"
    assert await looks.changes("all.className = 'other'") == ""
    far = await looks.changes("all.children[200].textContent = 'Far but changed'")
    assert far == "~ text: Far but changed"


async def test_a_scoped_look_keeps_the_rest_of_the_delta(shop: Looks) -> None:
    await shop.tab.main("() => { n.textContent = 7; state.textContent = 'vm1 gone' }")
    assert "vm1 gone" in await shop.text(scope="e4")
    text = await shop.changes()
    assert "Count: 7" in text
    assert "vm1 gone" not in text
