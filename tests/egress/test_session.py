"""Sessions: what one does is no other's concern."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from stockade.egress.limits import CONNECTIONS
from stockade.egress.protocol import Rules
from tests.egress.world import Running, World, connect, get
from tests.support.waiting import until


async def timed(process: Running, session: str, count: int) -> list[float]:
    found = []
    for _ in range(count):
        begun = time.perf_counter()
        assert b" 200 OK" in await process.ask(get("http://93.184.216.34/"), session)
        found.append(time.perf_counter() - begun)
    return found


async def test_half_open_connections_of_one_take_nothing_from_another(
    process: Running, world: World
) -> None:
    """Slow heads, tunnels that say nothing, and more connections than a session may have."""
    await process.open("bad")
    await process.open("good")
    held = []
    for at in range(CONNECTIONS + 100):
        reader, writer = await process.connect("bad")
        writer.write(connect("good.test:443") if at % 2 else b"GET http://good.test/ HTTP/1.1\r\nX")
        held.append((reader, writer))
    await timed(process, "good", 20)
    cut = 0
    for reader, _ in held[CONNECTIONS:]:
        try:
            async with asyncio.timeout(5):
                cut += await reader.read() == b""
        except ConnectionError:
            cut += 1
    assert cut == 100
    for _, writer in held:
        writer.transport.abort()
    await until(lambda: _answers(process))
    assert world.dialled()


async def _answers(process: Running) -> bool:
    return b" 200 OK" in await process.ask(get("http://93.184.216.34/"), "bad")


async def test_who_is_too_slow_is_cut_off(process: Running, world: World) -> None:
    """The time for a head is a matter of the clock, which is not waited for here: see `Stream`."""
    for _ in range(30):
        # It may be let in just when the session closes.
        reader, writer = await process.connect()
        try:
            writer.write(b"GET http://good.test/ HTTP/1.1\r\n")
            await process.close_session("s")
            async with asyncio.timeout(5):
                with suppress(ConnectionError):
                    assert await reader.read() == b""
        finally:
            writer.close()
        await process.open("s")


async def test_a_storm_of_denials_is_summed_up_and_counted(process: Running) -> None:
    async def some(count: int) -> None:
        for _ in range(count):
            await process.ask(get("http://10.1.1.1/"))

    await asyncio.gather(*(some(50) for _ in range(20)))
    assert (await process.counters("s")).denied == 1000
    verdicts = process.verdicts()
    assert sum(each.times for each in verdicts) == 1000


async def test_closing_one_ends_its_connections(process: Running, world: World) -> None:
    await process.open("gone", Rules(exceptions=("localhost:3000",)))
    reader, writer = await process.connect("gone")
    writer.write(connect("localhost:3000"))
    writer.write(
        b"GET / HTTP/1.1\r\nHost: localhost:3000\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n"
    )
    await reader.readuntil(b"101")
    await process.close_session("gone")
    with suppress(ConnectionError):
        assert await reader.read()
    writer.close()
    del process.listeners["gone"]
    assert b" 200 OK" in await process.ask(get("http://good.test/"))
