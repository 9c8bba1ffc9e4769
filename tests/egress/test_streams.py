"""Streams over real sockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from stockade.egress.framing import BadBody, Chunked, Sized, Unframed
from stockade.egress.limits import HEAD_SECONDS, WRITE_BYTES
from stockade.egress.streams import Gone, Stream
from tests.support.waiting import until


@asynccontextmanager
async def stream() -> AsyncIterator[tuple[Stream, socket.socket, list[Stream]]]:
    """A stream, the other end of it, and itself once it is lost."""
    ours, theirs = socket.socketpair()
    lost: list[Stream] = []
    made: list[Stream] = []
    loop = asyncio.get_running_loop()
    _, found = await loop.create_connection(lambda: Stream(made.append, lost.append), sock=ours)
    theirs.settimeout(0)
    try:
        assert made == [found]
        yield found, theirs, lost
    finally:
        theirs.close()
        found.abort()
        await until(lambda: bool(lost))


def whole(count: int) -> Callable[[bytearray], bool | None]:
    return lambda buffer: True if len(buffer) >= count else None


async def test_reading_by_the_head() -> None:
    async with stream() as (found, theirs, _):
        theirs.send(b"ab")
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(found.until(whole(4), 300))
            await asyncio.sleep(0)
            theirs.send(b"cd")
        assert waiting.result() is True
        assert found.take(3) == b"abc"
        found.put_back(b"x")
        assert found.take(9) == b"xd"
        assert found.quiet
        theirs.shutdown(socket.SHUT_WR)
        assert await found.until(whole(1), 300) is None


async def test_the_time_for_a_head_does_not_begin_again_with_each_byte() -> None:
    async with stream() as (found, theirs, _):
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(found.until(whole(4), 300))
            await asyncio.sleep(0)
            assert found.deadline > loop.time() + 2 * HEAD_SECONDS
            theirs.send(b"a")
            await until(lambda: found.deadline < loop.time() + 2 * HEAD_SECONDS)
            first = found.deadline
            theirs.send(b"b")
            await until(lambda: len(found.buffer) == 2)
            assert found.deadline == first
            theirs.send(b"cd")
        assert waiting.result() is True


async def test_an_end_within_a_head_is_no_head() -> None:
    async with stream() as (found, theirs, _):
        theirs.send(b"ab")
        theirs.shutdown(socket.SHUT_WR)
        with pytest.raises(Gone):
            await found.until(whole(4), 300)


async def test_what_nobody_reads_is_not_kept_without_end() -> None:
    async with stream() as (found, theirs, _):
        sent = 0
        with pytest.raises(BlockingIOError):  # noqa: PT012 - until there is no more room
            while sent < 64 * WRITE_BYTES:
                sent += theirs.send(b"x" * 65536)
                await asyncio.sleep(0)
        assert len(found.buffer) < 3 * WRITE_BYTES
        taken = len(found.take(len(found.buffer)))
        await until(lambda: len(found.buffer) > 0)
        assert taken


async def test_a_message_is_passed_on_and_the_rest_is_left() -> None:
    counted: list[int] = []
    async with stream() as (source, speaker, _), stream() as (to, listener, _):
        speaker.send(b"hello next")
        assert await source.pass_on(to, Sized(5), counted.append)
        assert sum(counted) == 5
        assert source.take(9) == b" next"
        await until(lambda: listener.recv(9) == b"hello")
        speaker.send(b"5\r\nhello")
        body = source.pass_on(to, Chunked(), counted.append)
        speaker.shutdown(socket.SHUT_WR)
        assert await body is False


async def test_a_body_that_is_none_ends_the_passing_on() -> None:
    async with stream() as (source, speaker, _), stream() as (to, _, _):
        speaker.send(b"nonsense\r\n")
        with pytest.raises(BadBody):
            await source.pass_on(to, Chunked(), lambda _: None)


async def test_who_does_not_take_it_holds_back_who_sends() -> None:
    async with stream() as (source, speaker, _), stream() as (to, listener, _):
        passing = source.pass_on(to, Unframed(), lambda _: None)
        sent = 0
        with pytest.raises(BlockingIOError):  # noqa: PT012 - until there is no more room
            while sent < 64 * WRITE_BYTES:
                sent += speaker.send(b"x" * 65536)
                for _ in range(3):
                    await asyncio.sleep(0)
        got = 0

        def all_of_it() -> bool:
            nonlocal got
            with suppress(BlockingIOError):
                got += len(listener.recv(1 << 20))
            return got == sent

        await until(all_of_it)
        speaker.shutdown(socket.SHUT_WR)
        assert await passing is True


async def test_either_side_going_ends_the_passing_on() -> None:
    async with stream() as (source, _, _), stream() as (to, listener, lost):
        passing = source.pass_on(to, Unframed(), lambda _: None)
        listener.close()
        to.abort()
        await until(lambda: lost == [to])
        with pytest.raises(Gone):
            await passing
        assert not to.alive
        with pytest.raises(Gone):
            await source.pass_on(to, Unframed(), lambda _: None)
