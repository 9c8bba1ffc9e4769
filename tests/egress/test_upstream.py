"""A session's own proxy: judged here first, then asked to connect."""

from __future__ import annotations

import asyncio
import base64
import socket

from stockade.egress.protocol import Rules, Upstream
from stockade.egress.upstream import authorization, refused_by
from tests.egress.test_tunnels import ESTABLISHED, websocket
from tests.egress.world import Running, World, client_hello, connect, get

PROXY = "10.9.9.9"


def test_credentials_are_for_http_proxies_a_header() -> None:
    assert authorization(Upstream("http", "p", 1)) == []
    ((name, value),) = authorization(Upstream("http", "p", 1, "me", "pa:ss"))
    assert name == b"Proxy-Authorization"
    assert base64.b64decode(value.split()[1]) == b"me:pa:ss"
    assert "credentials" in refused_by(407).reason


async def test_an_http_proxy(process: Running, world: World) -> None:
    await process.open("u", Rules(upstream=Upstream("http", PROXY, 8080, "me", "secret")))

    async def proxy(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if head.startswith("CONNECT"):
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            writer.write(await reader.read(10))
        else:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        await writer.drain()

    world.answer = proxy
    assert b"ok" in await process.ask(get("http://good.test/x"), "u")
    hello = client_hello("good.test")
    answer = await process.ask(connect("good.test:443") + hello, "u", until_seen=hello[:10])
    assert answer == ESTABLISHED + hello[:10]
    login = "Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"
    assert world.heads == [
        f"GET http://good.test/x HTTP/1.1\r\nHost: good.test\r\n{login}\r\n",
        f"CONNECT good.test:443 HTTP/1.1\r\nHost: good.test:443\r\n{login}\r\n",
    ]
    assert set(world.dialled()) == {(PROXY, 8080)}
    assert process.verdicts() == []


async def test_the_judgement_stays_ours(process: Running, world: World) -> None:
    world.records["private.test", "A"] = ["10.1.1.1"]
    await process.open("u", Rules(upstream=Upstream("http", PROXY, 8080), exceptions=("nas:80",)))
    for url in (
        "http://10.1.1.1/",
        "http://private.test/",
        "http://unknown.test/",
        "http://x.local/",
    ):
        assert (await process.ask(get(url), "u")).startswith(b"HTTP/1.1 403")
    assert [each.rule for each in process.verdicts()] == ["address", "address", "resolve", "name"]
    assert world.dialled() == []
    # An exception's name is the proxy's to look up.
    assert b" 200 OK" in await process.ask(get("http://nas/"), "u")
    assert world.dialled() == [(PROXY, 8080)]


async def test_a_proxy_that_refuses(process: Running, world: World) -> None:
    await process.open("u", Rules(upstream=Upstream("http", PROXY, 8080, "me", "wrong")))
    await process.open("gone", Rules(upstream=Upstream("socks5", PROXY, 8081)))

    async def refuse(_: str, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()

    world.answer = refuse
    for data, session in (
        (get("http://good.test/"), "u"),
        (connect("good.test:443") + client_hello("good.test"), "u"),
        (get("http://good.test/"), "gone"),
    ):
        assert b"407" not in await process.ask(data, session)
    failures = process.failures()
    assert [each.kind for each in failures] == ["upstream"] * 3
    assert not any("wrong" in each.reason for each in failures)


async def test_a_socks_proxy(process: Running, world: World) -> None:
    """On a port of the far side that is nobody else's."""
    seen: list[bytes] = []

    async def socks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await greet(reader, writer)
            await world.serve(reader, writer)
        except asyncio.IncompleteReadError:
            writer.close()

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, count = await reader.readexactly(2)
        methods = await reader.readexactly(count)
        writer.write(bytes([5, methods[0]]))
        if methods == b"\2":
            _, length = await reader.readexactly(2)
            name = await reader.readexactly(length)
            (length,) = await reader.readexactly(1)
            password = await reader.readexactly(length)
            seen.append(name + b":" + password)
            writer.write(bytes([1, 0 if password == b"secret" else 1]))
        head = await reader.readexactly(4)
        length = 4 if head[3] == 1 else 16 if head[3] == 4 else (await reader.readexactly(1))[0]
        seen.append(await reader.readexactly(length + 2))
        writer.write(b"\5\0\0\3\4here\0\0")

    listener = world.far.do(lambda: socket.create_server((PROXY, 1080)))
    server = await asyncio.start_server(socks, sock=listener)
    try:
        await process.open("u", Rules(upstream=Upstream("socks5", PROXY, 1080, "me", "secret")))
        await process.open("w", Rules(upstream=Upstream("socks5", PROXY, 1080, "me", "wrong")))
        assert b" 200 OK" in await process.ask(get("http://good.test/x"), "u")
        answer = await process.ask(
            connect("good.test:80") + websocket("good.test"), "u", until_seen=b"101"
        )
        assert b" 101 " in answer
        assert (await process.ask(get("http://good.test/"), "w")).startswith(b"HTTP/1.1 502")
    finally:
        server.close()
    assert seen == [b"me:secret", b"good.test\0\x50"] * 2 + [b"me:wrong"]
    assert [each.kind for each in process.failures()] == ["upstream"]
