"""What pages and workers ask of the network, and what is sent along."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from stockade.engines.cdp import bodies
from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.interception import Interceptor
from stockade.engines.cdp.requests import RequestLog
from stockade.engines.cdp.routes import Routes
from stockade.engines.cdp.streams import StreamLog
from stockade.engines.events import (
    Events,
    FrameDetached,
    FrameNavigated,
    PageClosed,
    PageCrashed,
    Request,
    StreamFrame,
)
from stockade.engines.routing import Asker
from stockade.engines.values import ContextOptions, Credentials
from stockade.errors import TabClosed

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["Network", "Traffic"]

_KEPT = {"maxTotalBufferSize": 10 << 20, "maxResourceBufferSize": 5 << 20}
_ENABLE: Command = ("Network.enable", _KEPT)
_KEEP_BODIES: Command = ("Network.configureDurableMessages", _KEPT)
"""Without it a body goes with its document, and one that was read as a blob is never there."""


class Traffic:
    """The network of some targets: their log, their extra headers, their credentials."""

    def __init__(
        self,
        events: Events,
        options: ContextOptions,
        routes: Routes,
        peers: Callable[[], Iterable[RequestLog]] | None = None,
        top_document: Callable[[], str] = str,
        page: ChromiumPage | None = None,
    ) -> None:
        self.log = RequestLog(
            events,
            peers or tuple,
            prefix="r" if peers is None else "w",
            proxy=options.proxy,
            top_document=top_document,
        )
        self._events = events
        self._streams = StreamLog(events, self.log)
        self.interceptor = Interceptor(options.credentials, routes, self.log, events.emit, page)
        self._standing_headers = options.headers
        self._headers = dict(options.headers)
        self._sessions: dict[str, Session] = {}
        self._enable = (_ENABLE, _KEEP_BODIES) if options.keep_bodies else (_ENABLE,)

    def setup(self, session: Session) -> Sequence[Command]:
        """Hear of requests, and send along what every request is to carry."""
        del session
        return [*self._enable, *self._headers_command(), *self.interceptor.setup()]

    def watch(self, session: Session, asker: Asker = "page") -> None:
        """Log what a session tells, and answer for what it holds."""
        self.watch_worker(session)
        self.interceptor.watch(session, asker)

    def setup_worker(self) -> Sequence[Command]:
        """The same for a dedicated worker: its requests are held by its page."""
        return [*self._enable, *self._headers_command()]

    def watch_worker(self, session: Session) -> None:
        """Log what a dedicated worker tells."""
        self._sessions[session.id] = session
        self.log.watch(session)
        self._streams.watch(session)

    def released(self, session: Session) -> None:
        """A frame's process or a worker is gone."""
        self._sessions.pop(session.id, None)
        self.interceptor.released(session)
        self.log.session_gone(session)

    @property
    def requests(self) -> Sequence[Request]:
        """The last requests, oldest first."""
        return self.log.requests

    @property
    def stream_frames(self) -> Sequence[StreamFrame]:
        """The last WebSocket and server-sent messages, oldest first."""
        return self._streams.frames

    async def response_body(self, request_id: str, timeout: float) -> bytes:
        """The body of an answer, while the browser has it."""
        return await bodies.response_body(self.log, self._events, request_id, timeout=timeout)

    async def request_body(self, request_id: str, timeout: float) -> bytes:
        """The body a request was sent with."""
        return await bodies.request_body(self.log, request_id, timeout=timeout)

    async def set_headers(self, headers: Mapping[str, str], timeout: float) -> None:
        """Send these headers, besides those of the context, with every request from now on."""
        self._check()
        self._headers = {**self._standing_headers, **headers}
        for session in tuple(self._sessions.values()):
            try:
                await session.send(
                    "Network.setExtraHTTPHeaders", {"headers": self._headers}, timeout=timeout
                )
            except TabClosed:
                continue  # A frame or worker that went meanwhile sends nothing any more.

    async def set_credentials(self, credentials: Credentials | None, timeout: float) -> None:
        """Answer challenges with these credentials, or with none."""
        self._check()
        await self.interceptor.set_credentials(credentials, timeout=timeout)

    def _check(self) -> None:
        if not self._sessions:
            raise TabClosed("the tab is gone")

    def _headers_command(self) -> Sequence[Command]:
        if not self._headers:
            return []
        return [("Network.setExtraHTTPHeaders", {"headers": self._headers})]


class Network(Traffic):
    """The network of one page: its frames and its dedicated workers."""

    def __init__(self, page: ChromiumPage) -> None:
        super().__init__(
            page.events,
            page.context.options,
            page.context.routes,
            top_document=lambda: page.main_frame.document,
            page=page,
        )
        self._page = page
        page.events.on(FrameNavigated, self._navigated)
        page.events.on(FrameDetached, lambda event: self.log.frame_gone(event.frame.id))
        page.events.on(PageCrashed, lambda _: self.log.all_gone())
        page.events.on(PageClosed, lambda _: self.log.all_gone())

    def document_status(self, document: str) -> int | None:
        """The HTTP status a document came with."""
        return self.log.document_status(document)

    def document_request(self, document: str) -> Request | None:
        """The last request that a document was to come by."""
        return self.log.numbered(document)

    def _navigated(self, event: FrameNavigated) -> None:
        if event.same_document:
            return
        frame = event.frame
        top = frame.parent is None
        self.log.document_gone(frame.id, frame.document, self._page.session if top else None)
