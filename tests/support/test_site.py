from __future__ import annotations

import asyncio
import base64
import os
import struct
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import h11
import pytest

from tests.support import endpoints
from tests.support.endpoints import EventStream
from tests.support.site import Request, Response, Site
from tests.support.websocket import WebSocket


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


class Client:
    """A keep-alive HTTP client over one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.http = h11.Connection(h11.CLIENT)

    async def ask(
        self,
        target: str,
        method: str = "GET",
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        fields = [("host", "test"), ("content-length", str(len(body))), *(headers or {}).items()]
        self.send(h11.Request(method=method, target=target, headers=fields))
        if body:
            self.send(h11.Data(data=body))
        self.send(h11.EndOfMessage())
        head = await self.event()
        assert isinstance(head, h11.Response)
        parts = bytearray()
        while isinstance(event := await self.event(), h11.Data):
            parts += event.data
        if self.http.our_state is h11.DONE and self.http.their_state is h11.DONE:
            self.http.start_next_cycle()
        fields_in = {name.decode(): value.decode() for name, value in head.headers}
        return Answer(head.status_code, fields_in, bytes(parts))

    def send(self, event: h11.Event) -> None:
        self.writer.write(self.http.send(event) or b"")

    async def event(self) -> object:
        async with asyncio.timeout(5):
            while (event := self.http.next_event()) is h11.NEED_DATA:
                self.http.receive_data(await self.reader.read(4096))
        return event


@asynccontextmanager
async def connect(site: Site) -> AsyncIterator[Client]:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    try:
        yield Client(reader, writer)
    finally:
        writer.close()
        await writer.wait_closed()


@pytest.fixture
async def client(site: Site) -> AsyncIterator[Client]:
    async with connect(site) as client:
        yield client


async def test_pages_are_served_over_one_connection(site: Site, client: Client) -> None:
    site.page("/a", "<h1>ä</h1>", headers={"X-Kind": "one"})
    site.page("/b", b"gone", status=410, content_type="text/plain")
    first = await client.ask("/a?q=1")
    second = await client.ask("/b")
    assert (first.status, first.body.decode()) == (200, "<h1>ä</h1>")
    assert first.headers["x-kind"] == "one"
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert (second.status, second.body) == (410, b"gone")
    assert [(request.path, request.query) for request in site.requests] == [
        ("/a", "q=1"),
        ("/b", ""),
    ]


async def test_what_nobody_put_there_is_not_found(site: Site, client: Client) -> None:
    assert (await client.ask("/nowhere")).status == 404
    assert (await client.ask("/favicon.ico")).status == 404
    assert [request.path for request in site.requests] == ["/nowhere"]


async def test_a_handler_sees_the_whole_request(site: Site, client: Client) -> None:
    async def handler(request: Request) -> Response:
        return Response(f"{request.method} {request.params} {request.form} {request.cookies}")

    site.route("/form", handler)
    answer = await client.ask("/form?a=1&b=", "POST", b"name=Ann+Lee", {"cookie": "k=v"})
    assert answer.body == b"POST {'a': '1', 'b': ''} {'name': 'Ann Lee'} {'k': 'v'}"


async def test_a_page_waits_for_its_event(site: Site, client: Client) -> None:
    gate = asyncio.Event()
    site.page("/slow", "done", delay=gate)
    async with asyncio.TaskGroup() as group:
        answer = group.create_task(client.ask("/slow"))
        await site.wait_asked("/slow")
        assert not answer.done()
        gate.set()
    assert answer.result().body == b"done"


async def test_head_has_no_body(site: Site, client: Client) -> None:
    site.page("/a", "twelve bytes")
    answer = await client.ask("/a", "HEAD")
    assert (answer.headers["content-length"], answer.body) == ("12", b"")


async def test_the_neighbour_is_another_origin(site: Site) -> None:
    site.other.page("/a", "next door")
    async with connect(site.other) as client:
        assert (await client.ask("/a")).body == b"next door"
    assert site.requests == []
    assert site.other.other is site
    assert site.url("/a", host="a.localhost") == f"http://a.localhost:{site.port}/a"
    assert site.port != site.other.port


async def test_files_come_from_below_the_folder_alone(
    site: Site, client: Client, tmp_path: Path
) -> None:
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "a b.css").write_text("p {}")
    (tmp_path / "secret").write_text("secret")
    url = site.files("/docs", tmp_path / "public")
    answer = await client.ask("/docs/a%20b.css")
    assert (answer.body, answer.headers["content-type"]) == (b"p {}", "text/css")
    assert url.endswith("/docs")
    for path in ("/docs/", "/docs/../secret", "/docs/%2e%2e/secret", "/docs/none"):
        assert (await client.ask(path)).status == 404


async def test_a_failed_handler_fails_the_test() -> None:
    async def handler(_request: Request) -> Response:
        raise ValueError("broken")

    with pytest.RaisesGroup(ValueError):
        async with Site.serve() as site:
            site.route("/", handler)
            async with connect(site) as client:
                assert (await client.ask("/")).status == 500


async def test_stopping_ends_what_never_ends() -> None:
    async with Site.serve() as site:
        endpoints.install(site)
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        writer.write(b"GET /never HTTP/1.1\r\nhost: x\r\n\r\n")
        await site.wait_asked("/never")
    assert await _to_end(reader) == b""
    writer.close()


async def test_a_trickle_begins(site: Site, client: Client) -> None:
    client.send(h11.Request(method="GET", target="/trickle", headers=[("host", "x")]))
    client.send(h11.EndOfMessage())
    assert isinstance(await client.event(), h11.Response)
    piece = await client.event()
    assert isinstance(piece, h11.Data)
    assert b"Begun" in bytes(piece.data)


async def test_events_reach_the_listener(site: Site, client: Client) -> None:
    stream = EventStream(site, "/events")
    client.send(h11.Request(method="GET", target="/events", headers=[("host", "x")]))
    client.send(h11.EndOfMessage())
    assert isinstance(await client.event(), h11.Response)
    await client.event()
    async with asyncio.timeout(5):
        await stream.listening.wait()
    stream.send("one\ntwo", event="tick", event_id="7")
    piece = await client.event()
    assert isinstance(piece, h11.Data)
    assert bytes(piece.data) == b"id: 7\nevent: tick\ndata: one\ndata: two\n\n"
    stream.close()
    assert isinstance(await client.event(), h11.EndOfMessage)


async def test_basic_authentication(client: Client) -> None:
    refused = await client.ask("/basic-auth")
    assert refused.status == 401
    assert refused.headers["www-authenticate"].startswith("Basic ")
    secret = base64.b64encode(f"{endpoints.USER}:{endpoints.PASSWORD}".encode()).decode()
    assert (
        await client.ask("/basic-auth", headers={"authorization": f"Basic {secret}"})
    ).status == 200


async def test_downloads_redirects_and_cookies(client: Client) -> None:
    download = await client.ask("/download?name=%C3%A4.txt&size=25")
    assert download.headers["content-disposition"] == "attachment; filename*=UTF-8''%C3%A4.txt"
    assert len(download.body) == 25
    redirect = await client.ask("/redirect?to=/cookies&status=307")
    assert (redirect.status, redirect.headers["location"]) == (307, "/cookies")
    baked = await client.ask("/set-cookie?cookie=a%3Db%3B%20HttpOnly")
    assert baked.headers["set-cookie"] == "a=b; HttpOnly"
    assert (await client.ask("/cookies", headers={"cookie": "a=b"})).body == b"a=b"
    assert b"x-mark: yes" in (await client.ask("/headers", headers={"x-mark": "yes"})).body


@pytest.mark.parametrize("size", [0, 5, 125, 126, 65535, 65536])
async def test_the_socket_echoes_any_length(site: Site, size: int) -> None:
    async with _socket(site) as (reader, writer):
        payload = os.urandom(size)
        writer.write(_frame(0x82, payload))
        assert await _read_frame(reader) == (0x82, payload)


async def test_the_socket_joins_fragments_and_answers_pings(site: Site) -> None:
    async with _socket(site) as (reader, writer):
        writer.write(_frame(0x01, b"he") + _frame(0x89, b"?") + _frame(0x80, b"llo"))
        assert await _read_frame(reader) == (0x8A, b"?")
        assert await _read_frame(reader) == (0x81, b"hello")


async def test_either_side_may_close_the_socket(site: Site) -> None:
    async with _socket(site) as (reader, writer):
        writer.write(_frame(0x81, b"close 4001 enough"))
        assert await _read_frame(reader) == (0x88, struct.pack(">H", 4001) + b"enough")
        writer.write(_frame(0x88, struct.pack(">H", 4001)))
        assert await _to_end(reader) == b""
    async with _socket(site) as (reader, writer):
        writer.write(_frame(0x88, struct.pack(">H", 1000)))
        assert await _read_frame(reader) == (0x88, struct.pack(">H", 1000))
        assert await _to_end(reader) == b""


def test_the_handshake_matches_the_standard() -> None:
    assert WebSocket.accept_key("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


@asynccontextmanager
async def _socket(site: Site) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(
        b"GET /ws HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
        b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    async with asyncio.timeout(5):
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    try:
        yield reader, writer
    finally:
        writer.close()
        await writer.wait_closed()


def _frame(first: int, payload: bytes) -> bytes:
    length = len(payload)
    if length < 126:
        head = struct.pack(">BB", first, 0x80 | length)
    elif length < 1 << 16:
        head = struct.pack(">BBH", first, 0x80 | 126, length)
    else:
        head = struct.pack(">BBQ", first, 0x80 | 127, length)
    mask = b"\x01\x02\x03\x04"
    return head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))


async def _read_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    async with asyncio.timeout(5):
        first, length = await reader.readexactly(2)
        if length == 126:
            (length,) = struct.unpack(">H", await reader.readexactly(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", await reader.readexactly(8))
        return first, await reader.readexactly(length)


async def _to_end(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(5):
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""
