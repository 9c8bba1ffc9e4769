"""Connections: what a client can make the server hold has limits."""

from __future__ import annotations

import asyncio
import json
import re
import socket

import pytest

from stockade.surfaces import connection
from tests.support.serving import WAIT_SECONDS, Served, until


def body_of(answer: bytes) -> dict[str, object]:
    found: dict[str, object] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return found


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nA: \x00\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
)
async def test_what_is_not_http_gets_the_shape_of_every_error(
    server: Served, request_bytes: bytes
) -> None:
    answer = await server.raw(request_bytes)
    assert answer.startswith(b"HTTP/1.1 400 ")
    body = body_of(answer)
    assert body["ok"] is False
    assert body["code"] == "bad_request"
    assert b"x-content-type-options: nosniff" in answer
    assert answer.count(b"HTTP/1.1") == 1


async def test_headers_have_a_limit_in_size(server: Served) -> None:
    head = f"GET /health HTTP/1.1\r\nHost: {server.authority}\r\nA: ".encode()
    whole = await server.raw(head + b"x" * 40_000 + b"\r\n\r\n")
    assert whole.startswith(b"HTTP/1.1 431 ")
    assert body_of(whole)["code"] == "headers_too_large"


@pytest.mark.parametrize("piece", [b"x" * 20_000, b"y\r\nA: b" * 3000])
async def test_a_head_that_never_ends_is_refused_before_its_end(
    server: Served, piece: bytes
) -> None:
    """One long value, which the parser would gather by itself, and many short ones."""
    head = f"GET /health HTTP/1.1\r\nHost: {server.authority}\r\nA: ".encode()
    answer = await server.raw(head, piece, piece)
    assert answer.startswith(b"HTTP/1.1 431 ")


async def test_headers_have_a_limit_in_number(server: Served) -> None:
    head = f"GET /health HTTP/1.1\r\nHost: {server.authority}\r\n".encode()
    answer = await server.raw(head + b"".join(b"A%d: b\r\n" % n for n in range(150)) + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 431 ")


async def test_a_slow_head_is_not_waited_for(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_HEAD_SECONDS", 0.05)
    answer = await server.raw(b"GET /health HTTP/1.1\r\nHost: local")
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert body_of(answer)["code"] == "request_too_slow"


async def test_who_says_nothing_is_left(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_HEAD_SECONDS", 0.05)
    assert await server.raw() == b""


async def test_a_slow_second_head_is_not_waited_for_either(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    async with asyncio.timeout(WAIT_SECONDS):
        writer.write(f"GET /health HTTP/1.1\r\nHost: {server.authority}\r\n\r\n".encode())
        await reader.readuntil(b'"uptime"')
        monkeypatch.setattr(connection, "_HEAD_SECONDS", 0.05)
        writer.write(b"\r\nGET /hea")
        rest = await reader.read()
    writer.close()
    assert b"HTTP/1.1 408 " in rest


async def test_an_upgrade_is_answered_as_if_not_asked_for(server: Served) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        f"GET /health HTTP/1.1\r\nHost: {server.authority}\r\nConnection: upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    async with asyncio.timeout(WAIT_SECONDS):
        answer = await reader.readuntil(b'"uptime"')
    writer.close()
    assert answer.startswith(b"HTTP/1.1 200 ")


async def test_requests_one_after_another_are_answered_in_order(server: Served) -> None:
    head = f"HTTP/1.1\r\nHost: {server.authority}\r\n"
    answer = await server.raw(
        f"GET /health {head}\r\nGET /no {head}\r\nGET / {head}Connection: close\r\n\r\n".encode()
    )
    assert re.findall(rb"HTTP/1\.1 (\d+) ", answer) == [b"200", b"401", b"200"]


async def test_a_body_that_goes_on_for_ever_is_cut_off(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_LARGEST_WASTE", 1_000_000)
    with pytest.raises(ConnectionError):
        await server.raw(
            f"POST /v1/keys HTTP/1.1\r\nHost: {server.authority}\r\n"
            "Content-Length: 100000000\r\n\r\n".encode(),
            *[b"x" * 100_000] * 1000,
        )


async def test_who_does_not_read_is_dropped(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_STALL_SECONDS", 0.05)
    head = f"GET /console/style.css HTTP/1.1\r\nHost: {server.authority}\r\n\r\n".encode()
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        deaf.connect(("127.0.0.1", server.port))
        deaf.setblocking(False)

        def dropped() -> bool:
            try:
                deaf.send(head)
            except BlockingIOError:
                return False
            except ConnectionError:
                return True
            return False

        deaf.send(head * 2000)
        await until(dropped)
    assert (await server.client.get("/health")).status_code == 200
