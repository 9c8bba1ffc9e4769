"""Places beside an element of a list, and whether something stands there."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import CALLER, Tab


async def ask(tab: Tab, step: str, source: str, target: str, side: str) -> dict[str, Any]:
    said: dict[str, Any] = await tab.agent.call(
        tab.page.main_frame,
        "drag_order.js",
        step=step,
        caller=CALLER,
        source=tab.agent.locate(source)[1],
        target=tab.agent.locate(target)[1],
        side=side,
    )
    return said


async def test_what_takes_its_place_while_it_is_held_counts_as_it(tab: Tab) -> None:
    await tab.show("<ul id=l><li id=a>A<li id=b>B<li id=c>C</ul>")
    how = (await tab.ref("#a"), await tab.ref("#c"), "before")
    begun = await ask(tab, "begin", *how)
    assert begun["placed"] is False
    assert begun["points"][0]["y"] < begun["points"][1]["y"]
    await tab.main(
        "() => { a.style.position = 'absolute'; const gap = document.createElement('li');"
        " gap.textContent = '-'; c.before(gap); }"
    )
    assert (await ask(tab, "look", *how))["placed"] is True
    await tab.main("() => { l.append(c); c.before(b); }")
    assert (await ask(tab, "look", *how))["placed"] is False
    await tab.main("() => { a.style.position = ''; c.before(a); }")
    assert (await ask(tab, "end", *how))["placed"] is True
