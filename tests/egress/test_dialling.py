"""Dialling one address after another."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable

import pytest

from stockade.egress.dialling import dial, interleaved
from stockade.egress.failures import Failure
from stockade.egress.streams import Stream
from tests.egress import world


def made(streams: list[Stream]) -> Callable[[], Stream]:
    return lambda: Stream(streams.append, lambda _: None)


def test_the_families_take_turns() -> None:
    assert interleaved(["::1", "::2", "::3", "1.1.1.1"]) == ["::1", "1.1.1.1", "::2", "::3"]
    assert interleaved(["1.1.1.1", "1.1.1.2"]) == ["1.1.1.1", "1.1.1.2"]


async def test_the_first_that_answers() -> None:
    streams: list[Stream] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        stream, address = await dial(["::1", "127.0.0.2", "127.0.0.1"], port, made(streams))
        assert address == "127.0.0.1"
        assert stream.alive
        again, address = await dial(["127.0.0.1"], port, made(streams))
        again.abort()
        stream.abort()
        await asyncio.sleep(0)


async def test_nobody_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    for addresses in (["127.0.0.1"], ["127.0.0.1", "127.0.0.2"]):
        with pytest.raises(Failure) as failure:
            await dial(addresses, port, made([]))
        assert failure.value.kind == "refused"


async def test_a_proxy_over_tls_has_to_prove_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []

    def named(_: ssl.SSLObject, name: str | None, __: ssl.SSLContext) -> None:
        asked.append(name)

    identity = world._identity()
    identity.sni_callback = named
    streams: list[Stream] = []
    server = await asyncio.start_server(
        lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=identity
    )
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Failure, match="no way"):
            await dial(["127.0.0.1"], port, made(streams), tls="gate.test")
        monkeypatch.setattr(ssl, "create_default_context", lambda **_: world.trusting())
        stream, _ = await dial(["127.0.0.1"], port, made(streams), tls="gate.test")
        stream.abort()
        await asyncio.sleep(0)
    assert asked == ["gate.test", "gate.test"]
