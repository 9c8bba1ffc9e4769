"""Where an element is, to be pictured alone."""

from __future__ import annotations

import pytest

from stockade.engines.values import ScreenshotOptions
from stockade.errors import NotActionable, StaleRef
from stockade.page.picture import element_clip
from stockade.page.scrolling import scroll_page
from tests.support.pictures import Picture, decode_png
from tests.support.tabs import CALLER, Tab

GREEN = (0, 128, 0)
BUTTON = (
    "<button aria-label=Go style='display:block;width:120px;height:60px;border:0;"
    "background:green'></button>"
)


async def picture(tab: Tab, ref: str) -> Picture:
    clip = await element_clip(tab.agent, ref, caller=CALLER)
    return decode_png(await tab.page.screenshot(ScreenshotOptions(format="png", clip=clip)))


def assert_green(taken: Picture) -> None:
    assert taken.size == (120, 60)
    for place in ((2, 2), (60, 30), (117, 57)):
        assert taken.pixel(*place)[:3] == GREEN


async def test_an_element_far_down_the_page(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(f"<div style='height:3000px'></div>{BUTTON}<div style='height:3000px'></div>")
    assert_green(await picture(tab, await tab.ref("button")))


@pytest.mark.parametrize("host", ["127.0.0.1", "a.localhost"])
async def test_an_element_in_a_frame(either_tab: Tab, host: str) -> None:
    tab = either_tab
    tab.site.page("/inner", f"<div style='height:700px'></div>{BUTTON}")
    inner = tab.site.url("/inner", host=host)
    await tab.show(f"<div style='height:2000px'></div><iframe height=200 src='{inner}'></iframe>")
    frame = await tab.frame("/inner")
    ref = await tab.ref("button", frame=frame)
    await scroll_page(tab.actions, ref=ref, into_view=True, caller=CALLER)
    await scroll_page(tab.actions, to="bottom", caller=CALLER)
    assert_green(await picture(tab, ref))


async def test_what_cannot_be_seen_cannot_be_pictured(tab: Tab) -> None:
    await tab.show(BUTTON)
    ref = await tab.ref("button")
    await tab.main("() => { document.querySelector('button').style.display = 'none'; }")
    with pytest.raises(NotActionable):
        await picture(tab, ref)
    await tab.main("() => { document.querySelector('button').remove(); }")
    with pytest.raises(StaleRef):
        await picture(tab, ref)
