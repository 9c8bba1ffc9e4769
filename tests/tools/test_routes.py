"""Routes, on real pages and workers."""

from __future__ import annotations

import base64

import pytest

from stockade.engines.events import PageOpened
from stockade.errors import StockadeError
from stockade.sessions.tab import Tab
from tests.support.callers import Caller
from tests.support.expecting import expecting
from tests.support.site import Request, Response
from tests.support.traffic import page_of, run, session_of
from tests.support.waiting import until

JAVASCRIPT = "text/javascript"
FETCHED = (
    "(url, given) => fetch(url, given).then(async a => [a.status, a.statusText, await a.text()])"
)


async def fetched(caller: Caller, url: str, **given: object) -> object:
    return await run(caller, FETCHED, url, given)


async def test_a_route_answers_and_an_unroute_ends_it(caller: Caller) -> None:
    caller.site.page("/api/offers", '{"real": true}', content_type="application/json")
    await caller.show("<title>Shop</title>")
    added = await caller.ok("route", urlPattern="**/api/offers*", body='{"offers": []}')
    assert (added["urlPattern"], added["routes"], added["status"]) == ("**/api/offers*", 1, 200)
    assert await fetched(caller, "/api/offers?page=2") == [200, "OK", '{"offers": []}']
    assert not caller.site.asked("/api/offers")
    log = await caller.ok("network_read")
    assert [row.get("routed") for row in log["requests"] if "/api/" in row["url"]] == [True]
    removed = await caller.ok("unroute", urlPattern="**/api/offers*")
    assert (removed["removed"], removed["routes"]) == (1, 0)
    assert await fetched(caller, "/api/offers") == [200, "", '{"real": true}']
    assert (await caller.ok("unroute"))["removed"] == 0


async def test_status_type_headers_and_json(caller: Caller) -> None:
    await caller.show("<title>Shop</title>")
    await caller.ok(
        "route",
        urlPattern="*/gone",
        status=503,
        body={"why": "mañana"},
        headers={"X-Served-By": "us", "content-type": "application/problem+json"},
    )
    code = """() => fetch('/gone').then(async a => [
        a.status, a.statusText, a.headers.get('x-served-by'), a.headers.get('content-type'),
        (await a.json()).why])"""
    assert await run(caller, code) == [
        503,
        "Service Unavailable",
        "us",
        "application/problem+json",
        "mañana",
    ]


async def test_bytes_and_head(caller: Caller) -> None:
    await caller.show("<title>Shop</title>")
    content = bytes(range(256))
    await caller.ok(
        "route",
        urlPattern="*/blob",
        contentBase64=base64.b64encode(content).decode(),
        contentType="application/octet-stream",
    )
    code = "() => fetch('/blob').then(a => a.arrayBuffer()).then(b => [...new Uint8Array(b)])"
    assert await run(caller, code) == list(content)
    code = "() => fetch('/blob', {method: 'HEAD'}).then(async a => [a.headers.get('content-length'), await a.text()])"
    assert await run(caller, code) == ["256", ""]


async def test_a_method_and_the_newest_first(caller: Caller) -> None:
    async def basket(request: Request) -> Response:
        return Response(f"{request.method} {request.body.decode()}", content_type="text/plain")

    caller.site.route("/basket", basket)
    await caller.show("<title>Shop</title>")
    await caller.ok("route", urlPattern="*/basket", method="put", body="put")
    assert await fetched(caller, "/basket", method="PUT", body="x") == [200, "OK", "put"]
    # What is not answered goes out as it is.
    assert await fetched(caller, "/basket", method="POST", body="täst") == [200, "", "POST täst"]
    await caller.ok("route", urlPattern="*/bask*", body="newer")
    assert await fetched(caller, "/basket", method="PUT") == [200, "OK", "newer"]
    replaced = await caller.ok("route", urlPattern="*/basket", method="PUT", body="newest")
    assert replaced["routes"] == 2
    assert await fetched(caller, "/basket", method="PUT") == [200, "OK", "newest"]
    assert (await caller.ok("unroute", method="PUT"))["removed"] == 1
    assert await fetched(caller, "/basket", method="PUT") == [200, "OK", "newer"]


async def test_a_queue_and_then_the_network(caller: Caller) -> None:
    caller.site.page("/state", "real", content_type="text/plain")
    await caller.show("<title>Shop</title>")
    queued = await caller.ok(
        "route_queue",
        urlPattern="*/state",
        responses=[{"status": 202, "body": "wait"}, {"body": "done"}],
    )
    assert queued["queued"] == queued["active"][0]["left"] == 2
    seen = [await fetched(caller, "/state") for _ in range(3)]
    assert seen == [[202, "Accepted", "wait"], [200, "OK", "done"], [200, "", "real"]]
    assert (await caller.ok("unroute"))["removed"] == 0


