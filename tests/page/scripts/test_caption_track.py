"""Captions are asked of the page's own site alone."""

from __future__ import annotations

from stockade.page.scripts import script
from tests.support.tabs import Tab


async def test_only_the_own_site_is_asked(tab: Tab) -> None:
    await tab.show("here")
    tab.site.page("/captions", "WEBVTT")
    tab.site.other.page("/captions", "WEBVTT")

    async def asked(address: str, most: int = 100) -> object:
        return await tab.page.main_frame.call(script("caption_track"), address, most)

    assert await asked("/captions") == "WEBVTT"
    assert await asked("/captions", 3) is None
    assert await asked("/none") is None
    assert await asked(tab.site.other.url("/captions")) is None
    assert tab.site.other.asked("/captions") == []
