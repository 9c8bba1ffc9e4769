"""A browser that forgets all that sites stored in it."""

from __future__ import annotations

from stockade.engines.port import Context
from stockade.engines.values import Cookie
from stockade.page.forgetting import forget_everything
from tests.support.site import Site

FILL = """async () => {
  localStorage.a = sessionStorage.a = '1';
  await caches.open('a');
  const opened = indexedDB.open('a');
  await new Promise((done) => { opened.onsuccess = done; });
}"""
COUNT = """async () => [
  localStorage.length,
  sessionStorage.length,
  (await caches.keys()).length,
  (await indexedDB.databases()).length,
]"""


async def test_nothing_is_left_in_pages_frames_and_elsewhere(context: Context, site: Site) -> None:
    inner = site.url("/page", "a.localhost")
    site.page("/page", "<p>hello")
    page = await context.new_page()
    await page.navigate(site.page("/top", f"<iframe src='{inner}'></iframe>"), until="load")
    elsewhere = site.url("", "b.localhost")
    async with context.storeroom() as room:
        await room.call(elsewhere, FILL)
        for frame in page.frames:
            await frame.call(FILL)
        await context.set_cookies([Cookie("who", "ada", "a.example")])
        await forget_everything(context, left=lambda: 10.0)
        assert list(await context.cookies()) == []
        assert (await room.call(elsewhere, COUNT))[::2] == [0, 0]
    for frame in page.frames:
        assert await frame.call(COUNT) == [0, 0, 0, 0]
