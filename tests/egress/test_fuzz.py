"""Bytes at random, from valid ones: nothing forbidden is dialled, and nobody else notices."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stockade.egress.addresses import why_not_public
from stockade.egress.protocol import Rules
from tests.egress.test_tunnels import websocket
from tests.egress.world import PUBLIC, Running, World, client_hello, connect, get

HOSTS = ["good.test", PUBLIC, "10.1.1.1", "127.0.0.1", "localhost", "[::1]", "169.254.169.254"]
HOSTS += ["private.test", "user@10.1.1.1", "good.test:80@127.0.0.1", "0x7f.1"]
SEEDS = [
    *(get(f"http://{host}/") for host in HOSTS),
    *(get("http://good.test/", close=False) + get(f"http://{host}/") for host in HOSTS),
    *(connect(f"{host}:443") + client_hello("good.test") for host in HOSTS),
    *(connect(f"{host}:80") + websocket(host) for host in HOSTS),
    b"POST http://good.test/ HTTP/1.1\r\nHost: good.test\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"5\r\nhello\r\n0\r\n\r\n" + get("http://10.1.1.1/"),
    b"POST http://good.test/ HTTP/1.1\r\nHost: good.test\r\nContent-Length: 5\r\n\r\nhello"
    + get("http://127.0.0.1/"),
]
PIECES = [
    b"\r\n",
    b"\n",
    b"\r",
    b"\0",
    b" ",
    b"\t",
    b":",
    b"@",
    b"/",
    b"\\",
    b"#",
    b"?",
    b"[",
    b"%00",
]
PIECES += [b"10.1.1.1", b"127.0.0.1", b"http://", b"Host: 10.1.1.1\r\n", b"\r\n\r\n", b"0\r\n\r\n"]
PIECES += [
    b"Content-Length: 3\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"CONNECT ",
    b"\x16\x03\x01",
]


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        piece = draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=6)))
        cut = draw(st.sampled_from([0, 0, 1, len(piece), 40]))
        data[at : at + cut] = piece
    return bytes(data)


async def _sent(process: Running, data: bytes) -> None:
    """Send it and hear no more than the beginning of what comes of it."""
    _, writer = await process.connect("fuzz")
    try:
        writer.write(data)
        writer.write_eof()
        await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def test_nothing_forbidden_is_dialled_whatever_is_sent(
    process: Running, world: World
) -> None:
    world.records["private.test", "A"] = ["10.1.1.1"]
    await process.open("fuzz", Rules(ports=(8080,)))
    loop = asyncio.get_running_loop()
    batches: list[list[bytes]] = []

    @settings(
        max_examples=60, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
    )
    @given(st.lists(mutated(), min_size=5, max_size=15))
    def draw(batch: list[bytes]) -> None:
        batches.append(batch)

    await loop.run_in_executor(None, draw)
    run: Callable[[bytes], Awaitable[None]] = lambda data: _sent(process, data)  # noqa: E731
    for batch in batches:
        await asyncio.gather(*map(run, batch))
    assert b" 200 OK" in await process.ask(get("http://good.test/"))
    assert process.process.alive
    counted = await process.counters("fuzz")
    assert counted.denied > len(batches)
    wrong = [place for place in world.dialled() if why_not_public(place[0]) or place[1] == 22]
    assert wrong == []
    assert process.process.error_output == ""
