"""Cutting bytes into messages."""

from __future__ import annotations

import asyncio
import os

from hypothesis import given
from hypothesis import strategies as st

from stockade.engines.cdp.pipe import Pipe, open_pipe


@given(
    messages=st.lists(st.binary(max_size=50).map(lambda b: b.replace(b"\0", b"x")), max_size=20),
    cuts=st.lists(st.integers(1, 40), min_size=1, max_size=40),
)
def test_messages_survive_any_cut(messages: list[bytes], cuts: list[int]) -> None:
    received: list[bytes] = []
    pipe = Pipe(received.append, lambda: None)
    data = b"".join(message + b"\0" for message in messages)
    position = turn = 0
    while position < len(data):
        size = cuts[turn % len(cuts)]
        pipe.data_received(data[position : position + size])
        position, turn = position + size, turn + 1
    assert received == messages


async def test_a_large_message_goes_both_ways_and_the_end_is_told() -> None:
    received: list[bytes] = []
    lost, arrived = asyncio.Event(), asyncio.Event()

    def take(message: bytes) -> None:
        received.append(message)
        arrived.set()

    pipe, theirs = await open_pipe(take, lost.set)
    theirs.setblocking(True)
    large = os.urandom(3_000_000).replace(b"\0", b"1")
    await asyncio.to_thread(theirs.sendall, large + b"\0")
    async with asyncio.timeout(10):
        await arrived.wait()
        assert received == [large]
        pipe.write(b"hello\0")
        assert await asyncio.to_thread(theirs.recv, 100) == b"hello\0"
        theirs.close()
        await lost.wait()
    pipe.write(b"to nobody\0")
    pipe.close()
