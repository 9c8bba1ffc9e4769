"""The ClientHello: the first thing that a TLS client says, and whom it says it to."""

from __future__ import annotations

from stockade.egress.limits import HELLO_BYTES

__all__ = ["NotTls", "server_name"]

_HANDSHAKE = 22
_CLIENT_HELLO = 1
_SERVER_NAME = 0
_HOST_NAME = 0
_RECORD_HEAD = 5
_LONGEST_RECORD = 1 << 14
_MAJOR_VERSION = b"\x03"
_MESSAGE_HEAD = 4


class NotTls(ValueError):
    """It is no ClientHello, or not a sound one."""


def server_name(data: bytes | bytearray) -> str | None:
    """The name it asks for, empty where it asks for none; `None` while more must come."""
    message = bytearray()
    at = 0
    while at < len(data):
        if data[at] != _HANDSHAKE or bytes(data[at + 1 : at + 2]) not in {b"", _MAJOR_VERSION}:
            raise NotTls("it is not TLS")
        length = int.from_bytes(data[at + 3 : at + 5], "big")
        begin = at + _RECORD_HEAD
        if len(data) < begin:
            return None
        if not 0 < length <= _LONGEST_RECORD:
            raise NotTls("a record has no sound length")
        message += data[begin : begin + length]
        at = begin + length
        size = _size(message)
        if size is not None and len(message) >= size:
            return _name_in(bytes(message[_MESSAGE_HEAD:size]))
    return None


def _size(message: bytearray) -> int | None:
    """How long a ClientHello is with its head, once that is there."""
    if message and message[0] != _CLIENT_HELLO:
        raise NotTls("it does not begin with a ClientHello")
    if len(message) < _MESSAGE_HEAD:
        return None
    size = _MESSAGE_HEAD + int.from_bytes(message[1:_MESSAGE_HEAD], "big")
    if size > HELLO_BYTES:
        raise NotTls("the ClientHello is too long")
    return size


class _Reader:
    """Reads what is written with its length before it."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._data) - self._at

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise NotTls("the ClientHello ends too early")
        self._at += count
        return self._data[self._at - count : self._at]

    def number(self, length: int) -> int:
        return int.from_bytes(self.take(length), "big")

    def part(self, length: int) -> bytes:
        return self.take(self.number(length))


def _name_in(body: bytes) -> str:
    hello = _Reader(body)
    hello.take(2 + 32)
    hello.part(1)
    hello.part(2)
    hello.part(1)
    if not hello.left:
        return ""
    extensions = _Reader(hello.part(2))
    if hello.left:
        raise NotTls("something follows the ClientHello's end")
    found: bytes | None = None
    while extensions.left:
        kind = extensions.number(2)
        content = extensions.part(2)
        if kind == _SERVER_NAME:
            if found is not None:
                raise NotTls("it asks for two names")
            found = _host_name(content)
    if found is None:
        return ""
    try:
        return found.decode("ascii").lower().rstrip(".")
    except UnicodeDecodeError:
        raise NotTls("the name it asks for is none") from None


def _host_name(content: bytes) -> bytes:
    names = _Reader(_Reader(content).part(2))
    kind, name = names.number(1), names.part(2)
    if kind != _HOST_NAME or names.left or not name:
        raise NotTls("it asks for something that is no name")
    return name
