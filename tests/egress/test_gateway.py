"""The server's hold on the egress process: what it is told, and that it never stays away."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from stockade.egress import gateway as module
from stockade.egress.child import Child
from stockade.egress.gateway import Gateway, Way
from stockade.egress.protocol import Failed, Rules, Verdict
from stockade.errors import BrowserGone, LaunchFailed
from tests.support.leaks import alive
from tests.support.site import Site
from tests.support.waiting import until

UID = 61002
LOCAL = ("127.0.0.1:*", "localhost:*")
_names = count(1)


@dataclass
class Heard:
    """The verdicts of a way, in order."""

    verdicts: list[Verdict] = field(default_factory=list)

    def __call__(self, said: Verdict | Failed) -> None:
        assert isinstance(said, Verdict)
        self.verdicts.append(said)

    @property
    def rules(self) -> list[str]:
        return [each.rule for each in self.verdicts if each.denied]


@pytest.fixture(scope="module")
async def gateway() -> AsyncIterator[Gateway]:
    async with Gateway(uid=UID) as gateway:
        yield gateway


@pytest.fixture
async def open_way(gateway: Gateway) -> AsyncIterator[Callable[..., object]]:
    ways: list[Way] = []

    async def opened(rules: Rules) -> tuple[Way, Heard]:
        heard = Heard()
        ways.append(await gateway.open(f"ses_{next(_names)}", rules, heard))
        return ways[-1], heard

    yield opened
    for way in ways:
        await way.close()


async def asked(way: Way, url: str) -> bytes:
    """What a program gets that asks for an address on that way."""
    port = int(way.address.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(10):
            writer.write(f"GET {url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


Opens = Callable[[Rules], "asyncio.Future[tuple[Way, Heard]]"]


async def test_each_way_has_its_rules_and_hears_its_own_verdicts(
    open_way: Opens, gateway: Gateway, site: Site
) -> None:
    site.page("/", "<title>Home</title>")
    free, free_heard = await open_way(Rules(exceptions=LOCAL))
    bound, bound_heard = await open_way(Rules(ports=(site.port,)))
    before = dict(gateway.denied)
    assert b"<title>Home</title>" in await asked(free, site.url("/"))
    assert b"Home" not in await asked(bound, site.url("/"))
    bound.catch_up()
    assert len(site.asked("/")) == 1
    assert free_heard.verdicts == []
    (verdict,) = bound_heard.verdicts
    assert (verdict.rule, verdict.port, verdict.denied) == ("address", site.port, True)
    assert f"--allow 127.0.0.1:{site.port}" in verdict.remedy
    assert gateway.denied["address", "page"] == before.get(("address", "page"), 0) + 1


async def test_what_a_browser_does_by_itself_gets_nowhere(gateway: Gateway, site: Site) -> None:
    before = gateway.denied["closed", "browser"]
    closed = gateway._ways[_closed(gateway)]
    await asked(closed, site.url("/"))
    assert site.requests == []
    await until(lambda: gateway.denied["closed", "browser"] == before + 1)


def _closed(gateway: Gateway) -> str:
    assert gateway.closed() == gateway.closed()
    return "browser"


async def test_an_origin_is_admitted_until_it_is_not(open_way: Opens, site: Site) -> None:
    site.page("/", "<title>Home</title>")
    way, heard = await open_way(Rules(allowed=(("allowed.test",),), exceptions=LOCAL))
    assert b"Home" not in await asked(way, site.url("/"))
    await way.admit([site.url("")])
    assert b"Home" in await asked(way, site.url("/"))
    await way.admit([])
    assert b"Home" not in await asked(way, site.url("/"))
    way.catch_up()
    assert [(each.denied, each.off_list) for each in heard.verdicts] == [
        (True, True),
        (False, True),
        (True, True),
    ]
    assert heard.rules == ["allowed_origins"] * 2


async def test_thousands_of_origins_are_told_in_one_piece(open_way: Opens, site: Site) -> None:
    site.page("/", "<title>Home</title>")
    many = tuple(f"https://{'x' * 60}.{'y' * 60}{number}.test" for number in range(5000))
    way, _ = await open_way(Rules(allowed=((*many, f"127.0.0.1:{site.port}"),), exceptions=LOCAL))
    await way.admit(many)
    assert b"Home" in await asked(way, site.url("/"))
    await asked(way, site.other.url("/"))
    assert site.other.requests == []


async def test_a_dead_process_is_replaced_by_one_that_knows_the_same(
    open_way: Opens, gateway: Gateway, site: Site
) -> None:
    site.page("/", "<title>Home</title>")
    rules = Rules(allowed=(("allowed.test",),), exceptions=LOCAL)
    way, heard = await open_way(rules)
    await way.admit([site.url("")])
    address, restarts = way.address, gateway.restarts
    assert gateway.child is not None
    first = gateway.child.pid
    async with asyncio.timeout(5):
        os.kill(first, signal.SIGKILL)
        # It connects to whoever listens there next.
        assert b"Home" in await asked(way, site.url("/")) or b"Home" in await asked(
            way, site.url("/")
        )
    assert way.address == address
    assert gateway.child.pid != first
    assert gateway.restarts == restarts + 1
    await way.settled()
    assert gateway.trouble == ""
    await asked(way, site.other.url("/"))
    assert site.other.requests == []
    way.catch_up()
    assert heard.rules == ["allowed_origins"]


async def test_while_there_is_no_process_nothing_gets_out(
    open_way: Opens, gateway: Gateway, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.page("/", "<title>Home</title>")
    way, _ = await open_way(Rules(exceptions=LOCAL))
    tried: list[int] = []

    def cannot_start(*_: object) -> Child:
        tried.append(1)
        raise LaunchFailed("there is no memory")

    assert gateway.child is not None
    with monkeypatch.context() as patch:
        patch.setattr(module, "Child", cannot_start)
        os.kill(gateway.child.pid, signal.SIGKILL)
        await until(lambda: bool(tried))
        place = way.address.rpartition("/")[2].split(":")
        request = f"GET {site.url('/')} HTTP/1.1\r\nHost: {site.url('')[7:]}\r\n\r\n".encode()
        waiting = [await asyncio.open_connection(place[0], int(place[1])) for _ in range(5)]
        for _, writer in waiting:
            writer.write(request)
            await writer.drain()
        # It is tried again and again, and all that time they wait.
        await until(lambda: len(tried) > 1)
        assert site.requests == []
        assert gateway.trouble != ""
    # Those who still wait are answered by the next one.
    for reader, writer in waiting:
        assert b" 200 " in await reader.readuntil(b"\r\n")
        writer.close()
    assert len(site.requests) == len(waiting)


async def test_what_goes_through_is_counted_and_never_forgotten(
    open_way: Opens, gateway: Gateway, site: Site
) -> None:
    site.page("/", "x" * 5000)
    await gateway.count()
    before = gateway.traffic
    way, _ = await open_way(Rules(exceptions=LOCAL))
    await asked(way, site.url("/"))
    await gateway.count()
    during = gateway.traffic
    assert during.requests == before.requests + 1
    assert during.received > before.received + 5000
    assert during.sent > before.sent
    await way.close()
    await gateway.count()
    assert gateway.traffic == during


async def test_the_process_has_nothing_and_ends_with_us(site: Site) -> None:
    async with Gateway(uid=UID) as gateway:
        way = await gateway.open("ses_1", Rules(exceptions=LOCAL), Heard())
        assert gateway.child is not None
        pid = gateway.child.pid
        place = Path(f"/proc/{pid}")
        assert (place / "environ").read_bytes() == b""
        if os.geteuid() == 0:
            status = (place / "status").read_text(encoding="utf-8")
            assert f"Uid:\t{UID}\t{UID}\t{UID}\t{UID}" in status
            assert "CapEff:\t0000000000000000" in status
            assert "Groups:\t \n" in status
        assert alive(pid)
        address = way.address
        # Not even one that hears nothing any more.
        os.kill(pid, signal.SIGSTOP)
    assert not alive(pid)
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))


async def test_one_that_cannot_start_is_said_and_tried_less_and_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    monkeypatch.setattr(module, "_PATIENCE", 0.6)
    async with Gateway(uid=UID) as gateway:
        with pytest.raises(LaunchFailed, match="nothing gets out"):
            await gateway.open("ses_1", Rules(), Heard())
        assert gateway.trouble
        assert 1 < gateway.restarts < 6


async def test_a_way_whose_jail_has_ended_is_not_opened(gateway: Gateway) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    listener.close()
    with pytest.raises(BrowserGone):
        await gateway.open("ended", Rules(), Heard(), listener)


async def test_a_jail_that_ends_while_its_way_is_opened_is_told_at_once(site: Site) -> None:
    """And nobody else loses the process that they share."""
    async with Gateway(uid=UID) as gateway, asyncio.timeout(8):
        listener = socket.create_server(("127.0.0.1", 0))
        # It begins with the start of the process, which takes a while.
        asyncio.get_running_loop().call_soon(listener.close)
        with pytest.raises(BrowserGone):
            await gateway.open("ends", Rules(), Heard(), listener)
        way = await gateway.open("other", Rules(exceptions=LOCAL), Heard())
        assert b"200" in await asked(way, site.page("/", "here"))
        assert gateway.restarts == 0


async def test_an_address_is_known_after_the_end(gateway: Gateway) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    way = await gateway.open("known", Rules(), Heard(), listener)
    port = listener.getsockname()[1]
    listener.close()
    assert way.address == f"http://127.0.0.1:{port}"
    await way.close()
