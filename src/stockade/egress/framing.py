"""Framing: where the body of a message ends, and what of it goes on.

Chunks are taken apart and made anew, so that what a server and a browser see is what was judged:
no extensions, no trailers, no room for two readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

__all__ = ["BadBody", "Chunked", "Framing", "Sized", "Unframed"]

_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?")
_LONGEST_LINE = 4096
_MOST_EXTRA = 64 << 10
"""Extensions and trailers of one body: more than anyone needs."""


class BadBody(ValueError):
    """A body that is not framed as its head says."""


class Framing(Protocol):
    """How a body ends."""

    done: bool
    rest: bytes
    """What came after its end."""
    until_end: bool
    """Whether the end of the stream is its end."""

    def feed(self, data: bytes) -> Iterable[bytes]:
        """What goes on of what came."""


class Sized:
    """A body of so many bytes; perhaps none."""

    until_end = False

    def __init__(self, size: int) -> None:
        self._left = size
        self.done = size == 0
        self.rest = b""

    def feed(self, data: bytes) -> Iterable[bytes]:
        """What goes on of what came."""
        if len(data) < self._left:
            self._left -= len(data)
            return (data,)
        body, self.rest = (
            (data, b"")
            if len(data) == self._left
            else (
                data[: self._left],
                data[self._left :],
            )
        )
        self._left = 0
        self.done = True
        return (body,) if body else ()


class Unframed:
    """Everything that comes: a tunnel, or an answer that ends with its connection."""

    until_end = True
    done = False
    rest = b""

    def feed(self, data: bytes) -> Iterable[bytes]:
        """What goes on of what came."""
        return (data,)


class Chunked:
    """A body in chunks."""

    until_end = False

    def __init__(self) -> None:
        self._line = bytearray()
        self._left = 0
        self._state = "size"
        self._extra = 0
        self.done = False
        self.rest = b""

    def feed(self, data: bytes) -> Iterable[bytes]:
        """What goes on of what came, in chunks of its own."""
        found: list[bytes] = []
        at = 0
        while at < len(data) and not self.done:
            if self._state == "data":
                piece = data[at : at + self._left]
                found.append(b"%x\r\n%b\r\n" % (len(piece), piece))
                at += len(piece)
                self._left -= len(piece)
                if not self._left:
                    self._state = "after"
                continue
            end = data.find(b"\n", at)
            upto = len(data) if end < 0 else end + 1
            self._line += data[at:upto]
            at = upto
            if len(self._line) > _LONGEST_LINE or b"\r" in self._line[:-2]:
                raise BadBody("a line between chunks does not end as it should")
            if end >= 0:
                self._take_line()
        if self.done:
            found.append(b"0\r\n\r\n")
            self.rest = data[at:]
        return found

    def _take_line(self) -> None:
        line = bytes(self._line)
        self._line.clear()
        if not line.endswith(b"\r\n"):
            raise BadBody("a line between chunks does not end as it should")
        line = line[:-2]
        if self._state == "size":
            size = _SIZE.fullmatch(line)
            if size is None:
                raise BadBody("a chunk has no size")
            self._count_extra(len(line) - len(size[1]))
            self._left = int(size[1], 16)
            self._state = "data" if self._left else "trailer"
        elif self._state == "after":
            if line:
                raise BadBody("a chunk is longer than it says")
            self._state = "size"
        elif line:
            self._count_extra(len(line))
        else:
            self.done = True

    def _count_extra(self, count: int) -> None:
        self._extra += count
        if self._extra > _MOST_EXTRA:
            raise BadBody("a body carries too much beside itself")
