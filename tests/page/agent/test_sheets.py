"""What style sheets say of elements, without asking the elements."""

from __future__ import annotations

import pytest

from tests.page.agent.looking import evaluate
from tests.support.tabs import Tab

POINTED = (
    "const asker = stockade.modules.Sheets.asker('pointed'); const all = ['b', 'i', 'p'];"
    "return asker && all.filter((id) => asker.test(document.getElementById(id))).join(' ');"
)
PASSING = POINTED.replace("pointed", "passing")


@pytest.mark.parametrize(
    ("css", "pointed", "passing"),
    [
        ("b { cursor: pointer }", "b", ""),
        ("p, i { cursor: url(x.png), pointer }", "i p", ""),
        ("b:hover { cursor: pointer }", "", "b"),
        ("p * { cursor: pointer }", "", ""),
        ("p { & b { cursor: pointer } }", False, ""),
        ("@media screen { b { cursor: pointer } }", "b", ""),
        ("b { cursor: text }", "", ""),
    ],
)
async def test_rules_that_give_a_hand(
    tab: Tab, css: str, pointed: str | bool, passing: str
) -> None:
    await tab.show(f"<style>{css}</style><p id=p><b id=b>x</b><i id=i>y</i></p>")
    assert await evaluate(tab, POINTED) == pointed
    assert await evaluate(tab, PASSING) == passing


async def test_a_sheet_that_cannot_be_read_may_mean_anything(tab: Tab) -> None:
    tab.site.other.page("/x.css", "b { cursor: pointer }")
    await tab.show(f"<link rel=stylesheet href={tab.site.other.url('/x.css')}><b id=b>x</b>")
    assert await evaluate(tab, POINTED) is False
