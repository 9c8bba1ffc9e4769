"""Workers of every kind over the real pipe."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from stockade.engines.cdp import ChromiumEngine
from stockade.engines.cdp.page import ChromiumPage
from stockade.engines.cdp.workers import ChromiumWorker
from stockade.engines.events import WorkerEnded, WorkerStarted
from stockade.engines.port import Page, Worker
from stockade.engines.values import ContextOptions, LaunchOptions, World
from stockade.errors import BrowserGone, ScriptFailed, TabClosed
from tests.support.browsers import HEADLESS_SHELL
from tests.support.logs import console_line, ended_request, page_error, worker_at
from tests.support.site import Site

JAVASCRIPT = "text/javascript"
SERVICE_WORKER = """
    console.log('service worker began');
    oninstall = event => event.waitUntil(skipWaiting());
    onactivate = event => event.waitUntil(clients.claim());
    onfetch = event => {
        const {pathname} = new URL(event.request.url);
        if (pathname === '/made') event.respondWith(new Response('made by the worker'));
        if (pathname === '/passed') event.respondWith(fetch(event.request));
    };
"""


async def run(page: Page, code: str, *arguments: object) -> object:
    return await page.main_frame.call(code, *arguments, world=World.MAIN, timeout=10)


@pytest.fixture
async def home(page: Page, site: Site) -> Page:
    await page.navigate(site.page("/home", "<title>Home</title>"))
    return page


@pytest.fixture
async def either_home(either_page: Page, site: Site) -> Page:
    """The same in each binary in turn, for what has to do with more than a document."""
    await either_page.navigate(site.page("/home", "<title>Home</title>"))
    return either_page


async def start_service_worker(page: Page, site: Site) -> Worker:
    site.page("/sw.js", SERVICE_WORKER, content_type=JAVASCRIPT)
    await run(
        page,
        """async () => {
            const controlled = new Promise(done => {
                navigator.serviceWorker.oncontrollerchange = done;
            });
            await navigator.serviceWorker.register('/sw.js');
            await controlled;
        }""",
    )
    return await worker_at(page.context, "/sw.js")


async def test_a_dedicated_worker(either_home: Page, site: Site) -> None:
    site.page(
        "/worker.js",
        "console.log('began', {a: 1}); fetch('/from-worker').then(answer => answer.text());",
        content_type=JAVASCRIPT,
    )
    await run(either_home, "() => { globalThis.worker = new Worker('/worker.js'); }")
    worker = await worker_at(either_home.context, "/worker.js")
    assert worker.kind == "worker"
    assert list(either_home.workers) == [worker]
    assert await worker.call("(a, b) => [a + b, self.constructor.name]", 1, 2) == [
        3,
        "DedicatedWorkerGlobalScope",
    ]
    assert await worker.call("async () => { await 0; return 'awaited'; }") == "awaited"
    line = await console_line(either_home, "began")
    assert (line.text, line.source) == ("began {a: 1}", "worker")
    script = await ended_request(either_home, "/worker.js")
    asked = await ended_request(either_home, "/from-worker")
    assert (script.status, asked.status) == (200, 404)
    assert await either_home.response_body(asked.id) == b"not here"


async def test_a_worker_that_throws(home: Page, site: Site) -> None:
    site.page("/thrower.js", "setTimeout(() => { throw Error('oops'); })", content_type=JAVASCRIPT)
    await run(home, "() => { globalThis.worker = new Worker('/thrower.js'); }")
    error = await page_error(home, "oops")
    assert error.source == "worker"
    worker = await worker_at(home.context, "/thrower.js")
    with pytest.raises(ScriptFailed, match="mine"):
        await worker.call("() => { throw new Error('mine'); }")
    # What a worker says, its page says again; it is logged once.
    assert [line.text for line in home.console if "oops" in line.text] == []
    assert len([error for error in home.errors if "oops" in error.text]) == 1


async def test_nested_workers(home: Page, site: Site) -> None:
    site.page("/outer.js", "self.inner = new Worker('/inner.js')", content_type=JAVASCRIPT)
    site.page(
        "/inner.js",
        "fetch('/from-inner').then(answer => answer.text()).then(() => { throw Error('deep'); })",
        content_type=JAVASCRIPT,
    )
    await run(home, "() => { globalThis.outer = new Worker('/outer.js'); }")
    inner = await worker_at(home.context, "/inner.js")
    assert inner in home.workers
    assert await inner.call("() => location.pathname") == "/inner.js"
    assert (await ended_request(home, "/from-inner")).status == 404
    await page_error(home, "deep")
    assert len(home.errors) == 1


async def test_workers_end(home: Page, site: Site) -> None:
    site.page("/worker.js", "", content_type=JAVASCRIPT)
    told: list[tuple[str, Worker]] = []
    home.events.on(WorkerStarted, lambda event: told.append(("started", event.worker)))
    home.events.on(WorkerEnded, lambda event: told.append(("ended", event.worker)))
    await run(home, "() => { globalThis.worker = new Worker('/worker.js'); }")
    worker = await worker_at(home.context, "/worker.js")
    await worker.call("() => 0")
    never = asyncio.gather(worker.call("() => new Promise(() => 0)"), return_exceptions=True)
    await run(home, "() => worker.terminate()")
    [outcome] = await asyncio.wait_for(never, 10)
    assert isinstance(outcome, TabClosed)
    assert told == [("started", worker), ("ended", worker)]
    assert not home.workers
    assert not home.context.workers
    with pytest.raises(TabClosed):
        await worker.call("() => 0")


async def test_navigation_ends_dedicated_workers(home: Page, site: Site) -> None:
    site.page("/worker.js", "fetch('/never')", content_type=JAVASCRIPT)
    await run(home, "() => { globalThis.worker = new Worker('/worker.js'); }")
    worker = await worker_at(home.context, "/worker.js")
    await site.wait_asked("/never")
    await home.navigate(site.page("/next", "<title>Next</title>"))
    if worker in home.workers:
        await home.events.wait(WorkerEnded, timeout=10)
    assert (await ended_request(home, "/never")).failure == "gone"


async def test_a_worker_without_a_script(home: Page) -> None:
    await run(
        home, "() => { new Worker('/nothing.js').onerror = event => event.preventDefault(); }"
    )
    assert (await ended_request(home, "/nothing.js")).status == 404


async def test_one_service_worker_however_many_sessions(either_home: Page, site: Site) -> None:
    worker = await start_service_worker(either_home, site)
    other = await either_home.context.new_page()
    await other.navigate(site.url("/home"))
    await run(other, "() => navigator.serviceWorker.ready.then(() => 0)")
    workers = [each for each in either_home.context.workers if each.kind == "service_worker"]
    assert workers == [worker]
    assert not either_home.workers
    assert await worker.call("() => self.constructor.name") == "ServiceWorkerGlobalScope"
    await other.close()
    assert await worker.call("() => 1") == 1
    lines = [line.text for line in either_home.context.console if "began" in line.text]
    assert lines == ["service worker began"]


async def test_a_service_worker_outlives_the_session_in_use(home: Page, site: Site) -> None:
    worker = await start_service_worker(home, site)
    assert isinstance(worker, ChromiumWorker)
    await run(home, "() => navigator.serviceWorker.ready.then(() => 0)")
    assert len(worker._sessions) >= 2
    worker.ended(worker._sessions[0])
    assert await worker.call("() => 'still here'") == "still here"
    await run(home, "() => fetch('/passed').then(answer => answer.text())")
    assert (await ended_request(home.context, "/passed")).status == 404


async def test_a_service_worker_that_stopped_starts_again(home: Page, site: Site) -> None:
    worker = await start_service_worker(home, site)
    assert isinstance(home, ChromiumPage)
    await home.session.send("ServiceWorker.enable", timeout=10)
    await home.session.send("ServiceWorker.stopAllWorkers", timeout=10)
    made = await run(home, "() => fetch('/made').then(answer => answer.text())")
    assert made == "made by the worker"
    assert await worker.call("() => location.pathname") == "/sw.js"
    assert [each for each in home.context.workers if each.kind == "service_worker"] == [worker]
    await worker.call("() => fetch('/own').then(answer => answer.text())")
    assert (await ended_request(home.context, "/own")).status == 404


async def test_what_a_service_worker_serves(home: Page, site: Site) -> None:
    worker = await start_service_worker(home, site)
    await run(home, "() => fetch('/made').then(answer => answer.text())")
    await run(home, "() => fetch('/passed').then(answer => answer.text())")
    made = await ended_request(home, "/made")
    passed = await ended_request(home, "/passed")
    behind = await ended_request(home.context, "/passed")
    assert made.from_service_worker
    assert passed.from_service_worker
    assert not behind.from_service_worker
    assert await home.response_body(made.id) == b"made by the worker"
    assert not site.asked("/made")
    await worker.call("() => fetch('/own', {method: 'POST', body: 'hi'}).then(a => a.text())")
    own = await ended_request(home.context, "/own")
    assert await home.context.response_body(own.id) == b"not here"
    assert await home.context.request_body(own.id) == b"hi"


async def test_a_shared_worker(either_home: Page, site: Site) -> None:
    site.page(
        "/shared.js",
        "console.log('shared'); fetch('/from-shared').then(answer => answer.text());",
        content_type=JAVASCRIPT,
    )
    await run(either_home, "() => { globalThis.shared = new SharedWorker('/shared.js'); }")
    worker = await worker_at(either_home.context, "/shared.js")
    assert worker.kind == "shared_worker"
    assert not either_home.workers
    assert await worker.call("() => self.constructor.name") == "SharedWorkerGlobalScope"
    assert (await console_line(either_home.context, "shared")).source == "worker"
    assert (await ended_request(either_home.context, "/from-shared")).status == 404
    # The page asks for the script, the worker hears the end of it.
    assert (await ended_request(either_home, "/shared.js")).status == 200


class TestHeaders:
    """Extra headers of the context reach every kind of worker."""

    @pytest.fixture
    def context_options(self) -> ContextOptions:
        return ContextOptions(headers={"X-Extra": "context"})

    @pytest.mark.parametrize("kind", ["Worker", "SharedWorker"])
    async def test_workers_send_extra_headers(self, home: Page, site: Site, kind: str) -> None:
        site.page("/sender.js", "fetch('/sent')", content_type=JAVASCRIPT)
        await run(home, f"() => {{ globalThis.worker = new {kind}('/sender.js'); }}")
        assert (await site.wait_asked("/sender.js")).headers["x-extra"] == "context"
        assert (await site.wait_asked("/sent")).headers["x-extra"] == "context"

    async def test_service_workers_send_extra_headers(self, home: Page, site: Site) -> None:
        worker = await start_service_worker(home, site)
        await worker.call("() => fetch('/sent').then(answer => answer.text())")
        assert (await site.wait_asked("/sent")).headers["x-extra"] == "context"


async def test_a_service_worker_outlives_its_pages(either_home: Page, site: Site) -> None:
    worker = await start_service_worker(either_home, site)
    await either_home.close()
    assert await worker.call("() => 'alone'") == "alone"


async def test_the_browsers_end_is_the_workers(site: Site) -> None:
    browser = await ChromiumEngine().launch(LaunchOptions(binary=HEADLESS_SHELL))
    try:
        context = await browser.new_context(ContextOptions())
        page = await context.new_page()
        await page.navigate(site.page("/home", "<title>Home</title>"))
        worker = await start_service_worker(page, site)
        under_way = asyncio.gather(
            worker.call("() => new Promise(() => 0)"), return_exceptions=True
        )
        await worker.call("() => 0")
        os.kill(browser.pid, signal.SIGKILL)
        [outcome] = await asyncio.wait_for(under_way, 10)
        assert isinstance(outcome, BrowserGone)
        with pytest.raises((BrowserGone, TabClosed)):
            await worker.call("() => 0", timeout=10)
        assert not context.workers
    finally:
        await browser.close()
