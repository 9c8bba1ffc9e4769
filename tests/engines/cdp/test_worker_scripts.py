"""Scripts in workers over the real pipe."""

from __future__ import annotations

from functools import partial

from stockade.engines.cdp.page import ChromiumPage
from stockade.engines.port import Page, Worker
from stockade.engines.values import World
from tests.support.site import Site
from tests.support.waiting import until

JAVASCRIPT = "text/javascript"
CODE = "onconnect = oninstall = () => 0; self.seen = typeof self.early;"


async def run(page: Page, code: str) -> object:
    return await page.main_frame.call(code, world=World.MAIN, timeout=10)


async def saw(worker: Worker, kind: str) -> bool:
    return bool(await worker.call("() => self.seen", timeout=10) == kind)


async def test_before_the_first_line_of_every_worker(either_page: Page, site: Site) -> None:
    told: list[tuple[str, str]] = []

    def heard(worker: Worker, text: str) -> None:
        told.append((worker.kind, text))

    site.page("/w.js", CODE, content_type=JAVASCRIPT)
    await either_page.navigate(site.page("/home", "<title>Home</title>"))
    await run(either_page, "() => { globalThis.first = new Worker('/w.js'); }")
    await until(lambda: len(either_page.context.workers) == 1)
    await either_page.context.workers[0].call("() => 0", timeout=10)
    source = "tell => { self.early = 1; tell(String(self.seen)); }"
    remove = await either_page.context.add_worker_script(source, heard, timeout=10)
    await until(lambda: told == [("worker", "undefined")])
    await run(
        either_page,
        "async () => { globalThis.second = new Worker('/w.js'); globalThis.shared = new SharedWorker('/w.js');"
        " await navigator.serviceWorker.register('/w.js'); }",
    )
    await until(lambda: len(told) == 4)
    assert sorted(kind for kind, _ in told[1:]) == ["service_worker", "shared_worker", "worker"]
    for worker in either_page.context.workers[1:]:
        await until(partial(saw, worker, "number"))
        # The function that it tells with is not left lying about.
        names = await worker.call(
            "() => Object.getOwnPropertyNames(self).filter(n => /^s[0-9a-f]{16}$/.test(n))"
        )
        assert names == []
    await remove()
    await run(either_page, "() => { globalThis.third = new Worker('/w.js'); }")
    await until(lambda: len(either_page.workers) == 3)
    await until(lambda: saw(either_page.workers[-1], "undefined"))
    assert len(told) == 4


async def test_a_service_worker_that_starts_again(either_page: Page, site: Site) -> None:
    told: list[str] = []
    site.page(
        "/sw.js",
        "oninstall = e => e.waitUntil(skipWaiting()); onactivate = e => e.waitUntil(clients.claim());"
        "onfetch = e => e.respondWith(new Response(String(self.early)));",
        content_type=JAVASCRIPT,
    )
    await either_page.navigate(site.page("/home", "<title>Home</title>"))
    await either_page.context.add_worker_script(
        "tell => { self.early = 'early'; tell('began'); }", lambda _, text: told.append(text)
    )
    await run(
        either_page,
        "async () => { const c = new Promise(done => { navigator.serviceWorker.oncontrollerchange = done; });"
        " await navigator.serviceWorker.register('/sw.js'); await c; }",
    )
    assert isinstance(either_page, ChromiumPage)
    await either_page.session.send("ServiceWorker.enable", timeout=10)
    await either_page.session.send("ServiceWorker.stopAllWorkers", timeout=10)
    assert await run(either_page, "() => fetch('/x').then(a => a.text())") == "early"
    assert told == ["began", "began"]
