"""A WebSocket as a client: messages of any length, in any pieces."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from stockade.engines.cdp.socket import Socket, open_socket
from stockade.errors import LaunchFailed
from tests.support.site import Site
from tests.support.waiting import until
from tests.support.websocket import WebSocket


class Ears:
    """What was heard, and whether the line is dead."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.lost = False

    def end(self) -> None:
        self.lost = True


@asynccontextmanager
async def opened(site: Site, path: str, ears: Ears) -> AsyncIterator[Socket]:
    socket = await open_socket("127.0.0.1", site.port, path, ears.heard.append, ears.end)
    yield socket
    socket.close()
    await until(lambda: ears.lost)


async def test_messages_of_every_length_come_back(site: Site) -> None:
    async def echo(socket: WebSocket) -> None:
        while (message := await socket.receive()) is not None:
            await socket.send(message)

    site.websocket("/echo", echo)
    ears = Ears()
    messages = [b"x" * length for length in (0, 1, 125, 126, 65535, 65536, 1_000_000)]
    async with opened(site, "/echo", ears) as socket:
        socket.write(b"".join(each + b"\0" for each in messages))
        await until(lambda: len(ears.heard) == len(messages))
    assert ears.heard == messages
    socket.write(b"too late\0")


async def test_pieces_pings_and_the_end() -> None:
    got: list[bytes] = []

    async def browser(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        key = next(line for line in head.split("\r\n") if line.startswith("Sec-WebSocket-Key"))
        accept = WebSocket.accept_key(key.partition(": ")[2]).encode()
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n" + b"\x01\x02he"
        )
        for piece in (b"\x89\x01!", b"\x00\x02ll", b"\x80", b"\x01o", b"\x88\x00"):
            await writer.drain()
            await asyncio.sleep(0)
            writer.write(piece)
        got.append(await reader.readexactly(7))
        writer.close()

    server = await asyncio.start_server(browser, "127.0.0.1", 0)
    ears = Ears()
    port = server.sockets[0].getsockname()[1]
    await open_socket("127.0.0.1", port, "/", ears.heard.append, ears.end)
    await until(lambda: ears.lost and bool(got))
    server.close()
    await server.wait_closed()
    assert ears.heard == [b"hello"]
    pong = got[0]
    assert pong[:2] == b"\x8a\x81"
    assert pong[6] ^ pong[2] == ord("!")


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: wrong\r\n\r\n",
        b"x" * 20_000,
        b"",
    ],
    ids=["no", "wrong", "long", "none"],
)
async def test_who_does_not_agree_is_left(answer: bytes) -> None:
    async def other(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(other, "127.0.0.1", 0)
    ears = Ears()
    with pytest.raises(LaunchFailed):
        await open_socket(
            "127.0.0.1", server.sockets[0].getsockname()[1], "/", ears.heard.append, ears.end
        )
    server.close()
    await server.wait_closed()
