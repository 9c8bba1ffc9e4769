"""What a page asks of the network: its log, its extra headers, its credentials."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from stockade.engines.cdp import exchanges as wire
from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.requests import RequestLog
from stockade.engines.cdp.streams import StreamLog
from stockade.engines.events import (
    FrameDetached,
    FrameNavigated,
    PageClosed,
    PageCrashed,
    Request,
    RequestFinished,
    StreamFrame,
)
from stockade.engines.values import Credentials
from stockade.errors import ContentGone, InvalidArgument, ProtocolFault
from stockade.errors import PageClosed as PageClosedError

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["Network"]

_ENABLE: Command = (
    "Network.enable",
    {"maxTotalBufferSize": 10 << 20, "maxResourceBufferSize": 5 << 20},
)


class Network:
    """The network of one page: its frames and its dedicated workers."""

    def __init__(self, page: ChromiumPage) -> None:
        self._page = page
        self._log = RequestLog(page.events)
        self._streams = StreamLog(page.events, self._log)
        self._headers: Mapping[str, str] = page.context.options.headers
        self._sessions: dict[str, Session] = {}
        page.events.on(FrameNavigated, self._navigated)
        page.events.on(FrameDetached, lambda event: self._log.frame_gone(event.frame.id))
        page.events.on(PageCrashed, lambda _: self._log.all_gone())
        page.events.on(PageClosed, lambda _: self._log.all_gone())

    def setup(self, session: Session) -> Sequence[Command]:
        """Hear of requests."""
        del session
        commands = [_ENABLE]
        if self._headers:
            commands.append(("Network.setExtraHTTPHeaders", {"headers": dict(self._headers)}))
        return commands

    def watch(self, session: Session) -> None:
        """Log what a session of the page tells."""
        self._sessions[session.id] = session
        self._log.watch(session)
        self._streams.watch(session)

    def released(self, session: Session) -> None:
        """A frame's process or a worker is gone."""
        self._sessions.pop(session.id, None)
        self._log.session_gone(session)

    def _navigated(self, event: FrameNavigated) -> None:
        if not event.same_document:
            self._log.document_gone(event.frame.id, event.frame.document)

    @property
    def requests(self) -> Sequence[Request]:
        """The last requests, oldest first."""
        return self._log.requests

    @property
    def stream_frames(self) -> Sequence[StreamFrame]:
        """The last WebSocket and server-sent messages, oldest first."""
        return self._streams.frames

    def document_status(self, document: str) -> int | None:
        """The HTTP status a document came with."""
        return self._log.document_status(document)

    async def set_headers(self, headers: Mapping[str, str], timeout: float) -> None:
        """Send these headers with every request from now on."""
        self._headers = dict(headers)
        for session in tuple(self._sessions.values()):
            await session.send(
                "Network.setExtraHTTPHeaders", {"headers": self._headers}, timeout=timeout
            )

    async def set_credentials(self, credentials: Credentials | None, timeout: float) -> None:
        """Answer challenges with these credentials."""
        raise NotImplementedError

    async def response_body(self, request_id: str, timeout: float) -> bytes:
        """The body of an answer, while the browser has it."""
        request, session, number = self._find(request_id)
        if request.ended is None:
            await self._page.events.wait(
                RequestFinished, where=lambda event: event.request is request, timeout=timeout
            )
            request, session, number = self._find(request_id)
        if request.redirected_to:
            raise ContentGone("the answer was a redirect", redirected_to=request.redirected_to)
        try:
            answer = await session.send_typed(
                "Network.getResponseBody", {"requestId": number}, wire.Body, timeout=timeout
            )
        except (ProtocolFault, PageClosedError) as error:
            raise ContentGone("the browser no longer has the body", reason=str(error)) from error
        return base64.b64decode(answer.body) if answer.base64Encoded else answer.body.encode()

    async def request_body(self, request_id: str, timeout: float) -> bytes:
        """The body a request was sent with."""
        request, _, number = self._find(request_id)
        if not request.has_post_data:
            return b""
        session = self._sessions.get(request.session)
        if session is None:
            raise ContentGone("the frame or worker that sent the body is gone")
        try:
            answer = await session.send_typed(
                "Network.getRequestPostData", {"requestId": number}, wire.PostData, timeout=timeout
            )
        except (ProtocolFault, PageClosedError) as error:
            raise ContentGone("the browser no longer has the body", reason=str(error)) from error
        data = answer.postData
        return base64.b64decode(data) if answer.base64Encoded else data.encode()

    def _find(self, request_id: str) -> tuple[Request, Session, str]:
        found = self._log.find(request_id)
        if found is None:
            if self._log.known(request_id):
                raise ContentGone("the request is no longer in the log")
            raise InvalidArgument(f"no request has the id {request_id!r}")
        request, exchange = found
        return request, exchange.session, exchange.number
