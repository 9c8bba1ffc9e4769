"""Workers of every kind, on real pages."""

from __future__ import annotations

from typing import Any

from stockade.engines.cdp.page import ChromiumPage
from stockade.traffic.workers import Workers
from tests.support.callers import Caller
from tests.support.traffic import page_of, run, session_of
from tests.support.waiting import until

JAVASCRIPT = "text/javascript"
WORKER = """
    postMessage('started');
    onmessage = e => postMessage({got: e.data, when: new Date(0), bytes: new Uint8Array(3)});
"""
SHARED = "onconnect = e => { const [port] = e.ports; port.onmessage = m => port.postMessage('shared ' + m.data); };"
SERVICE = """
    oninstall = e => e.waitUntil(skipWaiting());
    onactivate = e => e.waitUntil(clients.claim());
    addEventListener('fetch', e => {
        const {pathname} = new URL(e.request.url);
        if (pathname === '/made') e.respondWith(new Response('made'));
        if (pathname === '/passed') e.respondWith(fetch('/behind'));
    });
    onmessage = async e => { for (const c of await clients.matchAll()) c.postMessage('service ' + e.data); };
"""
REGISTERED = """async () => {
    const ready = new Promise(done => { navigator.serviceWorker.oncontrollerchange = done; });
    await navigator.serviceWorker.register('/sw.js');
    await ready;
}"""


async def workshop(caller: Caller) -> None:
    """A page with a worker of each kind."""
    for path, code in (("/w.js", WORKER), ("/s.js", SHARED), ("/sw.js", SERVICE)):
        caller.site.page(path, code, content_type=JAVASCRIPT)
    caller.site.page("/behind", "behind", content_type="text/plain")
    await caller.show("<title>Workshop</title>")


async def start_worker(caller: Caller) -> None:
    await run(
        caller,
        "() => new Promise(done => { globalThis.heard = []; globalThis.worker = new Worker('/w.js');"
        " worker.onmessage = e => { heard.push(e.data); done(0); }; })",
    )


async def rows(caller: Caller, tool: str, **arguments: Any) -> list[dict[str, Any]]:
    told = await caller.ok(tool, **arguments)
    assert told["ok"]
    assert told["end"] in told["untrusted"]
    found: list[dict[str, Any]] = told["workers" if tool == "workers_list" else "messages"]
    return found


async def messages(caller: Caller, last: Any = None, **arguments: Any) -> list[dict[str, Any]]:
    """What workers post, once there is something, or once that has come."""
    found: list[dict[str, Any]] = []

    async def enough() -> bool:
        found.extend(await rows(caller, "worker_messages_read", **arguments))
        return bool(found) and (last is None or found[-1]["data"] == last)

    await until(enough)
    return found


async def fetched(caller: Caller, path: str) -> Any:
    return await run(
        caller, "path => fetch(path).then(async a => [a.status, await a.text()])", path
    )


async def test_workers_are_listed(caller: Caller) -> None:
    await workshop(caller)
    assert await rows(caller, "workers_list") == []
    await start_worker(caller)
    await run(caller, "() => { globalThis.shared = new SharedWorker('/s.js'); }")
    await run(caller, REGISTERED)

    async def all_there() -> bool:
        return len(await rows(caller, "workers_list")) == 3

    await until(all_there)
    listed = {row["workerId"]: row for row in await rows(caller, "workers_list")}
    assert {name: row["type"] for name, row in listed.items()} == {
        "ww-1": "web",
        "ww-2": "shared",
        "sw-1": "service",
    }
    assert listed["ww-1"]["url"] == caller.site.url("/w.js")
    assert listed["sw-1"]["state"] == "running"
    assert listed["sw-1"]["status"] == "activated"
    assert [row["workerId"] for row in await rows(caller, "workers_list", type="service")] == [
        "sw-1"
    ]
    assert [row["type"] for row in await rows(caller, "workers_list", type="web")] == [
        "web",
        "shared",
    ]
    await run(caller, "() => worker.terminate()")

    async def gone() -> bool:
        return "ww-1" not in {row["workerId"] for row in await rows(caller, "workers_list")}

    await until(gone)
    await start_worker(caller)
    assert "ww-3" in {row["workerId"] for row in await rows(caller, "workers_list")}


async def test_what_a_worker_posts(caller: Caller) -> None:
    await workshop(caller)
    await caller.ok("workers_list")
    await start_worker(caller)
    [first] = await messages(caller)
    assert (first["workerId"], first["data"]) == ("ww-1", "started")
    assert await rows(caller, "worker_messages_read") == []
    await run(caller, "() => worker.postMessage('hi')")
    [second] = await messages(caller, workerId="ww-1")
    assert second["data"] == {
        "got": "hi",
        "when": "1970-01-01T00:00:00.000Z",
        "bytes": "[Uint8Array of 3 bytes]",
    }
    # The page gets all of it as before.
    assert await run(
        caller, "() => [heard.length, heard[1].when.getTime(), heard[1].bytes.length]"
    ) == [2, 0, 3]


