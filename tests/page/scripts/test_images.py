"""Images in the page."""

from __future__ import annotations

from tests.support.tabs import Tab


async def test_each_file_once_and_no_more_than_wanted(tab: Tab) -> None:
    await tab.show(
        "<img src=/1.png alt=' One '><img src=/1.png><svg><image href=/no.png /></svg>"
        "<img srcset='/2.png 1x' src=/no.png><img><img src=/3.png>"
    )
    said = await tab.agent.call(tab.page.main_frame, "images.js", most=2)
    assert said["images"] == [
        {"src": tab.site.url("/1.png"), "alt": "One"},
        {"src": tab.site.url("/2.png"), "alt": ""},
    ]
