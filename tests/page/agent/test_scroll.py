"""Scrolling by script."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.tabs import CALLER, Tab

PAGE = """<div id=box tabindex=0 role=list style='height:100px;overflow:auto'>
<p role=listitem id=item>first</p><div style='height:900px'></div></div>
<div style='height:3000px;width:3000px'></div>"""


async def scroll(tab: Tab, **arguments: Any) -> Any:
    return await tab.agent.call(tab.page.main_frame, "scroll", caller=CALLER, **arguments)


async def test_to_the_edges(tab: Tab) -> None:
    await tab.show(PAGE)
    bottom = await scroll(tab, to="bottom")
    assert bottom["scroll"]["atBottom"] is True
    assert bottom["moved"] is True
    assert (await scroll(tab, to="bottom"))["moved"] is False
    assert (await scroll(tab, to="right"))["scroll"]["x"] > 0
    assert (await scroll(tab, to="top"))["scroll"]["atTop"] is True


async def test_what_an_element_scrolls_in(tab: Tab) -> None:
    await tab.show(PAGE)
    number = int((await tab.ref("#item"))[1:])
    done = await scroll(tab, ref=number, by={"x": 0, "y": 250})
    assert done["scroll"]["y"] == 250
    assert await tab.main("() => [box.scrollTop, scrollY]") == [250, 0]


@pytest.mark.parametrize("into", [True, False])
async def test_an_element_into_view(tab: Tab, into: bool) -> None:
    await tab.show(PAGE + "<button>Far</button>")
    number = int((await tab.ref("button"))[1:])
    await scroll(tab, ref=number, intoView=into)
    top = await tab.main("() => document.querySelector('button').getBoundingClientRect().top")
    assert 0 < top < 720
