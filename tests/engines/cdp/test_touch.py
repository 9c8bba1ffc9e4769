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


async def test_one_finger_is_lifted_and_the_other_stays(either_page: Page, site: Site) -> None:
    site.page("/", PAGE)
    page = either_page
    await page.navigate(site.url("/"), until="load")
    await page.main_frame.call(
        "() => { globalThis.lifted = []; a.addEventListener('touchend', e =>"
        " lifted.push([e.changedTouches[0].identifier, e.touches.length])); }",
        world=World.MAIN,
    )
    await page.touch.send("start", {1: Point(50, 50)})
    await page.touch.send("start", {1: Point(50, 50), 7: Point(100, 100)})
    await page.touch.send("end", {1: Point(50, 50)})
    await page.touch.send("end", {})
    assert await page.main_frame.call("() => lifted", world=World.MAIN) == [[1, 1], [7, 0]]


async def test_a_tab_in_the_background_comes_to_the_front(either_page: Page, site: Site) -> None:
    site.page("/", PAGE)
    await either_page.navigate(site.url("/"), until="load")
    await either_page.hide()
    await either_page.touch.tap(Point(50, 50))
    assert not either_page.hidden
