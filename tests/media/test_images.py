"""Images of a tab: the first of each, and no more bytes than there is room for."""

from __future__ import annotations

import base64

from stockade.media.images import contents_of, images_of
from tests.support.tabs import Tab

DOT = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5Erk"
    "Jggg=="
)


async def test_bytes_are_counted_together(tab: Tab) -> None:
    dot = base64.b64decode(DOT)
    tab.site.page("/a.bmp", dot, content_type="image/png")
    tab.site.page("/b.bmp", b"broken" * 10, content_type="image/bmp")
    tab.site.page("/inside", "<img src=/a.bmp><img src='data:image/gif,GIF%20'>")
    await tab.show(
        "<img src=/a.bmp><img src=/b.bmp><iframe src=/inside></iframe>"
        "<img src='data:image/gif;base64,R0lG OA'>"
    )
    found = await images_of(tab.agent, limit=9)
    assert [each.src[-5:] for each in found] == ["a.bmp", "b.bmp", "lG OA", "GIF%20"[-5:]]
    told = await contents_of(tab.agent, found, most=100, all_of_them=100, timeout=10)
    assert [each.data for each in told] == [dot, None, b"GIF8", b"GIF "]
    assert (told[1].skipped, told[1].size) == ("max_bytes_exceeded", 60)
    assert len(await images_of(tab.agent, limit=2)) == 2
