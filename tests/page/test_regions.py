"""The parts a page is made of."""

from __future__ import annotations

from stockade.page.regions import regions
from tests.support.tabs import CALLER, Tab


async def test_in_their_order_and_only_those_to_be_seen(tab: Tab) -> None:
    await tab.show(
        """<header>Shop</header><nav aria-label="Main"><a href="/">Home</a></nav>
        <main><section aria-label="Tea">x</section><div role="dialog" hidden>No</div></main>
        <dialog open aria-label="Cookies">Yes?</dialog>"""
    )
    found = await regions(tab.agent, caller=CALLER)
    assert [(each["role"], each.get("name")) for each in found] == [
        ("banner", None),
        ("navigation", "Main"),
        ("main", None),
        ("region", "Tea"),
        ("dialog", "Cookies"),
    ]
    outcome = await tab.actions.hover(found[1]["ref"], caller=CALLER)
    assert outcome.target == 'navigation "Main"'
