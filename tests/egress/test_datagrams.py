"""Messages over the control socket: whole or not at all, with what comes along."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import pytest

from stockade.egress.datagrams import Malformed, receive, send

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        ours.settimeout(0)
        theirs.settimeout(0)
        yield ours, theirs


@pytest.mark.parametrize("size", [1, 64 << 10, (64 << 10) + 1, 5 << 20])
def test_any_size_comes_whole_with_its_descriptor(pair: Pair, size: int) -> None:
    ours, theirs = pair
    read, write = os.pipe()
    send(ours, b"x" * size, write)
    os.close(write)
    found = receive(theirs)
    assert found.data == b"x" * size
    (number,) = found.descriptors
    assert not os.get_inheritable(number)
    os.write(number, b"words")
    found.close()
    assert os.read(read, 10) == b"words"
    assert os.read(read, 10) == b"", "nobody else has it any more"
    os.close(read)


def test_the_end_is_a_message_without_content(pair: Pair) -> None:
    ours, theirs = pair
    with pytest.raises(BlockingIOError):
        receive(theirs)
    ours.close()
    assert receive(theirs).data == b""


def test_what_was_cut_off_or_has_no_content_is_no_message(pair: Pair) -> None:
    ours, theirs = pair
    ours.send(b"x" * (65 << 10))
    with pytest.raises(Malformed):
        receive(theirs)
    ours.send(b"*")
    with pytest.raises(Malformed):
        receive(theirs)
    read, write = os.pipe()
    socket.send_fds(ours, [b"{}"], [read] * 9)
    os.close(read)
    with pytest.raises(Malformed):
        receive(theirs)
    with pytest.raises(BrokenPipeError):
        os.write(write, b"nobody has the other end")
    os.close(write)
