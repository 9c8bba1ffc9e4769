"""A document from the cache."""

from __future__ import annotations

import base64

from stockade.page.scripts import script
from tests.support.tabs import Tab


async def test_what_the_cache_has_is_given_without_asking(tab: Tab) -> None:
    headers = {"cache-control": "max-age=600"}
    url = tab.site.page("/a.txt", "plain text", content_type="text/plain", headers=headers)
    await tab.page.navigate(url)
    copy = await tab.page.main_frame.call(script("cached_copy"))
    assert base64.b64decode(copy) == b"plain text"
    assert len(tab.site.asked("/a.txt")) == 1


async def test_what_it_has_not_is_nothing(tab: Tab) -> None:
    headers = {"cache-control": "no-store"}
    await tab.page.navigate(
        tab.site.page("/b.txt", "x", content_type="text/plain", headers=headers)
    )
    assert await tab.page.main_frame.call(script("cached_copy")) is None
    assert len(tab.site.asked("/b.txt")) == 1
