from __future__ import annotations

from typing import Any

import pytest

from tests.page.agent.looking import about, evaluate
from tests.support.tabs import Tab

LOOK = (
    "(() => { const { Place } = stockade.modules; const seen = Place.look(el);"
    "return [seen.actionable, seen.clipped, seen.bbox && seen.bbox.height,"
    "seen.cover && Place.describe(seen.cover)]; })()"
)
AT = "position:absolute;left:0;width:50px;height:40px"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<button id=t style='{AT};top:0'>x</button>", [True, False, 40, None]),
        ("<button id=t hidden>x</button>", ["hidden", False, None, None]),
        ("<button id=t style='visibility:hidden'>x</button>", ["hidden", False, None, None]),
        (f"<button id=t disabled style='{AT};top:0'>x</button>", ["disabled", False, 40, None]),
        (f"<button id=t style='{AT};top:5000px'>x</button>", ["off-screen", True, 40, None]),
        (f"<button id=t style='{AT};top:-20px'>x</button>", [True, True, 20, None]),
        (
            f"<button id=t style='{AT};top:0'>x</button><nav style='{AT};top:0'></nav>",
            ["covered", False, 40, "navigation <nav>"],
        ),
        (
            f"<button id=t style='{AT};top:0;pointer-events:none'>x</button>",
            ["covered", False, 40, "<body>"],
        ),
        (
            f"<label style='{AT};top:0'><input id=t type=checkbox hidden>Tick</label>",
            [True, False, 40, None],
        ),
        (
            f"<select style='{AT};top:0'><option id=t>One</option></select>",
            [True, False, 40, None],
        ),
        (
            f"<div style='{AT};top:0;overflow:hidden'><div id=t style='height:90px'>x</div></div>",
            [True, True, 40, None],
        ),
        (
            f"<div style='height:9px;overflow:hidden'><div id=t style='{AT};top:0'>x</div></div>",
            [True, False, 40, None],
        ),
    ],
)
async def test_look(tab: Tab, html: str, expected: list[Any]) -> None:
    assert await about(tab, html, LOOK) == expected


async def test_a_link_broken_over_lines_has_points_in_each_part(tab: Tab) -> None:
    points = await about(
        tab,
        "<p style='width:120px;font:16px monospace'>some <a id=t href=x>words on two lines</a></p>",
        "stockade.modules.Place.points(el).map(([x, y]) => Dom.contains(el, Dom.hit(x, y)))",
    )
    assert len(points) >= 10
    assert all(points)


async def test_clickable(tab: Tab) -> None:
    kinds = {
        "<a id=t href=x>x</a>": True,
        "<div id=t onclick='void 0'>x</div>": True,
        "<div id=t tabindex=0>x</div>": True,
        "<div id=t tabindex=-1>x</div>": False,
        "<div id=t style='cursor:pointer'>x</div>": True,
        "<div style='cursor:pointer'><span id=t>x</span></div>": False,
        "<div id=t>x</div>": False,
    }
    for html, expected in kinds.items():
        assert await about(tab, html, "stockade.modules.Place.clickable(el)") is expected, html


async def test_description(tab: Tab) -> None:
    describe = "stockade.modules.Place.describe(el)"
    assert await about(tab, "<button id=t>Buy</button>", describe) == 'button "Buy"'
    assert await about(tab, "<div id=t class=a></div>", describe) == "<div#t>"
    await tab.show("<div class='veil dark big'></div>")
    found = await evaluate(
        tab, "return stockade.modules.Place.describe(document.querySelector('div'));"
    )
    assert found == "<div.veil.dark>"
