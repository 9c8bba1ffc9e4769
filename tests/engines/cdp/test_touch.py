"""Fingers as pages see them."""

from __future__ import annotations

from stockade.engines.port import Page
from stockade.engines.values import Point, World
from tests.support.site import Site

PAGE = """<body style='margin:0'><div id=a style='width:300px;height:300px;touch-action:none'></div>
<script>
globalThis.seen = [];
for (const type of ['touchstart', 'touchmove', 'touchend', 'click'])
  a.addEventListener(type, (e) => seen.push([type, e.touches ? e.touches.length : 0]));
</script>"""


async def test_a_tap_is_a_touch_and_a_click(either_page: Page, site: Site) -> None:
    site.page("/", PAGE)
    await either_page.navigate(site.url("/"), until="load")
    await either_page.touch.tap(Point(50, 50))
    seen = await either_page.main_frame.call("() => seen", world=World.MAIN)
    assert seen[:2] == [["touchstart", 1], ["touchend", 0]]


async def test_two_fingers(either_page: Page, site: Site) -> None:
    site.page("/", PAGE)
    page = either_page
    await page.navigate(site.url("/"), until="load")
    await page.touch.send("start", {1: Point(50, 50), 2: Point(100, 100)})
    await page.touch.send("move", {1: Point(40, 40), 2: Point(120, 120)})
    await page.touch.send("end", {})
    seen = await page.main_frame.call("() => seen", world=World.MAIN)
    assert ["touchstart", 2] in seen
    assert ["touchmove", 2] in seen
    assert seen[-1][0] == "touchend"
