"""Where things are that selectors mean."""

from __future__ import annotations

from stockade.page.reach import look
from tests.support.tabs import CALLER, Tab


async def test_all_of_them_as_they_are_scrolled(tab: Tab) -> None:
    await tab.show(
        "<body style='margin:0;height:3000px'><p style='margin:0;height:20px'>a</p>"
        "<p style='margin:0;height:30px'>b</p><p hidden>c</p>"
    )
    await tab.main("() => scrollTo(0, 10)")
    said = await look(
        tab.agent,
        tab.page.main_frame,
        "boxes_of.js",
        selectors=["p", "text=b", "css=.none"],
        caller=CALLER,
    )
    assert [[(box["y"], box["height"]) for box in group] for group in said["boxes"]] == [
        [(-10, 20), (10, 30)],
        [(10, 30)],
        [],
    ]
    assert (said["x"], said["y"]) == (0, 10)
