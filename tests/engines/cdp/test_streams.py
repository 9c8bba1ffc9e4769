"""WebSocket and server-sent messages over the real pipe."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import pytest

from stockade.engines.cdp.connection import Connection, Session
from stockade.engines.cdp.requests import RequestLog
from stockade.engines.cdp.streams import StreamLog
from stockade.engines.events import Events, StreamFrame
from stockade.engines.port import Page
from stockade.engines.values import World
from tests.support.endpoints import EventStream
from tests.support.logs import ended_request, stream_frame
from tests.support.site import Site


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


OPEN = """url => new Promise(done => {
    globalThis.socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => done();
})"""


async def test_text_goes_and_comes(either_home: Page, site: Site) -> None:
    await run(either_home, OPEN, site.ws_url("/ws"))
    await run(either_home, "() => socket.send('grüße')")
    back = await stream_frame(either_home, "grüße")
    sent = await stream_frame(either_home, "grüße", "sent")
    assert (sent.kind, sent.opcode, sent.url) == ("ws", 1, site.ws_url("/ws"))
    assert (back.direction, back.truncated) == ("received", False)
    assert sent.at <= back.at
    [request] = [each for each in either_home.requests if each.type == "WebSocket"]
    assert sent.request == back.request == request.id
    assert (request.status, request.ended) == (101, None)
    headers = {name.lower(): value for name, value in request.response_headers.items()}
    assert headers["upgrade"] == "websocket"


async def test_binary_is_base64(home: Page, site: Site) -> None:
    await run(home, OPEN, site.ws_url("/ws"))
    await run(home, "() => socket.send(new Uint8Array([0, 255, 1]))")
    frame = await stream_frame(home, base64.b64encode(b"\0\xff\1").decode())
    assert frame.opcode == 2


async def test_a_close_ends_the_request(home: Page, site: Site) -> None:
    await run(home, OPEN, site.ws_url("/ws"))
    await run(home, "() => socket.send('close 4001 enough')")
    request = await ended_request(home, "/ws")
    assert (request.status, request.failure) == (101, "")


async def test_a_refused_socket_fails(home: Page, site: Site) -> None:
    await run(
        home,
        "url => new Promise(done => { new WebSocket(url).onerror = () => done(); })",
        site.ws_url("/no-socket"),
    )
    request = await ended_request(home, "/no-socket")
    assert "404" in request.failure


async def test_long_messages_are_cut(home: Page, site: Site) -> None:
    await run(home, OPEN, site.ws_url("/ws"))
    await run(home, "() => socket.send('long' + 'x'.repeat(200000))")
    frame = await stream_frame(home, "long")
    assert (len(frame.payload), frame.truncated) == (64 << 10, True)


async def test_sockets_of_workers_and_frames(home: Page, site: Site) -> None:
    code = "const socket = new WebSocket('{}'); socket.onopen = () => socket.send('{}');"
    site.page(
        "/worker.js", code.format(site.ws_url("/ws"), "of worker"), content_type="text/javascript"
    )
    site.page("/inner", f"<script>{code.format(site.ws_url('/ws'), 'of frame')}</script>")
    await run(
        home,
        "url => { globalThis.worker = new Worker('/worker.js');"
        " const frame = document.createElement('iframe'); frame.src = url;"
        " document.body.append(frame); }",
        site.url("/inner", "localhost"),
    )
    await stream_frame(home, "of worker")
    await stream_frame(home, "of frame")


async def test_server_sent_events(home: Page, site: Site) -> None:
    stream = EventStream(site, "/events")
    await run(
        home,
        "() => new Promise(done => { globalThis.source = new EventSource('/events');"
        " source.onopen = () => done(); })",
    )
    await stream.listening.wait()
    stream.send("first")
    stream.send("second\nline", event="news")
    frame = await stream_frame(home, "second")
    assert (frame.kind, frame.event, frame.payload) == ("sse", "news", "second\nline")
    assert (await stream_frame(home, "first")).event == "message"
    [request] = [each for each in home.requests if each.type == "EventSource"]
    assert frame.request == request.id
    stream.close()


# --- without a browser --------------------------------------------------------------------------


@pytest.fixture
def session() -> Session:
    connection = Connection()
    connection.opened(lambda _: None, lambda: None)
    return connection.session("S")


def tell(session: Session, method: str, params: dict[str, Any]) -> None:
    session.dispatch(method, msgspec.Raw(msgspec.json.encode(params)))


def test_frames_are_bounded_by_size_and_number(session: Session) -> None:
    events = Events()
    requests = RequestLog(events)
    streams = StreamLog(events, requests)
    requests.watch(session)
    streams.watch(session)
    told: list[StreamFrame] = []
    events.on(StreamFrame, told.append)
    tell(session, "Network.webSocketCreated", {"requestId": "1", "url": "ws://host/"})

    def receive(payload: str) -> None:
        response = {"opcode": 1, "payloadData": payload}
        tell(
            session,
            "Network.webSocketFrameReceived",
            {"requestId": "1", "timestamp": 1.0, "response": response},
        )

    for number in range(1500):
        receive(str(number))
    assert [frame.payload for frame in streams.frames] == [str(n) for n in range(500, 1500)]
    for _ in range(100):
        receive("x" * (64 << 10))
    assert sum(len(frame.payload) for frame in streams.frames) <= 4 << 20
    assert len(told) == 1600
