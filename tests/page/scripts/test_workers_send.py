"""Messages that come to workers as from a page."""

from __future__ import annotations

import pytest

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.page.scripts import script
from tests.support.logs import worker_at
from tests.support.site import Site


@pytest.mark.parametrize(
    ("start", "code"),
    [
        (
            "() => { globalThis.w = new Worker('/w.js'); }",
            "onmessage = e => { self.got = e.data; };",
        ),
        (
            "() => { globalThis.w = new SharedWorker('/w.js'); }",
            "onconnect = e => { e.ports[0].onmessage = m => { self.got = m.data; }; };",
        ),
        (
            "async () => { await navigator.serviceWorker.register('/w.js'); }",
            "onmessage = e => { self.got = e instanceof ExtendableMessageEvent && e.data; };",
        ),
    ],
)
async def test_each_kind(page: Page, site: Site, start: str, code: str) -> None:
    site.page("/w.js", code + " self.ready = true;", content_type="text/javascript")
    await page.navigate(site.page("/home", "<title>Home</title>"))
    await page.main_frame.call(start, world=World.MAIN)
    worker = await worker_at(page.context, "/w.js")
    ready = "() => new Promise(done => { const look = () => self.ready ? done(1) : setTimeout(look, 5); look(); })"
    await worker.call(ready)
    await worker.call(script("workers_send"), {"tea": ["Assam"]})
    assert await worker.call("() => self.got") == {"tea": ["Assam"]}
