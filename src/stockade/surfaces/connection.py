"""A connection: HTTP from a socket, with limits on what a client can make the server hold."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from stockade.errors import BadRequest, HeadersTooLarge, RequestTooSlow
from stockade.surfaces.answers import SAFE_HEADERS, refusal
from stockade.telemetry.logs import get_logger

__all__ = ["Connection"]

_HEAD_SECONDS = 10.0
"""How long the head of a request may take, from the connection or from its first byte."""
_STALL_SECONDS = 30.0
"""How long a client may leave what it was sent unread."""
_LONGEST_HEAD = 32_768
_MOST_HEADERS = 100
_LARGEST_WASTE = 64 * 1024 * 1024
"""How much of a body that was refused is read in order that the client reads why."""

_log = get_logger("stockade.http")


class Connection(HttpToolsProtocol):
    """uvicorn's protocol, which has no limits of its own on heads, slowness or waste."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_bytes = 0
        self._wasted = 0
        self._in_head = True
        self._problem: BadRequest | None = None
        self._head_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    # --- the head of a request ------------------------------------------------------------------

    def connection_made(  # type: ignore[override]
        self, transport: asyncio.Transport
    ) -> None:
        """Start the clock: who connects has something to say."""
        super().connection_made(transport)
        self._await_head()

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(_HEAD_SECONDS, self._head_is_late)

    def _head_is_late(self) -> None:
        if self._head_bytes:
            self._refuse(RequestTooSlow("the head of the request did not arrive in time"))
        else:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Parse what came; a head that does not end is refused before it fills the memory."""
        if self.transport.is_closing():
            return
        self._unset_keepalive_if_required()
        if self._in_head:
            self._head_bytes += len(data)
            self._await_head()
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # It is answered as if it had not asked for another protocol.
            return
        except httptools.HttpParserError:
            self._refuse(self._problem or BadRequest("that is not HTTP as this server reads it"))
            return
        if self._in_head and self._head_bytes > _LONGEST_HEAD:
            self._refuse(_too_large())

    def on_headers_complete(self) -> None:
        """The head is whole; see that it is not too much of it."""
        self._in_head = False
        self._head_bytes = 0
        self._stop_timer()
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > _LONGEST_HEAD or len(self.headers) > _MOST_HEADERS:
            self._problem = _too_large()
            raise self._problem
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is whole; what comes now is the head of the next."""
        super().on_message_complete()
        self._in_head = True

    def _refuse(self, error: BadRequest) -> None:
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started:
            response = refusal(error)
            status = HTTPStatus(response.status_code)
            lines = [f"HTTP/1.1 {status.value} {status.phrase}", "connection: close"]
            lines += [f"{name}: {value}" for name, value in SAFE_HEADERS.items()]
            lines += [f"{name.decode()}: {value.decode()}" for name, value in response.raw_headers]
            self.transport.write("\r\n".join([*lines, "", ""]).encode() + bytes(response.body))
            _log.info("res", status=status.value, error=error.message, code=error.code)
        self.transport.close()

    # --- the rest -------------------------------------------------------------------------------

    def on_body(self, body: bytes) -> None:
        """Read on after a refusal, within reason: a reset would hide the answer."""
        super().on_body(body)
        if self.cycle.response_complete:
            self._wasted += len(body)
            if self._wasted > _LARGEST_WASTE:
                self.transport.abort()

    def pause_writing(self) -> None:
        """The client does not read; it may make up its mind for a while."""
        super().pause_writing()
        self._stall_timer = self.loop.call_later(_STALL_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None

    def shutdown(self) -> None:
        """Finish the request under way and close; a stream that only listens ends now."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and cycle.scope["method"] == "GET" and cycle.chunked_encoding:
            self.transport.close()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop every clock."""
        super().connection_lost(exc)
        self._stop_timer()
        if self._stall_timer is not None:
            self._stall_timer.cancel()

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


def _too_large() -> HeadersTooLarge:
    return HeadersTooLarge(
        f"the head of a request holds at most {_MOST_HEADERS} headers and {_LONGEST_HEAD} bytes"
    )
