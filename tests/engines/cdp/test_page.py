"""A tab: waiting, content, its end."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.port import Page
from stockade.errors import DeadlineExceeded, TabClosed
from tests.support.site import Site


async def test_content_can_be_set(either_page: Page) -> None:
    await either_page.set_content("<title>Set</title><p>here</p>")
    assert await either_page.title() == "Set"
    await either_page.set_content("<title>Again</title>")
    assert await either_page.title() == "Again"


async def test_closing_fails_what_is_under_way(either_page: Page) -> None:
    async with asyncio.timeout(5):
        waiting = asyncio.gather(
            either_page.main_frame.call("() => new Promise(() => {})"), return_exceptions=True
        )
        await asyncio.sleep(0)
        await either_page.close()
        [error] = await waiting
    assert isinstance(error, TabClosed)
    with pytest.raises(TabClosed):
        await either_page.screenshot()


async def test_a_page_that_closes_itself_is_closed(either_page: Page, site: Site) -> None:
    site.page("/", "<button>x</button>")
    await either_page.navigate(site.url("/"))
    await either_page.close(run_unload=True)
    assert either_page.closed


async def test_loading_can_be_stopped_and_the_deadline_holds(either_page: Page, site: Site) -> None:
    with pytest.raises(DeadlineExceeded):
        await either_page.navigate(site.url("/never"), timeout=0.2)
    await either_page.stop_loading()
    site.page("/", "<title>Later</title>")
    await either_page.navigate(site.url("/"))
    assert await either_page.title() == "Later"


async def test_every_tab_is_visible_and_paints(either_page: Page) -> None:
    other = await either_page.context.new_page()
    await other.activate()
    for page in (either_page, other):
        assert await page.main_frame.call("() => document.visibilityState") == "visible"
        assert await page.main_frame.call("() => document.hasFocus()") is True
        await page.main_frame.call("() => new Promise((done) => requestAnimationFrame(done))")
        assert await page.screenshot()
