"""Uploads: the bytes of a file on their way from a request into a session, never held whole."""

from __future__ import annotations

import asyncio
import io
import re
import time
from typing import Final

from anyio import from_thread
from starlette.datastructures import Headers
from starlette.types import Receive, Scope
from typing_extensions import Buffer

from stockade.errors import BadRequest, RequestTooLarge, RequestTooSlow, WrongMediaType

__all__ = ["Incoming", "is_upload"]

_PLACE = re.compile(r"/v1/sessions/[^/]+/artifacts/.+", re.DOTALL)
_PIECE_SECONDS = 30.0
_WHOLE_SECONDS = 600.0
_BUFFER: Final = 1 << 20


def is_upload(scope: Scope) -> bool:
    """Whether the body of a request is a file, and so need not be JSON."""
    return scope["method"] == "PUT" and _PLACE.fullmatch(scope["path"]) is not None


class Incoming(io.RawIOBase):
    """The body of a request as a file, to be read in a thread that anyio started."""

    def __init__(self, receive: Receive, headers: Headers, largest: int) -> None:
        super().__init__()
        declared = headers.get("content-length", "0")
        if not declared.isdigit() or int(declared) > largest:
            raise _too_large(largest)
        if "content-encoding" in headers:
            raise WrongMediaType(
                "a file is sent as it is", hint="Leave out Content-Encoding and do not compress it."
            )
        self._receive = receive
        self._largest = largest
        self._size = 0
        self._left = b""
        self._more = True
        self._until = time.monotonic() + _WHOLE_SECONDS

    def buffered(self) -> io.BufferedReader:
        """The same in larger pieces."""
        return io.BufferedReader(self, _BUFFER)

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        """Fill the buffer with what comes next; nothing is the end."""
        while not self._left and self._more:
            from_thread.run(self._next)
        room = memoryview(buffer).cast("B")
        part, self._left = self._left[: len(room)], self._left[len(room) :]
        room[: len(part)] = part
        return len(part)

    async def _next(self) -> None:
        patience = min(_PIECE_SECONDS, self._until - time.monotonic())
        try:
            async with asyncio.timeout(patience):
                message = await self._receive()
        except TimeoutError:
            raise RequestTooSlow("the file did not arrive in time") from None
        if message["type"] == "http.disconnect":
            raise BadRequest("the client left before its file was whole")
        self._left = message.get("body", b"")
        self._more = message.get("more_body", False)
        self._size += len(self._left)
        if self._size > self._largest:
            raise _too_large(self._largest)


def _too_large(largest: int) -> RequestTooLarge:
    return RequestTooLarge(f"a file that is sent holds at most {largest} bytes", limit=largest)
