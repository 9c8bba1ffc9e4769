"""Names for boxes of the window."""

from __future__ import annotations

from typing import Any

from stockade.page.reach import look
from tests.support.tabs import CALLER, Tab

PAGE = """<body style='margin:0'><main><h1 style='height:40px;margin:0'>Title</h1>
<div style='width:400px;height:100px'><button style='width:100px;height:40px'>Buy</button>
<p style='margin:0'>Only words</p></div><x-a style='display:block;height:50px'></x-a></main>
<script>document.querySelector('x-a').attachShadow({mode:'closed'}).innerHTML
 = '<button style="width:90px;height:30px">Deep</button>'</script>"""


async def names(tab: Tab, *boxes: tuple[int, int, int, int]) -> list[list[Any]]:
    given = [dict(zip(("x", "y", "width", "height"), box, strict=True)) for box in boxes]
    said = await look(tab.agent, tab.page.main_frame, "elements_in.js", boxes=given, caller=CALLER)
    return [[(each["role"], each["name"]) for each in row] for row in said["elements"]]


async def test_the_smallest_comes_first(tab: Tab) -> None:
    await tab.show(PAGE)
    first, second, nothing = await names(tab, (10, 50, 60, 20), (0, 82, 80, 10), (1000, 600, 9, 9))
    assert first[0] == ("button", "Buy")
    assert ("paragraph", "Only words") in second
    assert nothing == []


async def test_closed_roots_are_looked_into_and_refs_can_be_used(tab: Tab) -> None:
    await tab.show(PAGE)
    ((deep, *_),) = await names(tab, (5, 145, 60, 20))
    assert deep == ("button", "Deep")
    given = [{"x": 10, "y": 50, "width": 60, "height": 20}]
    said = await look(tab.agent, tab.page.main_frame, "elements_in.js", boxes=given, caller=CALLER)
    outcome = await tab.actions.click(said["elements"][0][0]["ref"], caller=CALLER)
    assert outcome.target == 'button "Buy"'
