"""Fetches answered before a service worker's own listeners."""

from __future__ import annotations

import json

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.page.scripts import script
from tests.support.site import Site


async def test_before_its_listeners_and_after_them(page: Page, site: Site) -> None:
    site.page(
        "/sw.js",
        "oninstall = e => e.waitUntil(skipWaiting()); onactivate = e => e.waitUntil(clients.claim());"
        "addEventListener('fetch', e => { if (e.request.url.includes('/a')) e.respondWith(new Response('listener')); });"
        "onfetch = e => { if (e.request.url.includes('/b')) e.respondWith(new Response('handler')); };",
        content_type="text/javascript",
    )
    await page.navigate(site.page("/home", "<title>Home</title>"))
    ready = """async () => {
        const ready = new Promise(done => { navigator.serviceWorker.oncontrollerchange = done; });
        await navigator.serviceWorker.register('/sw.js');
        await ready;
    }"""
    await page.main_frame.call(ready, world=World.MAIN)
    ask = "() => Promise.all(['/a', '/b'].map(each => fetch(each).then(a => a.text())))"
    for end, expected in (
        ("/a", ["ours", "handler"]),
        ("/b", ["listener", "ours"]),
        ("/c", ["listener", "handler"]),
    ):
        rule = {"parts": ["", end], "status": 200, "headers": [["X-A", "b"]], "body": "b3Vycw=="}
        fits = script("address_pattern")
        code = f"() => ({script('workers_fetches')})('t0ken', {json.dumps([rule])}, {fits})"
        remove = await page.context.add_worker_script(code, lambda *_: None)
        assert await page.main_frame.call(ask, world=World.MAIN, timeout=10) == expected
        await remove()
