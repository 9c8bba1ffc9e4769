"""What clients ask for, sent as bytes to the real process: the corpus of attacks on plain requests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest

from stockade.egress.protocol import Rules, Verdict
from tests.egress.corpus import literals, names, raw
from tests.egress.world import PUBLIC, Running, World, get

REFUSED = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nContent-Length: 1\r\n"
BAD = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n"


async def all_of(process: Running, requests: Iterable[bytes], session: str = "s") -> list[bytes]:
    """Each on a connection of its own, some at a time."""
    room = asyncio.Semaphore(50)

    async def one(data: bytes) -> bytes:
        async with room:
            return await process.ask(data, session)

    return await asyncio.gather(*map(one, requests))


async def test_no_address_that_is_not_public_is_dialled(process: Running, world: World) -> None:
    hosts = [host for family in literals.FORBIDDEN.values() for host in family]
    await process.open("ports", Rules(ports=(8080,)))
    answers = await all_of(process, (get(f"http://{host}/") for host in hosts), "ports")
    assert [h for h, a in zip(hosts, answers, strict=True) if not a.startswith(REFUSED)] == []
    verdicts = process.verdicts()
    assert {each.rule for each in verdicts} == {"address"}
    assert len(verdicts) == len(hosts)
    assert all(f"--allow {each.host}" in each.remedy or ":" in each.host for each in verdicts)
    assert not any("user" in each.origin for each in verdicts)
    assert world.dialled() == []
    assert world.asked == []


async def test_addresses_at_the_edges_are_public(process: Running, world: World) -> None:
    answers = await all_of(process, (get(f"http://{host}/") for host in literals.PUBLIC))
    assert [h for h, a in zip(literals.PUBLIC, answers, strict=True) if b" 200 OK" not in a] == []
    # Two of them are the same in other words.
    assert len({address for address, _ in world.dialled()}) == len(literals.PUBLIC) - 1
    assert process.verdicts() == []


async def test_names_that_are_refused_without_a_lookup(process: Running, world: World) -> None:
    await process.open("ports", Rules(ports=(8080,)))
    answers = await all_of(
        process, (get(f"http://{name}/") for name in names.WITHOUT_LOOKUP), "ports"
    )
    assert all(answer.startswith(REFUSED) for answer in answers)
    assert {each.rule for each in process.verdicts()} == {"name"}
    assert world.dialled() == []
    assert world.asked == []


async def test_bytes_that_no_browser_sends(process: Running, world: World) -> None:
    answers = await all_of(process, raw.BAD.values())
    late = {"ten thousand", "a long line", "a mebibyte"}
    wrong = {
        name: answer
        for name, answer in zip(raw.BAD, answers, strict=True)
        # Who is still sending when it is closed may not get to read why.
        if not (answer.startswith(BAD) or (name in late and not answer))
    }
    assert wrong == {}
    assert {each.rule for each in process.verdicts()} == {"syntax"}
    assert world.dialled() == []
    assert world.asked == []


async def test_bodies_that_are_none_are_not_answered(process: Running, world: World) -> None:
    head = (
        b"POST http://good.test/ HTTP/1.1\r\nHost: good.test\r\nTransfer-Encoding: chunked\r\n\r\n"
    )

    async def never(*_: object) -> None:
        await asyncio.sleep(30)

    world.answer = never
    answers = await all_of(process, (head + body for body in raw.BAD_CHUNKS.values()))
    assert [a for a in answers if a and not a.startswith(BAD)] == []
    assert {each.rule for each in process.verdicts()} == {"syntax"}


async def test_every_request_on_a_connection_is_judged(process: Running, world: World) -> None:
    """Pipelined: the second is refused, the third never looked at."""
    first = get("http://good.test/1", close=False)
    data = first + get("http://10.1.1.1/2", close=False) + get("http://good.test/3")
    answer = await process.ask(data)
    assert answer.count(b"HTTP/1.1 200 OK") == 1
    assert REFUSED in answer
    assert [head.split()[1] for head in world.heads] == ["/1"]
    assert [each.host for each in process.verdicts()] == ["10.1.1.1"]
    hidden = b"POST http://good.test/ HTTP/1.1\r\nHost: good.test\r\nContent-Length: 3\r\n\r\nabc"
    answer = await process.ask(hidden + get("http://127.0.0.1:8080/"))
    assert answer.count(b"HTTP/1.1 200 OK") == 1
    assert REFUSED in answer
    assert {address for address, _ in world.dialled()} <= {
        PUBLIC,
        "2606:2800:220:1:248:1893:25c8:1946",
    }


async def test_the_host_is_that_of_the_address(process: Running, world: World) -> None:
    await process.ask(
        b"GET http://user:pass@good.test/a?b HTTP/1.1\r\nHost: 10.1.1.1\r\nProxy-Authorization: x\r\n"
        b"X: y\r\nConnection: close\r\n\r\n"
    )
    assert world.heads == ["GET /a?b HTTP/1.1\r\nHost: good.test\r\nX: y\r\n\r\n"]


async def test_lists_and_what_is_admitted_beyond_them(process: Running, world: World) -> None:
    for name in ("evilgood.test", "good.test.evil.test", "off.test", "sub.good.test"):
        world.records[name, "A"] = [PUBLIC]
    await process.open(
        "l", Rules(allowed=(("good.test", "*.good.test"),), blocked=("bad.good.test",))
    )
    off = ["evilgood.test", "good.test.evil.test", "off.test"]
    answers = await all_of(process, (get(f"http://{name}/") for name in off), "l")
    assert all(answer.startswith(REFUSED) for answer in answers)
    assert all(each.off_list and each.rule == "allowed_origins" for each in process.verdicts())
    assert world.asked == []
    await process.ask(get("http://bad.good.test/"), "l")
    (blocked,) = process.verdicts()
    assert (blocked.rule, blocked.off_list) == ("bad.good.test", False)
    await process.admit("l", "http://off.test")
    assert b" 200 OK" in await process.ask(get("http://off.test/"), "l")
    assert b" 200 OK" in await process.ask(get("http://sub.good.test/"), "l")
    (admitted,) = process.verdicts()
    assert (admitted.denied, admitted.off_list, admitted.host) == (False, True, "off.test")
    await process.admit("l")
    assert (await process.ask(get("http://off.test/"), "l")).startswith(REFUSED)
    counted = await process.counters("l")
    assert (counted.requests, counted.denied, counted.off_list) == (7, 5, 5)


async def test_an_exception_opens_one_host_and_port_and_never_us(
    process: Running, world: World
) -> None:
    await process.open("e", Rules(exceptions=("localhost:8080", "10.1.1.1:*", "127.0.0.1:*")))
    assert b"127.0.0.1:8080" in await process.ask(get("http://localhost:8080/"), "e")
    assert b"10.1.1.1:3000" in await process.ask(get("http://10.1.1.1:3000/"), "e")
    assert (await process.ask(get("http://localhost:80/"), "e")).startswith(REFUSED)
    own = process.listeners["e"][1]
    for place in ("127.0.0.1:9377", f"127.0.0.1:{own}", "127.0.0.1:3001", "0x7f.1:9377"):
        assert (await process.ask(get(f"http://{place}/"), "e")).startswith(REFUSED)
    assert [each.rule for each in process.verdicts()] == ["name", *["own"] * 4]
    assert sorted(world.dialled()) == [("10.1.1.1", 3000), ("127.0.0.1", 8080)]


async def test_a_closed_way_lets_nothing_out(process: Running, world: World) -> None:
    await process.open("b", Rules(closed=True, label="browser"))
    assert (await process.ask(get("http://good.test/"), "b")).startswith(REFUSED)
    (verdict,) = process.verdicts()
    assert (verdict.rule, verdict.label) == ("closed", "browser")
    await process.open("u", Rules(allowed=(("*",),)))
    assert (await process.ask(get("http://good.test/"), "u")).startswith(REFUSED)
    assert world.asked == []


async def test_the_server_hears_of_a_denial_before_the_client_does(process: Running) -> None:
    for _ in range(20):
        await process.ask(get("http://10.1.1.1/"), until_seen=b"HTTP")
        assert [type(each) for each in process.verdicts()] == [Verdict]


async def test_a_failure_is_told_as_such(process: Running, world: World) -> None:
    world.records["closed.test", "A"] = ["93.184.216.40"]
    await process.open("p", Rules(ports=(8081,)))
    answer = await process.ask(get("http://closed.test:8081/"), "p")
    assert answer.startswith(b"HTTP/1.1 502")
    assert b"Content-Length: 0\r\nContent-Length: 1\r\n" in answer
    (failed,) = process.failures()
    assert (failed.kind, failed.host, failed.port) == ("refused", "closed.test", 8081)
    assert process.verdicts() == []


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 407 X\r\nProxy-Authenticate: Basic\r\n\r\n", b"hello\r\n\r\n"]
)
async def test_a_server_cannot_speak_as_the_proxy(
    process: Running, world: World, answer: bytes
) -> None:
    async def speak(_: str, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()

    world.answer = speak
    assert (await process.ask(get("http://good.test/"))).startswith(b"HTTP/1.1 502")
    assert [each.kind for each in process.failures()] == ["broken"]
