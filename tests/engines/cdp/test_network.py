"""Extra headers over the real pipe: every request of a tab carries them."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.events import PageOpened
from stockade.engines.port import Context, Page
from stockade.engines.values import ContextOptions, World
from stockade.errors import TabClosed
from tests.support.site import Site


async def run(page: Page, code: str, *arguments: object) -> object:
    return await page.main_frame.call(code, *arguments, world=World.MAIN, timeout=10)


@pytest.fixture
def context_options() -> ContextOptions:
    return ContextOptions(headers={"X-Standing": "context"})


@pytest.fixture
async def home(page: Page, site: Site) -> Page:
    await page.navigate(site.page("/home", "<title>Home</title>"))
    return page


@pytest.fixture
async def either_home(either_page: Page, site: Site) -> Page:
    """The same in each binary in turn, for what has to do with more than a document."""
    await either_page.navigate(site.page("/home", "<title>Home</title>"))
    return either_page


async def popup_of(page: Page, code: str) -> Page:
    opened: asyncio.Future[Page] = asyncio.get_running_loop().create_future()
    off = page.context.events.on(PageOpened, lambda event: opened.set_result(event.page))
    await run(page, code)
    popup = await asyncio.wait_for(opened, 10)
    off()
    return popup


async def test_headers_of_the_context(home: Page, site: Site) -> None:
    assert site.asked("/home")[0].headers["x-standing"] == "context"
    await run(home, "() => fetch('/sub')")
    assert (await site.wait_asked("/sub")).headers["x-standing"] == "context"


async def test_headers_of_the_tab_come_and_go(home: Page, site: Site) -> None:
    await home.set_headers({"X-Tab": "one"})
    await run(home, "() => fetch('/first')")
    first = await site.wait_asked("/first")
    assert (first.headers["x-standing"], first.headers["x-tab"]) == ("context", "one")
    await home.set_headers({"X-Standing": "tab"})
    await run(home, "() => fetch('/second')")
    second = await site.wait_asked("/second")
    assert second.headers["x-standing"] == "tab"
    assert "x-tab" not in second.headers
    await home.set_headers({})
    await home.navigate(site.page("/third", "<title>Third</title>"))
    assert site.asked("/third")[0].headers["x-standing"] == "context"


async def test_cross_site_frames(home: Page, site: Site) -> None:
    site.page("/inner", "<script>fetch('/from-inner')</script>")
    add = """url => { const frame = document.createElement('iframe');
        frame.src = url; document.body.append(frame); }"""
    await run(home, add, site.url("/inner", "localhost"))
    inner = await site.wait_asked("/inner")
    asked = await site.wait_asked("/from-inner")
    assert inner.headers["x-standing"] == asked.headers["x-standing"] == "context"
    await home.set_headers({"X-Tab": "now"})
    site.page("/again", "")
    frame = home.frames[1]
    await frame.call("() => fetch('/again')", world=World.MAIN)
    assert (await site.wait_asked("/again")).headers["x-tab"] == "now"


@pytest.mark.parametrize("features", ["", "noopener"])
async def test_a_popups_first_request(either_home: Page, site: Site, features: str) -> None:
    site.page("/popup", "<title>Popup</title>")
    await either_home.set_headers({"X-Tab": "mine"})
    await popup_of(either_home, f"() => {{ window.open('/popup', '', '{features}'); }}")
    asked = await site.wait_asked("/popup")
    assert asked.headers["x-standing"] == "context"
    # What is set for a tab is for that tab.
    assert "x-tab" not in asked.headers


async def test_redirects_and_sockets(home: Page, site: Site) -> None:
    await run(home, "() => fetch('/redirect?to=/end').catch(() => 0)")
    assert (await site.wait_asked("/end")).headers["x-standing"] == "context"
    await run(home, "url => { globalThis.socket = new WebSocket(url); }", site.ws_url("/ws"))
    assert (await site.wait_asked("/ws")).headers["x-standing"] == "context"


async def test_another_tab_has_its_own(
    either_home: Page, either_context: Context, site: Site
) -> None:
    await either_home.set_headers({"X-Tab": "mine"})
    other = await either_context.new_page()
    await other.navigate(site.page("/other", "<title>Other</title>"))
    assert "x-tab" not in site.asked("/other")[0].headers


async def test_a_closed_tab_takes_no_headers(home: Page) -> None:
    await home.close()
    with pytest.raises(TabClosed):
        await home.set_headers({"X-Tab": "late"})
