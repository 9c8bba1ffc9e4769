"""Bodies and the quality of the line, on real pages."""

from __future__ import annotations

import base64
from typing import Any

from tests.support.callers import Caller
from tests.support.site import Request, Response
from tests.support.traffic import run

JAVASCRIPT = "text/javascript"


async def request_id(caller: Caller, part: str) -> str:
    log = await caller.ok("network_read", limit=500, allPages=True)
    return str(next(row["requestId"] for row in reversed(log["requests"]) if part in row["url"]))


async def body(caller: Caller, part: str, **more: Any) -> dict[str, Any]:
    return await caller.ok("network_body", requestId=await request_id(caller, part), **more)


async def test_text_and_bytes(mighty: Caller) -> None:
    picture = bytes(range(256))
    mighty.site.page("/api/tee", '{"name": "Grüner Tee"}', content_type="application/json")
    mighty.site.page("/cup.png", picture, content_type="image/png")
    await mighty.show("<title>Shop</title>")
    await run(
        mighty,
        "() => Promise.all([fetch('/api/tee'), fetch('/cup.png')].map(p => p.then(a => a.blob()))).then(() => 0)",
    )
    shown = await body(mighty, "/api/tee")
    assert (shown["body"], shown["base64Encoded"], shown["status"]) == (
        '{"name": "Grüner Tee"}',
        False,
        200,
    )
    assert "truncated" not in shown
    shown = await body(mighty, "/cup.png")
    assert (base64.b64decode(shown["body"]), shown["base64Encoded"]) == (picture, True)


async def test_what_was_sent(mighty: Caller) -> None:
    async def basket(request: Request) -> Response:
        return Response(b"got " + request.body, content_type="text/plain")

    mighty.site.route("/basket", basket)
    await mighty.show("<title>Shop</title>")
    await run(mighty, "() => fetch('/basket', {method: 'POST', body: 'tea=1'}).then(a => a.text())")
    shown = await body(mighty, "/basket")
    assert (shown["body"], shown["requestBody"]) == ("got tea=1", "tea=1")


async def test_a_long_body_is_whole_in_a_file(mighty: Caller) -> None:
    text = "täglich " * 40_000
    mighty.site.page("/long", text, content_type="text/plain; charset=utf-8")
    await mighty.show("<title>Shop</title>")
    await run(mighty, "() => fetch('/long').then(a => a.text()).then(() => 0)")
    shown = await body(mighty, "/long")
    assert shown["truncated"] is True
    assert text.startswith(shown["body"])
    assert len(shown["body"]) > 100_000
    assert shown["bytes"] == shown["size"] == len(text.encode())
    artifact = mighty.kernel.artifacts.find(mighty.kernel.sessions, mighty.principal, shown["uri"])
    assert artifact.path.read_text(encoding="utf-8") == text
    few = await body(mighty, "/long", maxBytes=2)
    assert few["body"] == "t"


async def test_secrets_stay_here(mighty: Caller) -> None:
    mighty.kernel.masker.add("SHOP_KEY", "open-sesame-4711")
    mighty.site.page(
        "/raw", b"\xff\xfe open-sesame-4711 \xff", content_type="application/octet-stream"
    )
    mighty.site.page("/text", "key=open-sesame-4711", content_type="text/plain")
    await mighty.show("<title>Shop</title>")
    await run(
        mighty,
        "() => Promise.all([fetch('/raw'), fetch('/text')].map(p => p.then(a => a.blob()))).then(() => 0)",
    )
    shown = await body(mighty, "/raw")
    assert base64.b64decode(shown["body"]) == b"\xff\xfe <SHOP_KEY> \xff"
    shown = await body(mighty, "/text", maxBytes=10)
    artifact = mighty.kernel.artifacts.find(mighty.kernel.sessions, mighty.principal, shown["uri"])
    assert artifact.path.read_bytes() == b"key=<SHOP_KEY>"


async def test_a_shared_workers_requests(mighty: Caller) -> None:
    mighty.site.page("/data", "from the shop", content_type="text/plain")
    mighty.site.page(
        "/s.js",
        "onconnect = e => fetch('/data').then(a => a.text()).then(t => e.ports[0].postMessage(t))",
        content_type=JAVASCRIPT,
    )
    await mighty.show("<title>Shop</title>")
    await run(
        mighty,
        "() => new Promise(done => { globalThis.w = new SharedWorker('/s.js'); w.port.onmessage = e => done(e.data); })",
    )
    assert (await request_id(mighty, "/data")).startswith("w")
    assert (await body(mighty, "/data"))["body"] == "from the shop"


async def test_bodies_outlive_their_page(mighty: Caller) -> None:
    mighty.site.page("/blob", "taken as a blob", content_type="text/plain")
    await mighty.show("<title>Shop</title>")
    await run(mighty, "() => fetch('/blob').then(a => a.blob()).then(() => 0)")
    await mighty.show("<title>Elsewhere</title>", path="/elsewhere")
    assert (await body(mighty, "/blob"))["body"] == "taken as a blob"


async def test_a_body_that_nobody_reads(mighty: Caller) -> None:
    mighty.site.page("/unread", "never read", content_type="text/plain")
    await mighty.show("<title>Shop</title>")
    await run(mighty, "() => fetch('/unread').then(a => a.ok)")
    assert (await body(mighty, "/unread"))["body"] == "never read"


async def test_bodies_that_are_not_there(mighty: Caller, caller: Caller) -> None:
    mighty.site.page("/old", "", status=302, headers={"location": "/page"})
    await mighty.show("<title>Shop</title>")
    await mighty.ok("navigate", url=mighty.site.url("/old"))
    refused = await mighty.refused("network_body", requestId=await request_id(mighty, "/old"))
    assert refused["code"] == "content_gone"
    assert (await mighty.refused("network_body", requestId="r999"))["code"] == "invalid_argument"
    assert (await caller.refused("network_body", requestId="r1"))["code"] == "capability_disabled"


async def test_offline_in_every_tab_and_back(caller: Caller) -> None:
    caller.site.page("/api", "here", content_type="text/plain")
    await caller.show("<title>Shop</title>")
    ask = "() => fetch('/api').then(a => a.text(), () => 'failed')"
    cut_off = await caller.ok("network_emulate", offline=True)
    assert cut_off["applied"]["offline"] is True
    assert cut_off["reset"] is False
    assert await run(caller, ask) == "failed"
    assert await run(caller, "() => navigator.onLine") is False
    await caller.ok("tabs", action="new")
    assert (await caller.refused("navigate", url=caller.site.url("/page")))[
        "code"
    ] == "navigation_failed"
    back = await caller.ok("network_emulate")
    assert (back["reset"], back["applied"]["offline"]) == (True, False)
    await caller.ok("navigate", url=caller.site.url("/page"))
    assert await run(caller, ask) == "here"


async def test_a_slow_line_is_felt(caller: Caller) -> None:
    caller.site.page("/api", "here", content_type="text/plain")
    await caller.show("<title>Shop</title>")
    slow = await caller.ok("network_emulate", latencyMs=400, downloadBps=100_000, packetLoss=0.1)
    assert slow["applied"] == {
        "offline": False,
        "latencyMs": 400,
        "downloadBps": 100_000,
        "uploadBps": 0,
        "packetLoss": 0.1,
    }
    assert "WebRTC" in slow["warning"]
    took = "async () => { const t = performance.now(); await fetch('/api').then(a => a.text()); return performance.now() - t; }"
    lasted = await run(caller, took)
    assert isinstance(lasted, float | int)
    assert lasted >= 350