async def test_answers_may_come_out_of_order(caller: Caller) -> None:
    await caller.show("<title>Shop</title>")
    await caller.ok(
        "route_queue",
        urlPattern="*/race",
        responses=[{"body": "slow", "delayMs": 300}, {"body": "fast"}],
    )
    code = """async () => {
        const order = [];
        const ask = () => fetch('/race').then(a => a.text()).then(t => order.push(t));
        await Promise.all([ask(), ask()]);
        return order;
    }"""
    assert await run(caller, code) == ["fast", "slow"]


async def test_a_closed_tab_waits_for_nothing(caller: Caller) -> None:
    await caller.show("<title>Shop</title>")
    await caller.ok("route", urlPattern="*/never", delayMs=60_000)
    await run(caller, "() => { fetch('/never'); }")
    interceptor = (await page_of(caller)).network.interceptor  # type: ignore[attr-defined]
    await until(lambda: bool(interceptor._waiting))
    timer, _ = next(iter(next(iter(interceptor._waiting.values())).values()))
    await caller.ok("tabs", action="close", tab=session_of(caller).tabs[0].id)
    assert timer.cancelled()


async def test_removing_a_slow_route_gives_its_answers(caller: Caller) -> None:
    await caller.show("<title>Shop</title>")
    await caller.ok("route", urlPattern="*/slow", delayMs=60_000, body="at last")
    await run(caller, "() => { globalThis.slow = fetch('/slow').then(a => a.text()); }")
    interceptor = (await page_of(caller)).network.interceptor  # type: ignore[attr-defined]
    await until(lambda: bool(interceptor._waiting))
    await caller.ok("unroute")
    assert await run(caller, "() => slow") == "at last"
    assert not caller.site.asked("/slow")


async def test_another_origin_may_be_read(caller: Caller) -> None:
    await caller.show("<title>Shop</title>")
    url = caller.site.other.url("/prices")
    await caller.ok("route", urlPattern=f"{caller.site.other.url('')}/*", body="7")
    assert await fetched(caller, url) == [200, "OK", "7"]
    # A header of its own makes the browser ask first whether it may.
    asked = await fetched(caller, url, method="PUT", headers={"x-mine": "1"}, credentials="include")
    assert asked == [200, "OK", "7"]
    assert not caller.site.other.requests


async def test_documents_frames_and_popups(caller: Caller) -> None:
    other = caller.site.other.url("/inside", host="localhost")
    await caller.ok("route", urlPattern="*/inside", body="<p>Mine</p>", contentType="text/html")
    await caller.show(f"<iframe src='{other}'></iframe><title>Shop</title>")
    await eventually_text(caller, "Mine")
    await caller.ok(
        "route", urlPattern="*/popup", body="<title>Popup</title>", contentType="text/html"
    )
    session = session_of(caller)
    for features in ("", "noopener"):
        async with expecting((await page_of(caller)).context.events, PageOpened):
            await run(caller, f"() => {{ window.open('/popup', '_blank', '{features}'); }}")
        await until_titled(session.tabs[-1], "Popup")
    assert not caller.site.asked("/popup")
    assert not caller.site.other.asked("/inside")


async def until_titled(tab: Tab, title: str) -> None:
    async def titled() -> bool:
        return await tab.title() == title

    await until(titled)


async def eventually_text(caller: Caller, text: str) -> None:
    async def there() -> bool:
        return text in await caller.text("snapshot")

    await until(there)


