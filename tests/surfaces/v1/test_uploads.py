"""Uploads: whole or not at all, and never more than there is room for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from anyio import to_thread
from starlette.datastructures import Headers
from starlette.types import Message

from stockade.errors import BadRequest, RequestTooLarge, RequestTooSlow, StockadeError
from stockade.surfaces.v1 import uploads
from stockade.surfaces.v1.uploads import Incoming, is_upload
from tests.support.serving import Served

PLACE = "/v1/sessions/default/artifacts"


@pytest.mark.parametrize(
    ("method", "path", "upload"),
    [
        ("PUT", f"{PLACE}/a", True),
        ("PUT", f"{PLACE}/a/b\nc", True),
        ("POST", f"{PLACE}/a", False),
        ("PUT", PLACE, False),
        ("PUT", f"{PLACE}/", False),
        ("PUT", "/v1/keys", False),
        ("PUT", f"/x{PLACE}/a", False),
    ],
)
def test_only_one_route_takes_files(method: str, path: str, upload: bool) -> None:
    assert is_upload({"method": method, "path": path}) is upload


async def read(messages: list[Message], headers: dict[str, str] | None = None) -> bytes:
    pending = list(reversed(messages))

    async def receive() -> Message:
        return pending.pop()

    source = Incoming(receive, Headers(headers or {}), 100)
    return await to_thread.run_sync(source.buffered().read)


def piece(body: bytes, *, more: bool = True) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


async def test_pieces_become_a_file() -> None:
    assert await read([piece(b"ab"), piece(b""), piece(b"c"), piece(b"", more=False)]) == b"abc"
    assert await read([piece(b"", more=False)]) == b""
    assert await read([piece(b"x" * 100, more=False)]) == b"x" * 100


@pytest.mark.parametrize(
    ("messages", "headers", "error"),
    [
        ([piece(b"x" * 60), piece(b"x" * 60)], {}, RequestTooLarge),
        ([], {"content-length": "101"}, RequestTooLarge),
        ([], {"content-length": "-1"}, RequestTooLarge),
        ([piece(b"x"), {"type": "http.disconnect"}], {}, BadRequest),
        ([], {"content-encoding": "gzip"}, BadRequest),
    ],
)
async def test_what_is_not_whole_is_refused(
    messages: list[Message], headers: dict[str, str], error: type[StockadeError]
) -> None:
    with pytest.raises(error):
        await read(messages, headers)


async def test_a_file_that_does_not_come_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(uploads, "_PIECE_SECONDS", 0.01)

    async def receive() -> Message:
        await to_thread.run_sync(lambda: None)
        await asyncio.Event().wait()
        return {}

    source = Incoming(receive, Headers({}), 10)
    with pytest.raises(RequestTooSlow):
        await to_thread.run_sync(source.buffered().read)


async def test_a_large_file_is_not_held_in_memory(mighty_server: Served) -> None:
    size = 24 * 1024 * 1024

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(size >> 16):
            yield b"x" * 65536

    answer = await mighty_server.client.put(f"{PLACE}/large", content=pieces())
    assert answer.status_code == 201, answer.text
    assert answer.json()["artifact"]["bytes"] == size
    await mighty_server.client.delete(f"{PLACE}/large")


async def test_what_is_too_large_leaves_nothing(mighty_server: Served) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(600):
            yield b"x" * 65536

    for content in (pieces(), b"x" * 32_000_001):
        answer = await mighty_server.client.put(f"{PLACE}/huge", content=content)
        assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")
    assert (await mighty_server.client.get(f"{PLACE}/huge")).status_code == 404
    assert (await mighty_server.client.get("/health")).status_code == 200


async def test_a_client_that_leaves_leaves_nothing(mighty_server: Served) -> None:
    head = (
        f"PUT {PLACE}/half HTTP/1.1\r\nHost: {mighty_server.authority}\r\n"
        f"Authorization: Bearer {mighty_server.token}\r\nContent-Length: 1000\r\n\r\nonly this"
    )
    _, writer = await asyncio.open_connection("127.0.0.1", mighty_server.port)
    writer.write(head.encode())
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    assert (await mighty_server.client.get(f"{PLACE}/half")).status_code == 404
