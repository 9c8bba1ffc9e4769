"""An exchange: one request to a server and its answer back, both as they come."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from stockade.egress.failures import Failure
from stockade.egress.framing import BadBody, Framing, Unframed
from stockade.egress.heads import Malformed, Request, Response, end_of_response
from stockade.egress.limits import FIRST_BYTE_SECONDS
from stockade.egress.session import Session
from stockade.egress.streams import Gone, Stream
from stockade.egress.tunnels import relay
from stockade.egress.upstream import refused_by

__all__ = ["Exchange", "Unanswered"]

_MOST_INTERIM = 16
_SWITCHING = 101
_FINAL = 200
_WANTS_LOGIN = 407


class Unanswered(Failure):
    """The server broke off before it said anything."""

    def __init__(self) -> None:
        super().__init__("broken", "the server broke off without an answer")


@dataclass
class Exchange:
    """Between a client and a server that was dialled for it."""

    session: Session
    client: Stream
    server: Stream
    request: Request
    head: bytes
    """The request's, as the server gets it."""

    async def run(self) -> bool:
        """Whether both sides can go on with another; `Unanswered` where nothing came of it."""
        self.server.used = False
        self.client.deadline = float("inf")
        self.server.write(self.head)
        self.session.count_sent(len(self.head))
        upload = self._upload()
        try:
            response = await self._answer()
            if response.upgraded:
                self.client.write(response.written(Unframed()))
                await relay(self.client, self.server, self.session)
                return False
            return await self._pass_back(response, response.body(self.request.method), upload)
        except Malformed:
            raise Failure("broken", "the server's answer makes no sense") from None
        except Failure:
            if upload is not None and upload.done():
                upload.result()
            raise
        finally:
            self.client.stop_passing_on()

    def _upload(self) -> asyncio.Future[bool] | None:
        framing = self.request.framing
        if framing is None:
            return None
        upload = self.client.pass_on(self.server, framing, self.session.count_sent)
        upload.add_done_callback(self._uploaded)
        return upload

    def _uploaded(self, upload: asyncio.Future[bool]) -> None:
        """A body that breaks off, or is none, will not be answered."""
        if not _went_well(upload):
            self.server.abort()

    async def _answer(self) -> Response:
        """The head of the answer; what comes before it is passed on."""
        for _ in range(_MOST_INTERIM):
            try:
                end = await self.server.until(end_of_response, FIRST_BYTE_SECONDS)
            except Gone:
                end = None
            if end is None:
                if self.server.used:
                    raise Failure("broken", "the server broke off within its answer")
                raise Unanswered
            response = Response.parse(self.server.take(end))
            self.session.count_received(end)
            if response.status == _WANTS_LOGIN:
                # To a browser that would be us asking: it is the proxy's word alone.
                proxy = self.session.upstream
                if proxy is not None and proxy.by_http:
                    raise refused_by(response.status)
                raise Failure("broken", "the server answers as only a proxy may")
            if response.status == _SWITCHING:
                if not (self.request.upgrade and response.upgraded):
                    raise Failure("broken", "the server switches to what nobody asked for")
                return response
            if response.status >= _FINAL:
                return response
            self.client.write(response.written(response.body(self.request.method)))
        raise Failure("broken", "the server never comes to its answer")

    async def _pass_back(
        self, response: Response, framing: Framing, upload: asyncio.Future[bool] | None
    ) -> bool:
        self.client.write(response.written(framing))
        if not framing.done:
            try:
                whole = await self.server.pass_on(self.client, framing, self.session.count_received)
            except BadBody:
                whole = False
            if not whole or framing.until_end:
                # The client has the beginning: the end of its connection tells it the rest.
                return False
        return response.lasting and (upload is None or (upload.done() and _went_well(upload)))


def _went_well(upload: asyncio.Future[bool]) -> bool:
    return not upload.cancelled() and upload.exception() is None and upload.result()
