"""The process: nothing without a word from the server, and its end when that is gone."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from stockade.egress.protocol import Open, Rules, Start
from tests.egress.world import Running, World, get


@pytest.mark.parametrize(
    "said",
    [
        b"nonsense",
        b'{"type":"start","own":5}',
        b'{"type":"open","session":"s","rules":{}}',
        b"*",
        b"{}",
    ],
)
async def test_what_makes_no_sense_is_its_end(world: World, said: bytes) -> None:
    process = Running(world)
    process.say_raw(said)
    assert await process.process.wait() != 0
    assert "Traceback" not in process.process.error_output
    await process.end()


async def test_a_session_without_a_socket_is_its_end(world: World) -> None:
    process = Running(world)
    process.say(Start())
    process.say(Open("s", Rules()))
    assert await process.process.wait() != 0
    await process.end()


async def test_it_ends_with_its_server_and_every_connection_with_it(world: World) -> None:
    process = Running(world)
    await process.start()
    await process.open("s")
    reader, writer = await process.connect()
    writer.write(b"GET http://good.test/ HTTP/1.1\r\n")
    # Whoever came before has been let in.
    assert b" 200 OK" in await process.ask(get("http://good.test/"))
    assert await process.end() == 0
    with suppress(ConnectionError):
        assert await reader.read() == b""
    writer.close()


async def test_it_has_no_rights_and_is_small(process: Running) -> None:
    assert b" 200 OK" in await process.ask(get("http://good.test/"))
    about = Path(f"/proc/{process.process.pid}")
    status = (about / "status").read_text(encoding="utf-8")
    fields = dict(line.split(":", 1) for line in status.splitlines())
    assert fields["Uid"].split() == ["61002"] * 4
    assert fields["Gid"].split() == ["61002"] * 4
    assert fields["Groups"].split() == []
    assert int(fields["CapEff"], 16) == 0
    memory = (about / "smaps_rollup").read_text(encoding="utf-8")
    dirty = int(memory.partition("Private_Dirty:")[2].split()[0])
    assert dirty < 24 << 10


async def test_reopened_it_knows_the_new_rules_alone(process: Running, world: World) -> None:
    await process.open("s", Rules(closed=True))
    assert (await process.ask(get("http://good.test/"))).startswith(b"HTTP/1.1 403")
    await process.admit("nobody", "http://good.test")
    assert (await process.counters("nobody")).requests == 0
    assert world.dialled() == []
