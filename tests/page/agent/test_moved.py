"""Elements that stand in another place than they did."""

from __future__ import annotations

import pytest

from tests.page.looks import Looks
from tests.support.tabs import Tab

LISTS = """<ul id=a><li tabindex=0>One<li tabindex=0>Two<li tabindex=0>Three</ul>
<ul id=b aria-label=Done><li tabindex=0>Four</ul><ul id=c></ul>
<div id=d><div><button>Five</button> <button>Six</button></div><div><button>Seven</button></div></div>"""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("a.append(a.children[0])", ["~ listitem [e1] [clickable]: One, moved after e3"]),
        ("a.prepend(a.children[2])", ["~ listitem [e3] [clickable]: Three, moved before e1"]),
        ("b.append(a.children[0])", ["~ listitem [e1] [clickable]: One, moved after e4"]),
        ("c.append(a.children[0])", ["+ list", "~ listitem [e1] [clickable]: One, moved here"]),
        (
            "a.append(a.children[0]); a.children[2].textContent = 'Won'",
            ["~ listitem [e1] [clickable]: Won, moved after e3"],
        ),
        (
            "d.append(d.children[0])",
            ['~ button "Five" [e5], moved after e7', '~ button "Six" [e6], moved after e7'],
        ),
        # Back where it was, whatever way it took.
        ("a.append(a.children[0]); b.append(a.children[2]); a.prepend(b.children[1])", []),
        ("for (const item of [...a.children]) a.append(item)", []),
        (
            "for (const item of [...a.children].reverse()) a.append(item)",
            [
                "~ listitem [e2] [clickable]: Two, moved after e3",
                "~ listitem [e1] [clickable]: One, moved after e2",
            ],
        ),
    ],
)
async def test_what_moved_is_told_with_where_to(tab: Tab, change: str, expected: list[str]) -> None:
    looks = Looks(tab)
    await looks.see(LISTS)
    text = await looks.changes(change)
    assert [line.strip() for line in text.splitlines() if not line.startswith("in ")] == expected
    assert await looks.changes() == ""
