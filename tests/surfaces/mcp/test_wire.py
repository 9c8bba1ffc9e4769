from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import pytest

from stockade.surfaces.mcp.wire import Wire


class Pipes:
    """A wire over two pipes, and the far ends of them."""

    def __init__(self) -> None:
        self.near_in, self.far_out = os.pipe()
        self.far_in, self.near_out = os.pipe()
        self.wire = Wire(self.near_in, self.near_out)

    def close(self) -> None:
        for descriptor in (self.near_in, self.far_out, self.far_in, self.near_out):
            try:
                os.close(descriptor)
            except OSError:
                continue


async def test_bytes_come_through_pipes_and_end() -> None:
    pipes = Pipes()
    os.write(pipes.far_out, b"hello")
    assert await pipes.wire.read() == b"hello"
    os.close(pipes.far_out)
    assert await pipes.wire.read() == b""
    pipes.close()


async def test_a_read_waits_until_something_comes() -> None:
    pipes = Pipes()
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(pipes.wire.read())
        for _ in range(5):
            await asyncio.sleep(0)
        assert not reading.done()
        os.write(pipes.far_out, b"late")
    assert reading.result() == b"late"
    pipes.close()


async def test_more_than_a_pipe_holds_is_written_without_holding_the_loop_up() -> None:
    pipes = Pipes()
    data = bytes(range(256)) * 8192
    async with asyncio.TaskGroup() as group:
        writing = group.create_task(pipes.wire.write(data))
        received = b""
        while len(received) < len(data):
            received += await asyncio.to_thread(os.read, pipes.far_in, 1 << 20)
    assert writing.done()
    assert received == data
    pipes.close()


async def test_two_writes_at_once_do_not_mix() -> None:
    pipes = Pipes()
    async with asyncio.TaskGroup() as group:
        for letter in (b"a", b"b"):
            group.create_task(pipes.wire.write(letter * 500_000))
        received = b""
        while len(received) < 1_000_000:
            received += await asyncio.to_thread(os.read, pipes.far_in, 1 << 20)
    assert received in {b"a" * 500_000 + b"b" * 500_000, b"b" * 500_000 + b"a" * 500_000}
    pipes.close()


async def test_a_reader_that_left_is_an_error_and_is_seen() -> None:
    pipes = Pipes()
    assert not pipes.wire.gone
    os.close(pipes.far_in)
    assert pipes.wire.gone
    with pytest.raises(BrokenPipeError):
        await pipes.wire.write(b"x")
    pipes.close()


async def test_files_are_read_to_their_end(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_bytes(b"x" * 100_000)
    with source.open("rb") as incoming, (tmp_path / "out").open("wb") as outgoing:
        wire = Wire(incoming.fileno(), outgoing.fileno())
        received = b""
        while data := await wire.read():
            received += data
        await wire.write(received)
        assert not wire.gone
    assert (tmp_path / "out").read_bytes() == source.read_bytes()


async def test_the_null_device_is_empty() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    assert await Wire(null, null).read() == b""
    os.close(null)


async def test_a_terminal_is_left_as_it_is() -> None:
    ours, theirs = os.openpty()
    wire = Wire(theirs, theirs)
    assert os.get_blocking(theirs)
    os.write(ours, b"typed\n")
    assert await wire.read() == b"typed\n"
    os.close(ours)
    assert await wire.read() == b""
    os.close(theirs)


async def test_a_stream_shared_with_the_error_stream_is_left_as_it_is() -> None:
    assert os.get_blocking(2)
    Wire(2, 2)
    assert os.get_blocking(2)


async def test_a_socket_is_gone_only_when_both_ways_are() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        wire = Wire(theirs.fileno(), theirs.fileno())
        ours.shutdown(socket.SHUT_WR)
        assert await wire.read() == b""
        assert not wire.gone
        await wire.write(b"still")
        assert ours.recv(5) == b"still"
        wire.end()
        assert ours.recv(5) == b""
        ours.close()
        assert wire.gone


async def test_a_line_leaves_the_rest_for_the_next_read() -> None:
    pipes = Pipes()
    os.write(pipes.far_out, b"first\nrest")
    assert await pipes.wire.read_line(100) == b"first"
    assert await pipes.wire.read() == b"rest"
    pipes.close()


@pytest.mark.parametrize("sent", [b"x" * 200, b"x" * 200 + b"\n", b"no end"])
async def test_no_line_of_that_length_is_none(sent: bytes) -> None:
    pipes = Pipes()
    os.write(pipes.far_out, sent)
    os.close(pipes.far_out)
    assert await pipes.wire.read_line(100) is None
    pipes.close()
