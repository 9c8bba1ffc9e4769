from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message

from stockade.surfaces.mcp.stream import Stream

DISCONNECT = {"type": "http.disconnect"}


class Client:
    """The far side of a response."""

    def __init__(self) -> None:
        self.heard: list[Message] = []
        self.leaves = asyncio.Event()

    async def receive(self) -> Message:
        await self.leaves.wait()
        return {**DISCONNECT, "by": "client"}

    async def send(self, message: Message) -> None:
        self.heard.append(message)


@pytest.mark.parametrize("who", ["client", "server"])
async def test_it_ends_when_either_side_leaves(who: str) -> None:
    client, stopping = Client(), asyncio.Event()
    stream = Stream(client.receive, client.send, stopping)
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(stream.receive())
        await asyncio.sleep(0)
        assert not waiting.done()
        (client.leaves if who == "client" else stopping).set()
    assert waiting.result() == ({**DISCONNECT, "by": "client"} if who == "client" else DISCONNECT)


async def test_a_response_that_was_left_open_is_ended_once() -> None:
    client = Client()
    stream = Stream(client.receive, client.send, asyncio.Event())
    await stream.finish()
    assert client.heard == []
    await stream.send({"type": "http.response.start", "status": 200, "headers": []})
    await stream.send({"type": "http.response.body", "body": b"a", "more_body": True})
    await stream.finish()
    last = {"type": "http.response.body", "body": b"", "more_body": False}
    assert client.heard[2:] == [last]


async def test_a_response_that_has_ended_stays_so() -> None:
    client = Client()
    stream = Stream(client.receive, client.send, asyncio.Event())
    await stream.send({"type": "http.response.start", "status": 404, "headers": []})
    await stream.send({"type": "http.response.body", "body": b"a"})
    await stream.finish()
    assert len(client.heard) == 2