@pytest.mark.parametrize("kind", ["Worker", "SharedWorker", "service"])
async def test_workers_of_every_kind(caller: Caller, kind: str) -> None:
    await caller.ok("route", urlPattern="*/data", body="routed")
    site = caller.site
    site.page(
        "/w.js", "fetch('/data').then(a => a.text()).then(postMessage)", content_type=JAVASCRIPT
    )
    site.page(
        "/s.js",
        "onconnect = e => fetch('/data').then(a => a.text()).then(t => e.ports[0].postMessage(t))",
        content_type=JAVASCRIPT,
    )
    site.page(
        "/sw.js",
        "oninstall = e => e.waitUntil(skipWaiting()); onactivate = e => e.waitUntil(clients.claim());"
        "onfetch = e => { if (e.request.url.endsWith('/via')) e.respondWith(fetch('/data')); }",
        content_type=JAVASCRIPT,
    )
    await caller.show("<title>Shop</title>")
    codes = {
        "Worker": "() => new Promise(done => { new Worker('/w.js').onmessage = e => done(e.data); })",
        "SharedWorker": "() => new Promise(done => { new SharedWorker('/s.js').port.onmessage = e => done(e.data); })",
        "service": """async () => {
            const ready = new Promise(done => { navigator.serviceWorker.oncontrollerchange = done; });
            await navigator.serviceWorker.register('/sw.js');
            await ready;
            return (await fetch('/via')).text();
        }""",
    }
    assert await run(caller, codes[kind]) == "routed"
    assert not site.asked("/data")


async def test_a_redirect_stays_on_the_web(caller: Caller) -> None:
    await caller.show("<title>Shop</title>")
    await caller.ok("route", urlPattern="*/old", status=302, headers={"Location": "/new"})
    await caller.ok("route", urlPattern="*/new", body="<title>New</title>", contentType="text/html")
    arrived = await caller.ok("navigate", url=caller.site.url("/old"))
    assert arrived["final_url"].endswith("/new")
    await caller.ok(
        "route", urlPattern="*/old", status=302, headers={"Location": "file:///etc/passwd"}
    )
    refused = await caller.refused("navigate", url=caller.site.url("/old"))
    assert refused["code"] == "navigation_failed"


async def test_other_sessions_are_not_concerned(caller: Caller) -> None:
    caller.site.page("/api", "real", content_type="text/plain")
    await caller.show("<title>Shop</title>")
    await caller.ok("route", urlPattern="*/api", body="mocked")
    neighbour = caller.another()
    await neighbour.show("<title>Shop</title>")
    assert await run(neighbour, "() => fetch('/api').then(a => a.text())") == "real"


async def test_routes_outlive_the_browser(caller: Caller) -> None:
    await caller.show("<title>Shop</title>")
    await caller.ok("route", urlPattern="*/api", body="mocked")
    session = session_of(caller)
    context = session.context
    assert context is not None
    # As when its process has died.
    session._let_go(StockadeError("gone"))
    await caller.show("<title>Shop</title>")
    assert session.context is not context
    assert await fetched(caller, "/api") == [200, "OK", "mocked"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"urlPattern": ""},
        {"urlPattern": "*", "status": 99},
        {"urlPattern": "*", "headers": {"a b": "c"}},
        {"urlPattern": "*", "headers": {"a": "b\r\nc: d"}},
        {"urlPattern": "*", "contentBase64": "%%%"},
        {"urlPattern": "*", "contentBase64": "e\u0301"},
        {"urlPattern": "*", "delayMs": 60_001},
        {"urlPattern": "*", "method": "G T"},
    ],
)
async def test_what_no_server_could_send(caller: Caller, wrong: dict[str, object]) -> None:
    refused = await caller.refused("route", **wrong)
    assert refused["code"] == "invalid_argument"


@pytest.mark.parametrize("pattern", ["/api/offers", "/api/*", "*/offers"])
async def test_a_part_of_the_address_is_enough(caller: Caller, pattern: str) -> None:
    await caller.ok("route", urlPattern=pattern, body="ours", contentType="text/plain")
    await caller.ok("navigate", url=caller.site.url("/api/offers"))
    assert "ours" in await caller.text("snapshot")


async def test_without_eval_an_answer_brings_no_scripts(caller: Caller) -> None:
    page = caller.site.page("/page", "<p id=out>asleep</p><script src=/app.js></script>")
    refusal = await caller.refused(
        "route", urlPattern="*/app.js", body="out.textContent = 1", contentType="text/javascript"
    )
    assert (refusal["code"], refusal["requiredCapability"]) == ("capability_disabled", "eval")
    for kind in ("application/json", "text/plain"):
        await caller.ok(
            "route", urlPattern="*/app.js", body="out.textContent = 'ran'", contentType=kind
        )
        await caller.ok("navigate", url=page)
        assert "asleep" in await caller.text("snapshot")
    html = "<p id=out>asleep</p><script>out.textContent = 'ran'</script><img src=x onerror=out.textContent='ran'>"
    given = {"content-security-policy": "script-src *"}
    await caller.ok("route", urlPattern="*/made", body=html, contentType="text/html", headers=given)
    await caller.ok("navigate", url=caller.site.url("/made"))
    assert "asleep" in await caller.text("snapshot")
