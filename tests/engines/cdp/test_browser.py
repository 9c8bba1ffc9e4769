"""A whole browser: its life, its targets, its end."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.cdp import ChromiumEngine
from stockade.engines.events import FrameNavigated, PageClosed, PageOpened
from stockade.engines.port import Browser, Context, Page
from stockade.engines.values import ContextOptions, InitScript, LaunchOptions, World
from stockade.errors import BrowserGone
from tests.support.browsers import BINARIES
from tests.support.site import Site


@pytest.mark.parametrize("binary", BINARIES)
async def test_closing_ends_everything_and_later_calls_say_so(binary: str) -> None:
    browser = await ChromiumEngine().launch(LaunchOptions(binary=BINARIES[binary]))
    context = await browser.new_context(ContextOptions())
    page = await context.new_page()
    await browser.ping()
    assert browser.alive
    await browser.close()
    await browser.close()
    assert not browser.alive
    with pytest.raises(BrowserGone):
        await browser.ping()
    assert page.closed


async def test_it_says_what_it_is(either_browser: Browser) -> None:
    assert "/" in either_browser.product
    assert either_browser.pid > 1


async def test_tabs_come_and_go(either_context: Context) -> None:
    told: list[str] = []
    either_context.events.on(PageOpened, lambda event: told.append(f"opened {event.page.id}"))
    either_context.events.on(PageClosed, lambda event: told.append(f"closed {event.page.id}"))
    page = await either_context.new_page()
    assert list(either_context.pages) == [page]
    await page.close()
    await page.close()
    assert list(either_context.pages) == []
    assert told == [f"opened {page.id}", f"closed {page.id}"]


@pytest.mark.parametrize("features", ["", "noopener"])
async def test_a_popup_is_set_up_before_its_first_script(
    either_browser: Browser, site: Site, features: str
) -> None:
    site.page("/pop", "<script>globalThis.early = globalThis.planted</script>")
    site.page("/", "<title>Opener</title>")
    script = InitScript("globalThis.planted = 'yes'", World.MAIN)
    context = await either_browser.new_context(ContextOptions(init_scripts=(script,)))
    page = await context.new_page()
    await page.navigate(site.url("/"))
    async with asyncio.TaskGroup() as group:
        opened = group.create_task(context.events.wait(PageOpened))
        await asyncio.sleep(0)
        await page.main_frame.call(
            "(url, features) => { open(url, '_blank', features); }",
            site.url("/pop"),
            features,
            world=World.MAIN,
        )
    popup: Page = opened.result().page
    assert opened.result().opener is page
    async with asyncio.timeout(10):
        while not popup.main_frame.url.endswith("/pop"):
            await popup.events.wait(FrameNavigated)
    early = await popup.main_frame.call(
        "() => new Promise((done) => document.readyState === 'loading'"
        " ? addEventListener('DOMContentLoaded', () => done(globalThis.early))"
        " : done(globalThis.early))",
        world=World.MAIN,
    )
    assert early == "yes"
    await context.close()


async def test_a_storm_of_tabs_is_survived(browser: Browser) -> None:
    context = await browser.new_context(ContextOptions())
    pages = await asyncio.gather(*(context.new_page() for _ in range(12)))
    assert len({page.id for page in pages}) == 12
    answers = await asyncio.gather(*(page.main_frame.call("() => 1 + 1") for page in pages))
    assert answers == [2] * 12
    await context.close()
