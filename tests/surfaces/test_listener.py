"""The listener: ours before anyone is told, and proven before anyone is."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from stockade.errors import BadSetting, SetupError
from stockade.surfaces import listener
from stockade.surfaces.listener import bind, is_loopback, prove, serving, url_of

WAIT = 10.0


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("hello")(scope, receive, send)


async def test_a_free_port_is_taken_and_named() -> None:
    with await bind("127.0.0.1", 0) as found:
        port = found.getsockname()[1]
        assert url_of(found) == f"http://127.0.0.1:{port}"
        assert is_loopback(found)
        with pytest.raises(SetupError, match=f"port {port} is in use") as caught:
            await bind("127.0.0.1", port)
        assert "--port" in caught.value.hint


async def test_an_address_of_every_network_is_found_on_this_machine() -> None:
    with await bind("0.0.0.0", 0) as found:
        assert url_of(found) == f"http://127.0.0.1:{found.getsockname()[1]}"
        assert not is_loopback(found)


async def test_without_tokens_no_network_is_listened_on() -> None:
    with pytest.raises(BadSetting, match="loopback"):
        await bind("0.0.0.0", 0, loopback_only=True)
    with await bind("localhost", 0, loopback_only=True) as found:
        assert is_loopback(found)


async def test_the_other_kind_of_address() -> None:
    try:
        found = await bind("::1", 0)
    except BadSetting:
        pytest.skip("no IPv6 here")
    with found:
        assert url_of(found) == f"http://[::1]:{found.getsockname()[1]}"
        async with serving(hello, found, grace=1, hurry=asyncio.Event()):
            await prove(url_of(found))


@pytest.mark.parametrize("host", ["203.0.113.1", "no such host.invalid"])
async def test_an_address_of_others_cannot_be_listened_on(host: str) -> None:
    with pytest.raises(BadSetting):
        await bind(host, 0)


async def test_to_listen_is_not_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "_PROOF_SECONDS", 0.05)
    with await bind("127.0.0.1", 0) as found, pytest.raises(SetupError, match="not answer"):
        await prove(url_of(found))
    with pytest.raises(SetupError, match="does not answer"):
        await prove(url_of_closed())


def url_of_closed() -> str:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        return url_of(closed)


async def test_a_failing_answer_is_no_proof() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("no", 500)(scope, receive, send)

    with await bind("127.0.0.1", 0) as found:
        async with serving(broken, found, grace=1, hurry=asyncio.Event()):
            with pytest.raises(SetupError):
                await prove(url_of(found))


class Slow:
    """Answers when it is let; counts how its requests ended."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.gate = asyncio.Event()
        self.cancelled = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.begun.set()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            await PlainTextResponse("cut short", 503)(scope, receive, send)
            return
        await PlainTextResponse("done")(scope, receive, send)


async def ask(found: socket.socket) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(*found.getsockname()[:2])
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return reader, writer


async def test_requests_under_way_are_finished() -> None:
    slow = Slow()
    with await bind("127.0.0.1", 0) as found:
        address = found.getsockname()
        async with asyncio.timeout(WAIT):
            async with serving(slow, found, grace=WAIT, hurry=asyncio.Event()):
                reader, writer = await ask(found)
                await slow.begun.wait()
                asyncio.get_running_loop().call_later(0.05, slow.gate.set)
            answer = await reader.read()
        writer.close()
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert b"connection: close" in answer
        assert slow.cancelled == 0
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(*address)


async def test_requests_that_take_too_long_are_ended() -> None:
    slow = Slow()
    with await bind("127.0.0.1", 0) as found:
        async with asyncio.timeout(WAIT):
            async with serving(slow, found, grace=0.05, hurry=asyncio.Event()):
                reader, writer = await ask(found)
                await slow.begun.wait()
            answer = await reader.read()
        writer.close()
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert slow.cancelled == 1


async def test_in_a_hurry_nobody_is_waited_for() -> None:
    slow = Slow()
    hurry = asyncio.Event()
    with await bind("127.0.0.1", 0) as found:
        async with asyncio.timeout(WAIT):
            async with serving(slow, found, grace=1000, hurry=hurry):
                _, writer = await ask(found)
                await slow.begun.wait()
                asyncio.get_running_loop().call_later(0.05, hurry.set)
        writer.close()
        assert slow.cancelled == 1


async def test_a_stream_that_only_listens_does_not_hold_up_the_end() -> None:
    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        async def pieces() -> AsyncIterator[bytes]:
            yield b"first"
            await asyncio.Event().wait()

        await StreamingResponse(pieces())(scope, receive, send)

    with await bind("127.0.0.1", 0) as found:
        async with asyncio.timeout(WAIT):
            async with serving(endless, found, grace=1000, hurry=asyncio.Event()):
                reader, writer = await ask(found)
                await reader.readuntil(b"first")
            await reader.read()
        writer.close()


async def test_idle_connections_are_closed_at_the_end() -> None:
    with await bind("127.0.0.1", 0) as found:
        async with asyncio.timeout(WAIT):
            async with serving(hello, found, grace=1000, hurry=asyncio.Event()):
                reader, writer = await ask(found)
                await reader.readuntil(b"hello")
            assert await reader.read() == b""
        writer.close()
