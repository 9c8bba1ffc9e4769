"""Chromium in its own words."""

from __future__ import annotations

import asyncio
from typing import Any

from stockade.engines.port import Page
from tests.support.site import Site


async def test_commands_and_events(page: Page, site: Site) -> None:
    site.page("/", "<title>One</title>")
    [devtools] = page.devtools
    heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    off = devtools.on("Page.frameNavigated", heard.put_nowait)
    await page.navigate(site.url("/"))
    assert (await heard.get())["frame"]["url"] == site.url("/")
    off()
    await page.reload()
    assert heard.empty()
    value = await devtools.send("Runtime.evaluate", {"expression": "document.title"})
    assert value["result"]["value"] == "One"


async def test_frames_in_other_processes_have_their_own(page: Page, site: Site) -> None:
    site.other.page("/frame", "<p>frame</p>")
    site.page("/", f"<iframe src='{site.other.url('/frame', 'localhost')}'></iframe>")
    await page.navigate(site.url("/"), until="load")
    assert len(page.devtools) == 2
    where = await page.devtools[1].send("Runtime.evaluate", {"expression": "location.host"})
    assert where["result"]["value"] == f"localhost:{site.other.port}"


async def test_the_browser_and_workers(page: Page, site: Site) -> None:
    version = await page.context.browser.devtools.send("Browser.getVersion")
    assert version["product"] == page.context.browser.product
