"""Files that a page asks for itself."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import Tab

SCRIPT = "image_data.js binary.js"


async def test_what_a_page_may_read(tab: Tab) -> None:
    tab.site.page("/a", b"\x00\xff", content_type="image/x")
    tab.site.other.page("/b", b"b", content_type="image/x")
    await tab.show("<p>x")

    async def data(src: str, most: int = 10) -> dict[str, Any]:
        frame = tab.page.main_frame
        said: dict[str, Any] = await tab.agent.call(frame, SCRIPT, src=src, most=most)
        return said

    assert await data(tab.site.url("/a")) == {"mimeType": "image/x", "bytes": 2, "data": "AP8="}
    assert await data(tab.site.url("/a"), 1) == {"mimeType": "image/x", "bytes": 2}
    assert await data(tab.site.url("/none")) == {"error": "http_404"}
    assert await data(tab.site.other.url("/b")) == {"error": "fetch_failed"}
