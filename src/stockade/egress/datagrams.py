"""Messages with descriptors over the control socket, each whole or not at all.

A datagram has to fit into the socket's buffer, and a long list of origins does not: what is larger
goes into memory whose descriptor is sent in its place.
"""

from __future__ import annotations

import os
import socket
from array import array
from dataclasses import dataclass, field

__all__ = ["Datagram", "Malformed", "receive", "send"]

_LARGEST = 64 << 10
_LARGEST_APART = 64 << 20
_MOST_DESCRIPTORS = 4
_APART = b"*"
"""Stands for a message that the first descriptor holds; no message of ours begins so."""


class Malformed(Exception):
    """What came is no message: whoever sent it is not to be trusted any further."""


@dataclass
class Datagram:
    """One message and the descriptors that came with it; nothing at all is the end."""

    data: bytes = b""
    descriptors: list[int] = field(default_factory=list)

    def close(self) -> None:
        """Close the descriptors that nobody took."""
        while self.descriptors:
            os.close(self.descriptors.pop())


def send(control: socket.socket, data: bytes, *descriptors: int) -> None:
    """Send one message; `BlockingIOError` where the other side does not read as fast."""
    if len(data) <= _LARGEST:
        socket.send_fds(control, [data], list(descriptors))
        return
    memory = os.memfd_create("stockade-message", os.MFD_CLOEXEC)
    try:
        with os.fdopen(os.dup(memory), "wb") as file:
            file.write(data)
        socket.send_fds(control, [_APART], [memory, *descriptors])
    finally:
        os.close(memory)


def receive(control: socket.socket) -> Datagram:
    """The next message; `BlockingIOError` while there is none."""
    size = array("i").itemsize * _MOST_DESCRIPTORS
    data, ancillary, flags, _ = control.recvmsg(
        _LARGEST, socket.CMSG_SPACE(size), socket.MSG_CMSG_CLOEXEC
    )
    found = Datagram(data)
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            numbers = array("i")
            numbers.frombytes(content[: len(content) - len(content) % numbers.itemsize])
            found.descriptors += numbers
    if flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
        found.close()
        raise Malformed("a message was cut off")
    if data == _APART:
        try:
            found.data = _read(found.descriptors)
        except BaseException:
            found.close()
            raise
    return found


def _read(descriptors: list[int]) -> bytes:
    if not descriptors:
        raise Malformed("a message came without its content")
    memory = descriptors.pop(0)
    try:
        length = os.fstat(memory).st_size
        if length > _LARGEST_APART:
            raise Malformed("a message is too large")
        return os.pread(memory, length, 0)
    finally:
        os.close(memory)
