"""Requests and answers as they pass: bodies, connections that last, and what servers do wrong."""

from __future__ import annotations

import asyncio
import hashlib

import pytest

from tests.egress.world import PUBLIC, Running, World, get

POST = "POST http://good.test/up HTTP/1.1\r\nHost: good.test\r\n"


async def test_a_hundred_megabytes_down_without_keeping_them(
    process: Running, world: World
) -> None:
    size, piece = 100 << 20, bytes(range(256)) * 1024

    async def large(_: str, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
        for _at in range(size // len(piece)):
            writer.write(piece)
            await writer.drain()

    world.answer = large
    reader, writer = await process.connect()
    writer.write(get("http://good.test/"))
    await reader.readuntil(b"\r\n\r\n")
    count = 0
    while data := await reader.read(1 << 20):
        count += len(data)
    writer.close()
    assert count == size
    text = await asyncio.to_thread(_status, process.process.pid)
    assert int(text.partition("VmHWM:")[2].split()[0]) < 80 << 10
    assert (await process.counters("s")).received > size


def _status(pid: int) -> str:
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:  # noqa: PTH123
        return file.read()


async def test_bodies_go_up_as_they_come(process: Running, world: World) -> None:
    got: list[bytes] = []

    async def take(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if "chunked" in head:
            body = b""
            while size := int(await reader.readline(), 16):
                body += await reader.readexactly(size)
                await reader.readline()
            assert await reader.readline() == b"\r\n"
        else:
            length = int(head.lower().partition("content-length:")[2].split()[0])
            body = await reader.readexactly(length)
        got.append(body)
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    world.answer = take
    body = bytes(range(256)) * 4096
    chunked = b"".join(
        b"%x;x=y\r\n%b\r\n" % (4096, body[at : at + 4096]) for at in range(0, len(body), 4096)
    )
    chunked += b"0\r\nHost: 10.1.1.1\r\n\r\n"
    reader, writer = await process.connect()
    writer.write(f"{POST}Transfer-Encoding: chunked\r\n\r\n".encode() + chunked)
    writer.write(f"{POST}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    for _ in range(2):
        assert b" 204 " in await reader.readuntil(b"\r\n\r\n")
    writer.close()
    assert [hashlib.sha256(each).digest() for each in got] == [hashlib.sha256(body).digest()] * 2


async def test_connections_last_within_a_session_and_never_beyond(
    process: Running, world: World
) -> None:
    await process.open("other")
    reader, writer = await process.connect()
    for _ in range(5):
        writer.write(get(f"http://{PUBLIC}/", close=False))
        await reader.readuntil(f"{PUBLIC}:80".encode())
    writer.close()
    assert b" 200 OK" in await process.ask(get(f"http://{PUBLIC}/"))
    assert world.dialled() == [(PUBLIC, 80)]
    assert b" 200 OK" in await process.ask(get(f"http://{PUBLIC}/"), "other")
    assert world.dialled() == [(PUBLIC, 80)]


async def test_a_kept_connection_that_died_is_not_the_clients_trouble(
    process: Running, world: World
) -> None:
    async def once(_: str, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        await writer.drain()
        if len(world.heads) % 2 == 0:
            raise ConnectionAbortedError

    world.answer = once
    reader, writer = await process.connect()
    for _ in range(6):
        writer.write(get(f"http://{PUBLIC}/", close=False))
        assert b" 200 OK" in await reader.readuntil(b"\r\n\r\n")
        assert await reader.readexactly(2) == b"ok"
    writer.close()
    assert process.failures() == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
         b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"),
        (b"HTTP/1.0 200 OK\n\nuntil the end", b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;x\r\na\r\n0\r\nSet-Cookie: x\r\n\r\n",
         b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab",
         b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged",
         b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"),
    ],
)  # fmt: skip
async def test_answers_of_every_kind(
    process: Running, world: World, answer: bytes, expected: bytes
) -> None:
    async def speak(_: str, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()
        raise ConnectionAbortedError

    world.answer = speak
    assert await process.ask(get("http://good.test/")) == expected
    # What a server sends unasked answers nobody's next request.
    world.answer = None
    assert b"forged" not in await process.ask(get("http://good.test/"))


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200",
        b"HTTP/1.1 101 X\r\nUpgrade: websocket\r\n\r\n",
        b"\0" * 300_000,
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 40,
    ],
)
async def test_answers_that_are_none(process: Running, world: World, answer: bytes) -> None:
    async def speak(_: str, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()
        raise ConnectionAbortedError

    world.answer = speak
    assert b"HTTP/1.1 502 Bad Gateway" in await process.ask(get("http://good.test/"))
    assert [each.kind for each in process.failures()] == ["broken"]


async def test_an_early_answer_ends_an_upload(process: Running, world: World) -> None:
    async def enough(_: str, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()

    world.answer = enough
    reader, writer = await process.connect()
    writer.write(f"{POST}Content-Length: 1000000000\r\n\r\n".encode() + b"x" * 1000)
    assert b" 413 " in await reader.readuntil(b"\r\n\r\n")
    assert await reader.read() == b""
    writer.close()
