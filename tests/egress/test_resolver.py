"""Names, asked for at a name server that says what an attacker would."""

from __future__ import annotations

import asyncio
import struct

import pytest

from stockade.egress.failures import Failure
from stockade.egress.protocol import Rules
from stockade.egress.resolver import Found, Memory, Resolver
from tests.egress.corpus.names import HOSTILE_ANSWERS
from tests.egress.test_conversation import REFUSED, all_of
from tests.egress.world import (
    PUBLIC,
    PUBLIC_6,
    Running,
    World,
    get,
    message,
    name_of,
    question_of,
    record,
)
from tests.support.waiting import until


async def test_a_name_with_one_forbidden_address_is_refused(process: Running, world: World) -> None:
    asked = []
    for records in HOSTILE_ANSWERS.values():
        world.records.update(records)
        asked.append(next(iter(records))[0])
    # An allow list never overrides what an address is.
    await process.open("a", Rules(allowed=(tuple(asked),)))
    for session in ("s", "a"):
        answers = await all_of(process, (get(f"http://{name}/") for name in asked), session)
        assert [n for n, a in zip(asked, answers, strict=True) if not a.startswith(REFUSED)] == []
        verdicts = process.verdicts()
        assert len(verdicts) == len(asked)
        assert {each.rule for each in verdicts} == {"address", "name"}
        assert all(each.address for each in verdicts if each.rule == "address")
    assert world.dialled() == []


async def test_a_name_that_changes_its_mind_is_judged_at_every_dial(
    process: Running, world: World
) -> None:
    world.records["re.test", "A"] = [PUBLIC]
    reader, writer = await process.connect()
    for _ in range(2):
        writer.write(get("http://re.test/", close=False))
        assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(len(f"{PUBLIC}:80"))
    world.records["re.test", "A"] = ["10.1.1.1"]
    writer.write(get("http://re.test/"))
    assert (await reader.read()).startswith(REFUSED)
    writer.close()
    assert world.dialled() == [(PUBLIC, 80)]
    assert world.asked.count(("re.test", 1)) == 3


async def test_races_of_rebinding_never_reach_the_second_address(
    process: Running, world: World
) -> None:
    world.records["race.test", "A"] = [PUBLIC]
    turns = [0]

    def turning(data: bytes, plain: bytes) -> list[bytes]:
        name, kind, question = question_of(data)
        if kind != 1:
            return [plain]
        turns[0] += 1
        address = b"\x0a\x01\x01\x01" if turns[0] % 2 else bytes([93, 184, 216, 34])
        return [message(data[:2], question, [record(name, 1, address)])]

    world.behave["race.test"] = turning
    answers = await all_of(process, [get("http://race.test/")] * 300)
    assert {answer[:12] for answer in answers} == {b"HTTP/1.1 200", b"HTTP/1.1 403"}
    assert {address for address, _ in world.dialled()} == {PUBLIC}


async def test_answers_are_kept_for_as_long_as_they_hold(process: Running, world: World) -> None:
    def lasting(data: bytes, plain: bytes) -> list[bytes]:
        name, kind, question = question_of(data)
        records = [record(name, 1, bytes([93, 184, 216, 34]), 300)] if kind == 1 else []
        return [message(data[:2], question, records)]

    world.behave["kept.test"] = lasting
    await process.open("other")
    for session in ("s", "s", "s", "other"):
        assert b" 200 OK" in await process.ask(get("http://kept.test/"), session)
    # No session learns from another's questions.
    assert world.asked.count(("kept.test", 1)) == 2


