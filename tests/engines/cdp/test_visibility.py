"""Tabs in the background and back, on both binaries."""

from __future__ import annotations

from stockade.engines.port import Context, Page
from stockade.engines.values import World
from tests.support.site import Site

LISTENING = """<script>
  const heard = [];
  document.addEventListener('visibilitychange', () => heard.push(document.visibilityState));
  let painted = 0;
  (function next() { painted++; requestAnimationFrame(next); })();
</script>"""
HEARD = "() => heard.splice(0)"


async def showing(context: Context, site: Site) -> Page:
    site.page("/", LISTENING)
    page = await context.new_page()
    await page.navigate(site.url())
    return page


async def test_the_page_is_told_and_stops_painting(either_context: Context, site: Site) -> None:
    page = await showing(either_context, site)
    await page.hide()
    assert page.hidden
    assert await page.main_frame.call(HEARD, world=World.MAIN) == ["hidden"]
    count = "() => new Promise(done => setTimeout(() => done(painted), 100))"
    before = await page.main_frame.call(count, world=World.MAIN)
    assert await page.main_frame.call(count, world=World.MAIN) == before
    await page.show()
    assert not page.hidden
    assert await page.main_frame.call(HEARD, world=World.MAIN) == ["visible"]
    assert await page.main_frame.call(count, world=World.MAIN) > before


async def test_other_tabs_stay_in_the_foreground(either_context: Context, site: Site) -> None:
    first, second = await showing(either_context, site), await showing(either_context, site)
    await first.hide()
    assert await second.main_frame.call("() => document.visibilityState") == "visible"
    assert await second.screenshot()
    await first.show()


async def test_a_tab_that_was_frozen_meanwhile_stays_in_the_background(
    either_context: Context, site: Site
) -> None:
    page = await showing(either_context, site)
    await page.hide()
    await page.freeze()
    assert await page.main_frame.call("() => document.visibilityState") == "hidden"
    await page.show()
    assert await page.main_frame.call("() => document.visibilityState") == "visible"
