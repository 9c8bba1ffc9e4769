"""The file that a tab shows."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from stockade.errors import ContentGone, InvalidArgument
from stockade.media.shown import Shown, shown_document
from tests.media.pdfs import document, written
from tests.support.browsers import FULL_CHROMIUM
from tests.support.tabs import Tab


async def test_a_text_as_the_browser_reads_it(either_tab: Tab) -> None:
    tab = either_tab
    url = tab.site.page("/a.txt", b"na\xefve <b>", content_type="text/plain; charset=windows-1252")
    await tab.page.navigate(url)
    shown = await shown_document(tab.page, timeout=5)
    assert (shown.content.decode(), shown.mime_type, shown.name) == ("naïve <b>", "text/plain", url)


async def test_a_web_page_is_no_file(tab: Tab) -> None:
    await tab.show("<p>Page</p>")
    with pytest.raises(InvalidArgument) as caught:
        await shown_document(tab.page, timeout=5)
    assert caught.value.details["reason"] == "web-page"


async def test_the_pdf_in_a_viewer(either_tab: Tab) -> None:
    tab = either_tab
    if "Headless" in tab.page.context.browser.product:
        pytest.skip("only a whole browser has a viewer")
    assert FULL_CHROMIUM.exists()
    content = written(document("In the viewer"))
    url = tab.site.page("/a.pdf", content, content_type="application/pdf")
    async with asyncio.timeout(60):
        loaded, shown = 1, await _viewed(tab, url)
        while shown is None:
            # The browser dropped it before anybody asked, which it does now and then.
            loaded, shown = loaded + 1, await _viewed(tab, url)
    assert shown.content == content
    assert len(tab.site.asked("/a.pdf")) == loaded


async def _viewed(tab: Tab, url: str) -> Shown | None:
    """Load it, and wait a while for the viewer to ask for it."""
    await tab.page.navigate(url, until="load")
    with suppress(TimeoutError):
        async with asyncio.timeout(5):
            while True:
                try:
                    return await shown_document(tab.page, timeout=5)
                except ContentGone:
                    await tab.main("() => new Promise(requestAnimationFrame)")
    return None
