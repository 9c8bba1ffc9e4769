"""The state that a browser has by itself."""

from __future__ import annotations

from stockade.engines.port import Browser
from stockade.engines.values import ContextOptions, Cookie, InitScript, World
from tests.support.site import Site


async def test_it_is_as_good_as_any_and_ends_without_the_browser(
    either_browser: Browser, site: Site
) -> None:
    site.page("/", "<p>hello</p>")
    script = InitScript("globalThis.told = true", World.MAIN)
    own = await either_browser.own_context(ContextOptions(init_scripts=(script,)))
    apart = await either_browser.new_context(ContextOptions())
    page = await own.new_page()
    await page.navigate(site.url("/"))
    assert await page.main_frame.call("() => globalThis.told", world=World.MAIN) is True
    await own.set_cookies([Cookie("who", "ada", url=site.url("/"))])
    assert [each.name for each in await own.cookies()] == ["who"]
    assert await apart.cookies() == []
    async with own.storeroom() as room:
        await room.call(site.url("").rstrip("/"), "() => { localStorage.note = 'kept'; }")
    assert await page.main_frame.call("() => localStorage.note") == "kept"
    await own.clear_cookies()
    await own.clear_storage(site.url("/"))
    await own.close()
    assert page.closed
    assert either_browser.alive
    await apart.close()