async def test_hostile_name_servers(process: Running, world: World) -> None:
    def spoofed(data: bytes, plain: bytes) -> list[bytes]:
        """Wrong numbers, wrong questions, no answers at all; then the right one."""
        _, kind, question = question_of(data)
        wrong = bytes([data[0] ^ 1, data[1]])
        bad = [record("spoof.test", 1, b"\x0a\1\1\1")] if kind == 1 else []
        other = name_of("other.test") + struct.pack("!HH", kind, 1)
        return [
            message(wrong, question, bad),
            message(data[:2], other, bad),
            message(data[:2], question, bad, 0x0100),
            b"",
            b"\xff" * 600,
            plain,
        ]

    def circle(data: bytes, _: bytes) -> list[bytes]:
        question = question_of(data)[2]
        records = [
            record("circle.test", 5, name_of("b.test")),
            record("b.test", 5, name_of("circle.test")),
        ]
        return [message(data[:2], question, records)]

    def further(data: bytes, _: bytes) -> list[bytes]:
        """Each answer names another alias."""
        name, question = question_of(data)[0], question_of(data)[2]
        return [message(data[:2], question, [record(name, 5, name_of(f"x.{name}"))])]

    def huge(data: bytes, _: bytes) -> list[bytes]:
        name, question = question_of(data)[0], question_of(data)[2]
        return [message(data[:2], question, [record(name, 1, b"\x0a\1\1\1")] * 1500)]

    def cut(data: bytes, _: bytes) -> list[bytes]:
        return [message(data[:2], question_of(data)[2], [], 0x8380)]

    def failing(data: bytes, _: bytes) -> list[bytes]:
        return [message(data[:2], question_of(data)[2], [], 0x8182)]

    world.behave.update({"spoof.test": spoofed, "circle.test": circle, "huge.test": huge})
    world.behave.update({"cut.test": cut, "fail.test": failing, "further.test": further})
    for _ in range(12):
        world.behave["x." + [n for n in world.behave if n.endswith("further.test")][-1]] = further
    world.records["spoof.test", "A"] = [PUBLIC]
    world.records["cut.test", "A"] = [PUBLIC, *[f"93.184.216.{n}" for n in range(60, 100)]]
    ways = ("spoof", "cut", "circle", "huge", "fail", "further", "none")
    answers = await all_of(process, (get(f"http://{way}.test/") for way in ways))
    assert [answer[9:12] for answer in answers] == [b"200", b"200", *[b"502"] * 5]
    kinds = {each.host.partition(".")[0]: each.kind for each in process.failures()}
    assert kinds == {
        **dict.fromkeys(("circle", "huge", "fail", "further"), "resolver"),
        "none": "name",
    }
    assert {address for address, _ in world.dialled()} <= {
        PUBLIC,
        *[f"93.184.216.{n}" for n in range(60, 100)],
    }


async def test_hints_of_other_records_are_never_asked_for(process: Running, world: World) -> None:
    assert b" 200 OK" in await process.ask(get("http://good.test/"))
    assert {kind for _, kind in world.asked} == {1, 28}


async def test_sites_of_one_family_and_aliases(process: Running, world: World) -> None:
    world.records["six.test", "AAAA"] = [PUBLIC_6]
    world.records["cdn.test", "CNAME"] = ["edge.cdn.example"]
    world.records["edge.cdn.example", "A"] = [PUBLIC]
    world.records["xn--bcher-kva.test", "A"] = [PUBLIC]
    # The first address has nobody behind it, and another is tried.
    world.records["two.test", "A"] = [PUBLIC]
    hosts = ("six.test", "cdn.test", "xn--bcher-kva.test", "two.test", "b%C3%BCcher.test")
    answers = await all_of(process, (get(f"http://{host}/") for host in hosts))
    assert all(b" 200 OK" in answer for answer in answers)
    assert process.verdicts() == []


async def test_the_machines_own_file_comes_first_and_is_no_exception() -> None:
    resolver = Resolver("127.0.0.1:1", hosts="10.0.0.9 nas.test\n")
    assert await resolver.look_up("nas.test", Memory()) == Found(("10.0.0.9",), ("nas.test",))
    resolver.learn("10.0.0.8 nas.test\n", "")
    assert await resolver.look_up("nas.test", Memory()) == Found(("10.0.0.8",), ("nas.test",))


async def test_who_waits_for_the_same_answer_is_not_left_when_the_asker_goes(world: World) -> None:
    """The name server is on this machine's loopback, and slow."""
    loop = asyncio.get_running_loop()
    asked: list[tuple[bytes, tuple[str, int]]] = []

    class Slow(asyncio.DatagramProtocol):
        def datagram_received(self, data: bytes, sender: tuple[str, int]) -> None:
            asked.append((data, sender))

    transport, _ = await loop.create_datagram_endpoint(Slow, local_addr=("127.0.0.1", 0))
    port = transport.get_extra_info("sockname")[1]
    resolver, memory = Resolver(f"127.0.0.1:{port}"), Memory()
    try:
        async with asyncio.timeout(10), asyncio.TaskGroup() as group:
            first = group.create_task(resolver.look_up("slow.test", memory))
            second = group.create_task(resolver.look_up("slow.test", memory))
            await until(lambda: len(asked) >= 2)
            first.cancel()
            await until(lambda: len(asked) >= 4)
            for data, sender in asked:
                name, kind, question = question_of(data)
                records = [record(name, 1, bytes([93, 184, 216, 34]))] if kind == 1 else []
                transport.sendto(message(data[:2], question, records), sender)
            assert (await second).addresses == (PUBLIC,)
    finally:
        transport.close()


async def test_nobody_there_is_a_failure_of_its_own() -> None:
    with pytest.raises(Failure) as failure:
        await Resolver("127.0.0.1:1").look_up("a.test", Memory())
    assert failure.value.kind == "resolver"
