"""From an element in a frame to a point of the tab."""

from __future__ import annotations

import pytest

from stockade.engines.values import Point
from stockade.errors import NotActionable
from stockade.page.pointing import aim, to_tab
from tests.support.tabs import CALLER, Tab


async def test_an_element_of_the_main_frame_is_aimed_at_in_its_middle(tab: Tab) -> None:
    await tab.show(
        "<button style='position:absolute;left:100px;top:50px;width:80px;height:40px'>Go</button>"
    )
    found = await aim(tab.agent, await tab.ref("button"), caller=CALLER, timeout=5)
    assert found.point == pytest.approx((140, 70))
    assert found.target == 'button "Go"'
    assert found.via is None


async def test_a_point_of_a_frame_is_mapped_through_its_borders_and_transforms(tab: Tab) -> None:
    tab.site.page("/inner", "<body style='margin:0'>in")
    await tab.show(
        "<body style='margin:0'><iframe src=/inner width=200 height=100 style='border:10px solid;"
        "margin:20px;transform:scale(2);transform-origin:0 0'></iframe>"
    )
    frame = await tab.frame("/inner")
    point = await to_tab(tab.agent, frame, Point(50, 25), (200, 100), timeout=5)
    assert point == pytest.approx((20 + 2 * (10 + 50), 20 + 2 * (10 + 25)))


async def test_a_frame_far_down_is_brought_into_view(tab: Tab) -> None:
    tab.site.page("/inner", "<div style='height:1500px'></div><button>Deep</button>")
    await tab.show(
        "<div style='height:3000px'></div>"
        f"<iframe width=300 height=2000 src='{tab.site.url('/inner', host='a.localhost')}'></iframe>"
    )
    frame = await tab.frame("/inner")
    found = await aim(tab.agent, await tab.ref("button", frame=frame), caller=CALLER, timeout=5)
    assert 0 <= found.point.x < 1280
    assert 0 <= found.point.y < 720


async def test_a_frame_with_no_room_cannot_be_pointed_into(tab: Tab) -> None:
    tab.site.page("/inner", "<button>In</button>")
    await tab.show("<iframe src=/inner style='position:fixed;left:-900px'></iframe>")
    frame = await tab.frame("/inner")
    with pytest.raises(NotActionable) as caught:
        await aim(tab.agent, await tab.ref("button", frame=frame), caller=CALLER, timeout=5)
    assert caught.value.details["reason"] == "off-screen"
