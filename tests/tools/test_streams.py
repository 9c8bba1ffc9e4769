"""Messages of WebSockets and server-sent events, on real pages."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from typing import Any

import pytest

from stockade.engines.events import PageOpened
from stockade.engines.values import World
from tests.support.callers import Caller
from tests.support.expecting import expecting
from tests.support.site import Request, Response
from tests.support.traffic import page_of, run
from tests.support.waiting import until
from tests.support.websocket import WebSocket

OPENED = """path => new Promise((done, failed) => {
    globalThis.heard = [];
    globalThis.socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/\\/[^/]*$/, path));
    socket.binaryType = 'arraybuffer';
    socket.onmessage = e => heard.push(typeof e.data === 'string' ? e.data : [...new Uint8Array(e.data)]);
    socket.onopen = () => done(0);
    socket.onerror = failed;
})"""


class Talk:
    """What a server heard; it answers with what it was sent."""

    def __init__(self, caller: Caller, path: str = "/talk", greeting: str | None = None) -> None:
        self.heard: list[str | bytes] = []
        self._greeting = greeting
        caller.site.websocket(path, self._talk)
        caller.site.other.websocket(path, self._talk)

    async def _talk(self, socket: WebSocket) -> None:
        if self._greeting is not None:
            await socket.send(self._greeting)
        while (message := await socket.receive()) is not None:
            self.heard.append(message)
            await socket.send(f"got {message}" if isinstance(message, str) else message)


@pytest.fixture
def talk(caller: Caller) -> Talk:
    return Talk(caller)


async def open_socket(caller: Caller, path: str = "/talk") -> None:
    await caller.show("<title>Chat</title>")
    await run(caller, OPENED, path)


async def heard(caller: Caller, count: int = 1) -> list[Any]:
    code = """count => new Promise(done => {
        const look = () => heard.length >= count ? done(heard) : setTimeout(look, 5);
        look();
    })"""
    found: list[Any] = await run(caller, code, count)
    return found


async def test_messages_are_read(caller: Caller, talk: Talk) -> None:
    await open_socket(caller)
    await run(caller, "() => socket.send('hello')")
    await heard(caller)
    log = await caller.ok("ws_read", limit=10, urlPattern="/talk")
    assert [(row["dir"], row["payload"], row["kind"], row["opcode"]) for row in log["frames"]] == [
        ("sent", "hello", "ws", 1),
        ("recv", "got hello", "ws", 1),
    ]
    assert log["total"] == 2
    assert {row["wsId"] for row in log["frames"]} == {"ws-1"}
    assert [(row["wsId"], row["open"]) for row in log["sockets"]] == [("ws-1", True)]
    assert (await caller.ok("ws_read", urlPattern="*/elsewhere"))["frames"] == []
    assert len((await caller.ok("ws_read", urlPattern="ws://*/talk", limit=1))["frames"]) == 1


async def test_long_messages_and_secrets(caller: Caller, talk: Talk) -> None:
    caller.kernel.masker.add("CHAT_KEY", "k3y-of-the-chat")
    await open_socket(caller)
    await run(caller, "() => socket.send('x'.repeat(1990) + 'k3y-of-the-chat' + 'y'.repeat(100))")
    await heard(caller)
    row = (await caller.ok("ws_read"))["frames"][0]
    assert row["truncated"] is True
    assert row["payload"] == "x" * 1990 + "<CHAT_KEY>"
    assert len(row["payload"]) == 2000


async def test_server_sent_events(caller: Caller) -> None:
    async def stream(_request: Request) -> Response:
        async def pieces() -> AsyncIterator[bytes]:
            yield b"event: price\ndata: 7\n\n"

        return Response(pieces(), content_type="text/event-stream")

    caller.site.route("/prices", stream)
    await caller.show("<title>Prices</title>")
    code = "() => new Promise(done => { const s = new EventSource('/prices'); s.addEventListener('price', e => { s.close(); done(e.data); }); })"
    assert await run(caller, code) == "7"
    row = (await caller.ok("ws_read"))["frames"][0]
    assert (row["kind"], row["event"], row["payload"], row["dir"]) == ("sse", "price", "7", "recv")
    assert "wsId" not in row


async def test_sending_on_a_socket_that_was_there(caller: Caller, talk: Talk) -> None:
    await open_socket(caller)
    sent = await caller.ok("ws_send", wsId="ws-1", message="grüße")
    assert (sent["bytes"], sent["url"].endswith("/talk")) == (7, True)
    assert await heard(caller) == ["got grüße"]
    content = bytes([0, 1, 254, 255])
    await caller.ok("ws_send", wsId="ws-1", message=base64.b64encode(content).decode(), base64=True)
    assert (await heard(caller, 2))[1] == list(content)
    assert talk.heard == ["grüße", content]


async def test_sockets_of_the_same_address_are_told_apart(caller: Caller, talk: Talk) -> None:
    await open_socket(caller)
    await caller.ok("ws_send", wsId="ws-1", message="from now on")
    await caller.ok("reload")
    await run(caller, OPENED, "/talk")
    await run(
        caller,
        f"async () => {{ globalThis.first = socket; await ({OPENED})('/talk'); first.onmessage = e => heard.push('first ' + e.data); }}",
    )
    open_ones = [row["wsId"] for row in (await caller.ok("ws_read"))["sockets"] if row["open"]]
    assert open_ones == ["ws-2", "ws-3"]
    await caller.ok("ws_send", wsId="ws-2", message="a")
    await caller.ok("ws_send", wsId="ws-3", message="b")
    assert sorted(await heard(caller, 2)) == ["first got a", "got b"]


async def test_those_that_cannot_be_told_apart(caller: Caller, talk: Talk) -> None:
    await open_socket(caller)
    await run(caller, f"async () => {{ globalThis.first = socket; await ({OPENED})('/talk'); }}")
    refused = await caller.refused("ws_send", wsId="ws-1", message="whom?")
    assert refused["code"] == "ambiguous"
    assert not talk.heard


async def test_sockets_that_are_not_open(caller: Caller, talk: Talk) -> None:
    await open_socket(caller)
    assert (await caller.refused("ws_send", wsId="ws-9", message="x"))["code"] == "not_found"
    assert (await caller.refused("ws_send", wsId="ws-1", message="%", base64=True))[
        "code"
    ] == "invalid_argument"
    await run(
        caller, "() => new Promise(done => { socket.onclose = () => done(0); socket.close(); })"
    )
    await until(lambda: _closed(caller))
    assert (await caller.refused("ws_send", wsId="ws-1", message="x"))["code"] == "conflict"


async def _last_frame(caller: Caller, payload: str) -> bool:
    return bool((await caller.ok("ws_read"))["frames"][-1]["payload"] == payload)


async def _closed(caller: Caller) -> bool:
    return not (await caller.ok("ws_read"))["sockets"][0]["open"]


async def test_a_workers_socket(caller: Caller, talk: Talk) -> None:
    caller.site.page(
        "/w.js",
        "const s = new WebSocket(location.href.replace('http', 'ws').replace('/w.js', '/talk'));"
        "s.onopen = () => postMessage('open'); s.onmessage = e => postMessage(e.data);",
        content_type="text/javascript",
    )
    await caller.show("<title>Chat</title>")
    await run(
        caller,
        "() => new Promise(done => { globalThis.heard = []; globalThis.w = new Worker('/w.js');"
        " w.onmessage = e => e.data === 'open' ? done(0) : heard.push(e.data); })",
    )
    await caller.ok("ws_send", wsId="ws-1", message="hi")
    assert await heard(caller) == ["got hi"]
    await caller.ok("ws_intercept", pattern="*/talk", response={"data": "made up"})
    await caller.ok("ws_send", wsId="ws-1", message="again")
    assert await heard(caller, 2) == ["got hi", "made up"]


@pytest.mark.parametrize(
    ("response", "expected"),
    [("drop", []), ("echo", ["hello"]), ({"data": "made up"}, ["made up"])],
)
async def test_what_the_page_sends_is_kept_back(
    caller: Caller, talk: Talk, response: Any, expected: list[str]
) -> None:
    await open_socket(caller)
    added = await caller.ok("ws_intercept", pattern="*/talk", response=response)
    assert added["active"][0]["pattern"] == "*/talk"
    await run(caller, "() => socket.send('hello')")
    removed = await caller.ok("ws_unintercept", pattern="*/talk")
    assert (removed["removed"], removed["active"]) == (1, [])
    await run(caller, "() => socket.send('after')")
    assert await heard(caller, len(expected) + 1) == [*expected, "got after"]
    assert talk.heard == ["after"]


async def test_what_the_server_says_is_replaced(caller: Caller) -> None:
    talk = Talk(caller, greeting="welcome")
    await caller.ok(
        "ws_intercept", pattern="*/talk", response={"data": "intercepted"}, direction="received"
    )
    await open_socket(caller)
    assert await heard(caller) == ["intercepted"]
    await run(caller, "() => socket.send('hello')")
    assert await heard(caller, 2) == ["intercepted", "intercepted"]
    assert talk.heard == ["hello"]
    await caller.ok("ws_intercept", pattern="*/talk", response="drop", direction="received")
    await run(caller, "() => socket.send('unheard')")
    await until(lambda: _last_frame(caller, "got unheard"))
    assert (await caller.ok("ws_unintercept"))["removed"] == 1
    await run(caller, "() => socket.send('bye')")
    assert await heard(caller, 3) == ["intercepted", "intercepted", "got bye"]


async def test_what_the_server_says_is_sent_back(caller: Caller) -> None:
    said: list[str | bytes | None] = []

    async def once(socket: WebSocket) -> None:
        await socket.send("welcome")
        said.append(await socket.receive())
        await socket.receive()

    caller.site.websocket("/once", once)
    await caller.ok("ws_intercept", pattern="*/once", response="echo", direction="received")
    await open_socket(caller, "/once")
    assert await heard(caller) == ["welcome"]
    await until(lambda: said == ["welcome"])


async def test_bytes_are_echoed_as_the_socket_gives_them(caller: Caller, talk: Talk) -> None:
    await caller.ok("ws_intercept", pattern="*/talk", response="echo")
    await open_socket(caller)
    await run(caller, "() => socket.send(new Uint8Array([1, 2, 255]))")
    assert await heard(caller) == [[1, 2, 255]]


async def test_frames_popups_and_later_documents(caller: Caller, talk: Talk) -> None:
    await caller.ok("ws_intercept", pattern="*/talk", response={"data": "kept"})
    await open_socket(caller)
    await open_socket(caller)
    await run(caller, "() => socket.send('x')")
    assert await heard(caller) == ["kept"]
    inner = caller.site.other.page("/inner", "<title>Inner</title>").replace(
        "127.0.0.1", "localhost"
    )
    await run(
        caller,
        "url => new Promise(done => { const f = document.createElement('iframe'); f.onload = () => done(0); f.src = url; document.body.append(f); })",
        inner,
    )
    page = await page_of(caller)
    frame = page.frames[-1]
    await frame.call(OPENED, "/talk", world=World.MAIN, timeout=10)
    asked = "() => new Promise(done => { socket.onmessage = e => done(e.data); socket.send('y'); })"
    assert await frame.call(asked, world=World.MAIN, timeout=10) == "kept"
    async with expecting(page.context.events, PageOpened) as opened:
        await run(caller, "() => { window.open('/page'); }")
    popup = opened.result().page
    await until(lambda: popup.main_frame.url.endswith("/page"))
    await popup.main_frame.call(OPENED, "/talk", world=World.MAIN, timeout=10)
    assert await popup.main_frame.call(asked, world=World.MAIN, timeout=10) == "kept"
    assert not talk.heard


async def test_sockets_look_as_before(caller: Caller, talk: Talk) -> None:
    await caller.show("<title>Chat</title>")
    look = """() => [
        WebSocket.name, WebSocket.length, WebSocket.prototype.send.name,
        WebSocket.prototype.constructor === WebSocket, WebSocket.OPEN, Object.keys(globalThis).length,
        Reflect.ownKeys(WebSocket.prototype).length, WebSocket.prototype.send.length,
        (() => { try { WebSocket.prototype.send.call({}, 'x'); } catch (e) { return e.name; } })(),
        (() => { try { new WebSocket('ws://127.0.0.1:9').send('x'); } catch (e) { return e.name; } })(),
        (class Mine extends WebSocket {}).prototype instanceof WebSocket,
    ]"""
    before = await run(caller, look)
    await caller.ok("ws_intercept", pattern="*/never", response="drop")
    await caller.ok("reload")
    assert await run(caller, look) == before


async def test_other_sessions_are_not_concerned(caller: Caller, talk: Talk) -> None:
    await caller.ok("ws_intercept", pattern="*", response="drop")
    neighbour = caller.another()
    await open_socket(neighbour)
    await run(neighbour, "() => socket.send('hello')")
    assert await heard(neighbour) == ["got hello"]
