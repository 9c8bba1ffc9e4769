"""Which part of a page it is there for."""

from __future__ import annotations

import pytest

from stockade.page.scripts import script
from tests.support.tabs import Tab

PROSE = "<p>" + "Leaves are picked by hand, dried in the sun, and sold in boxes of twenty. " * 3


@pytest.mark.parametrize(
    ("html", "chosen"),
    [
        (f"<main id=a>{PROSE}</main><article id=b>{PROSE}</article>", "a"),
        (f"<article id=b>{PROSE}</article><div id=c>{PROSE}</div>", "b"),
        (
            f"<div id=side class=sidebar>{PROSE}</div><div id=text class=content>{PROSE * 3}</div>",
            "text",
        ),
        (f"<nav id=n>{PROSE * 5}</nav><div id=d>{PROSE}</div>", "d"),
        ("<p>Short</p>", None),
    ],
)
async def test_the_main_part(tab: Tab, html: str, chosen: str | None) -> None:
    await tab.show(html)
    await tab.ref("body")
    found = await tab.page.main_frame.call(
        f"() => {{ const el = ({script('main_content')})(); return el && el.id; }}"
    )
    assert found == chosen
