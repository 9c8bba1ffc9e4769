"""Tunnels: what may be asked for, and what may go through."""

from __future__ import annotations

import asyncio

from stockade.egress.protocol import Rules
from tests.egress.corpus import raw
from tests.egress.test_conversation import all_of
from tests.egress.world import (
    PUBLIC,
    PUBLIC_6,
    Running,
    World,
    client_hello,
    connect,
    get,
    trusting,
)
from tests.support.waiting import until

ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
WEBSOCKET = "GET /chat HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"


def websocket(host: str) -> bytes:
    return WEBSOCKET.format(host).encode()


async def test_tunnels_that_may_not_be_asked_for(process: Running, world: World) -> None:
    answers = await all_of(process, map(connect, raw.TUNNELS))
    status = {"syntax": b"HTTP/1.1 400 "}
    wrong = [
        place
        for (place, rule), answer in zip(raw.TUNNELS.items(), answers, strict=True)
        if not answer.startswith(
            status.get(rule, b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nC")
        )
    ]
    assert wrong == []
    assert sorted(each.rule for each in process.verdicts()) == sorted(raw.TUNNELS.values())
    assert world.dialled() == []


async def test_what_may_not_go_through_a_tunnel(process: Running, world: World) -> None:
    """By place and first bytes: nothing is dialled for any of them."""
    await process.open("p", Rules(ports=(8443,)))
    hello = client_hello("good.test")
    cases = [
        ("good.test:443", client_hello("10.1.1.1.test")),
        ("good.test:443", client_hello("evil.test")),
        ("good.test:443", client_hello("sub.good.test")),
        ("good.test:443", client_hello(None)),
        (f"{PUBLIC}:443", client_hello("good.test")),
        (f"[{PUBLIC_6}]:443", client_hello("good.test")),
        ("good.test:443", b"GET / HTTP/1.1\r\nHost: good.test\r\n\r\n"),
        ("good.test:443", websocket("good.test:443")),
        ("good.test:443", b"SSH-2.0-OpenSSH\r\n"),
        ("good.test:443", b"\x16\x03\x01\x00\x05\x02\x00\x00\x01\x00"),
        ("good.test:443", hello[:5] + b"\x02" + hello[6:]),
        ("good.test:443", b"\x16\x03\x01\x40\x00\x01\x00\xff\xff" + b"\0" * 17000),
        ("good.test:80", hello),
        ("good.test:80", b"GET / HTTP/1.1\r\nHost: good.test\r\n\r\n"),
        ("good.test:80", websocket("10.1.1.1")),
        ("good.test:80", websocket("good.test:81")),
        ("good.test:80", websocket("good.test").replace(b"GET /chat", b"GET http://10.1.1.1/")),
        ("good.test:80", websocket("good.test").replace(b"GET", b"POST")),
        ("good.test:80", websocket("good.test").replace(b"websocket", b"h2c")),
        ("good.test:80", websocket("good.test").replace(b"\r\n", b"\n")),
        ("good.test:80", websocket("good.test\r\nHost: 10.1.1.1")),
        ("good.test:80", b"PUT /x HTTP/1.1\r\n\r\n"),
        ("good.test:80", b"\x05\x01\x00"),
        ("good.test:8443", client_hello("evil.test")),
        ("good.test:8443", b"GET / HTTP/1.1\r\nHost: good.test:8443\r\n\r\n"),
        ("good.test:8443", b"EHLO x\r\n"),
    ]
    answers = await all_of(process, (connect(place) + first for place, first in cases), "p")
    assert set(answers) == {ESTABLISHED}
    assert [each.rule for each in process.verdicts()] == ["tls"] * len(cases)
    assert world.dialled() == []


async def _tls(process: Running, place: str, name: str | None, session: str = "s") -> bytes:
    reader, writer = await process.connect(session)
    writer.write(connect(place))
    assert await reader.readuntil(b"\r\n\r\n") == ESTABLISHED
    await writer.start_tls(trusting(), server_hostname=name)
    writer.write(b"GET /secret HTTP/1.1\r\nHost: x\r\n\r\n")
    answer = await reader.readuntil(b"\r\n\r\n")
    writer.close()
    return answer


async def test_tls_goes_through(process: Running, world: World) -> None:
    await process.open("p", Rules(ports=(8443,)))
    assert b" 200 OK" in await _tls(process, "good.test:443", "good.test")
    assert b" 200 OK" in await _tls(process, f"{PUBLIC}:443", None)
    assert b" 200 OK" in await _tls(process, f"[{PUBLIC_6}]:443", None)
    assert b" 200 OK" in await _tls(process, "good.test:8443", "good.test", "p")
    assert b" 200 OK" in await _tls(process, "GOOD.test.:443", "good.test")
    assert len(world.dialled()) == 5
    assert process.verdicts() == []
    counted = await process.counters("s")
    assert counted.sent > 500
    assert counted.received > 500


async def test_a_tunnel_is_dialled_only_after_it_said_what_it_is(
    process: Running, world: World
) -> None:
    reader, writer = await process.connect()
    writer.write(connect("good.test:443"))
    assert await reader.readuntil(b"\r\n\r\n") == ESTABLISHED
    hello = client_hello("good.test")
    for byte in range(0, len(hello) - 1, 50):
        writer.write(hello[byte : min(byte + 50, len(hello) - 1)])
        await writer.drain()
    assert b" 200 OK" in await process.ask(get(f"http://{PUBLIC}/"))
    assert (PUBLIC_6, 443) not in world.dialled()
    writer.write(hello[-1:])
    await until(lambda: (PUBLIC_6, 443) in world.reached)
    writer.close()


async def test_websockets_go_through(process: Running, world: World) -> None:
    await process.open("e", Rules(exceptions=("localhost:3000",)))
    plain = (
        "GET http://good.test/chat HTTP/1.1\r\n"
        + WEBSOCKET.format("good.test").partition("\r\n")[2]
    )
    for session, opening, seen in (
        ("s", connect("good.test:80") + websocket("good.test"), 2),
        ("e", connect("localhost:3000") + websocket("localhost:3000"), 2),
        ("s", plain.encode(), 1),
    ):
        reader, writer = await process.connect(session)
        writer.write(opening)
        heads = [await reader.readuntil(b"\r\n\r\n") for _ in range(seen)]
        assert b" 101 " in heads[-1]
        writer.write(b"ping" * 10_000)
        assert await reader.readexactly(40_000) == b"ping" * 10_000
        writer.write_eof()
        assert await reader.read() == b""
        writer.close()
    assert process.verdicts() == []


async def test_a_websocket_that_is_refused_leaves_no_way_behind(
    process: Running, world: World
) -> None:
    """What follows a refused upgrade never reaches the server."""

    async def refuse(_: str, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 426 No\r\nContent-Length: 2\r\n\r\nno")
        await writer.drain()

    world.answer = refuse
    second = b"GET /admin HTTP/1.1\r\nHost: other.test\r\n\r\n"
    answer = await process.ask(connect("good.test:80") + websocket("good.test") + second)
    assert answer.endswith(b"HTTP/1.1 426 No\r\nContent-Length: 2\r\n\r\nno")
    assert [head.split()[1] for head in world.heads] == ["/chat"]


async def test_the_scheme_of_a_list_counts(process: Running, world: World) -> None:
    await process.open("l", Rules(allowed=(("https://good.test:8443", "http://good.test"),)))
    assert b" 200 OK" in await _tls(process, "good.test:8443", "good.test", "l")
    world.dialled()
    answer = await process.ask(connect("good.test:8443") + websocket("good.test:8443"), "l")
    assert answer == ESTABLISHED
    assert (await process.ask(connect("good.test:443"), "l")).startswith(b"HTTP/1.1 403")
    assert [each.rule for each in process.verdicts()] == ["allowed_origins"] * 2
    assert world.dialled() == []