async def test_a_worker_that_was_there_before(caller: Caller) -> None:
    await workshop(caller)
    await start_worker(caller)
    assert await rows(caller, "worker_messages_read") == []
    sent = await caller.ok("worker_message_send", workerId="ww-1", message={"n": [1, 2]})
    assert (sent["type"], sent["bytes"]) == ("web", 11)
    assert (await messages(caller))[0]["data"]["got"] == {"n": [1, 2]}
    await until(lambda: _heard(caller))


async def _heard(caller: Caller) -> bool:
    return bool(await run(caller, "() => heard.length === 2 && heard[1].got.n[1] === 2"))


async def test_a_shared_and_a_service_worker(caller: Caller) -> None:
    await workshop(caller)
    await run(caller, "() => { globalThis.shared = new SharedWorker('/s.js'); }")
    await run(caller, REGISTERED)

    async def all_there() -> bool:
        return len(await rows(caller, "workers_list")) == 2

    await until(all_there)
    await caller.ok("worker_message_send", workerId="ww-1", message="hi")
    [said] = await messages(caller)
    assert (said["workerId"], said["data"]) == ("ww-1", "shared hi")
    await run(
        caller,
        "() => { globalThis.told = new Promise(done => { navigator.serviceWorker.onmessage = e => done(e.data); }); }",
    )
    await caller.ok("worker_message_send", workerId="sw-1", message="ho")
    assert await run(caller, "() => told") == "service ho"
    [said] = await messages(caller, workerId="sw-1")
    assert said["data"] == "service ho"


async def test_many_and_large_messages_are_bounded(caller: Caller) -> None:
    await workshop(caller)
    workers = await Workers.of(session_of(caller), timeout=10)
    await run(
        caller,
        "() => new Promise(done => { const code = `for (let i = 0; i < 600; i++) postMessage(i);"
        " const loop = {}; loop.self = loop; postMessage(loop); postMessage('x'.repeat(9000)); postMessage('end')`;"
        " globalThis.w = new Worker(URL.createObjectURL(new Blob([code])));"
        " w.onmessage = e => { if (e.data === 'end') done(0); }; })",
    )
    await until(lambda: workers._posted[-1].data == "end")
    found = await messages(caller, "end")
    assert len(found) == 500
    assert [row["data"] for row in found[-4:-2]] == [599, {"self": "[circular]"}]
    assert (found[-2]["truncated"], len(found[-2]["data"])) == (True, 4096)


async def test_workers_that_are_not_there(caller: Caller) -> None:
    await workshop(caller)
    assert (await caller.refused("worker_message_send", workerId="ww-9", message="x"))[
        "code"
    ] == "not_found"
    assert (await caller.refused("worker_messages_read", workerId="sw-9"))["code"] == "not_found"


async def test_a_service_worker_is_answered_for(caller: Caller) -> None:
    await workshop(caller)
    await run(caller, REGISTERED)
    assert await fetched(caller, "/made") == [200, "made"]
    added = await caller.ok(
        "sw_intercept_fetch", pattern="*/made", response={"status": 203, "body": "ours"}
    )
    assert added["active"] == ["*/made"]
    assert await fetched(caller, "/made") == [203, "ours"]
    # What it asks for itself, too.
    await caller.ok("sw_intercept_fetch", pattern="*/behind", response={"body": "not behind"})
    assert await fetched(caller, "/passed") == [200, "not behind"]
    assert not caller.site.asked("/behind")
    # A request of the page that no service worker has to do with is another matter.
    other = await run(caller, "() => fetch('/behind', {cache: 'no-store'}).then(a => a.status)")
    assert other == 200
    assert (await caller.ok("sw_unintercept_fetch", pattern="*/made"))["active"] == ["*/behind"]
    assert await fetched(caller, "/made") == [200, "made"]
    assert (await caller.ok("sw_unintercept_fetch"))["removed"] == 1
    assert await fetched(caller, "/passed") == [200, "behind"]


async def test_one_that_starts_again_is_answered_for(caller: Caller) -> None:
    await workshop(caller)
    await caller.ok("sw_intercept_fetch", pattern="*/made", response={"body": "ours"})
    await run(caller, REGISTERED)
    assert await fetched(caller, "/made") == [200, "ours"]
    page = await page_of(caller)
    assert isinstance(page, ChromiumPage)
    await page.session.send("ServiceWorker.enable", timeout=10)
    await page.session.send("ServiceWorker.stopAllWorkers", timeout=10)
    assert await fetched(caller, "/made") == [200, "ours"]
    await caller.ok("sw_unintercept_fetch")
    assert await fetched(caller, "/made") == [200, "made"]


async def test_a_routed_script_of_a_service_worker(caller: Caller) -> None:
    await workshop(caller)
    await caller.ok("sw_intercept_fetch", pattern="*", response={"body": "all"})
    await run(caller, REGISTERED)
    assert await fetched(caller, "/anything") == [200, "all"]
