"""The network log: the recent requests of some targets, with what became of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from stockade.engines.cdp import request_events as wire
from stockade.engines.cdp.connection import Session
from stockade.engines.cdp.exchanges import Exchange, Ledger
from stockade.engines.events import (
    Events,
    Request,
    RequestAnswered,
    RequestFinished,
    RequestStarted,
)
from stockade.engines.values import Proxy

__all__ = ["GONE", "RequestLog"]

GONE = "gone"
"""The failure of a request whose document, worker or tab ended before it was answered."""

_LONGEST_HEADER = 8 << 10
_DOCUMENTS_KEPT = 64
_EARLY_KEPT = 64


@dataclass(slots=True)
class _Early:
    """Headers of hops that are not known yet."""

    requests: list[dict[str, str]] = field(default_factory=list)
    answers: list[dict[str, str]] = field(default_factory=list)


class RequestLog:
    """Keeps the last requests of every session it watches, and tells of them as they come.

    A page begins the request for a shared worker's script and the worker ends it, so a log may
    have peers in which it looks for what it does not know.
    """

    def __init__(
        self,
        events: Events,
        peers: Callable[[], Iterable[RequestLog]] = tuple,
        prefix: str = "r",
        *,
        proxy: Proxy | None = None,
        top_document: Callable[[], str] = str,
    ) -> None:
        self._proxy = proxy
        self._top_document = top_document
        self._events = events
        self._prefix = prefix
        self._peers = peers
        self._ledger = Ledger(self._abandon)
        self._count = 0
        self._clock_offset = time.time() - time.monotonic()
        self._early: dict[str, _Early] = {}
        self._preflights: dict[str, Request] = {}
        self._routed: dict[str, bytes] = {}
        self._statuses: dict[str, int] = {}

    def watch(self, session: Session) -> None:
        """Log what one session tells."""
        on = session.on
        on("Network.requestWillBeSent", lambda e: self._sent(session, e), wire.Sent)
        on(
            "Network.requestWillBeSentExtraInfo",
            lambda e: self._raw_request(e.requestId, e.headers),
            wire.Raw,
        )
        on("Network.responseReceived", lambda e: self._received(session, e), wire.Received)
        on(
            "Network.responseReceivedExtraInfo",
            lambda e: self._raw_answer(e.requestId, e.headers),
            wire.Raw,
        )
        on("Network.requestServedFromCache", self._from_cache, wire.Named)
        on("Network.loadingFinished", lambda e: self._loaded(session, e), wire.Finished)
        on("Network.loadingFailed", self._failed, wire.Failed)
        on("Network.webSocketCreated", lambda e: self._socket(session, e), wire.SocketCreated)
        on("Network.webSocketWillSendHandshakeRequest", self._handshake, wire.SocketHandshake)
        on("Network.webSocketHandshakeResponseReceived", self._upgraded, wire.Received)
        on("Network.webSocketFrameError", self._socket_failed, wire.SocketFailed)
        on("Network.webSocketClosed", self._socket_closed, wire.SocketClosed)
        on("Inspector.targetCrashed", lambda _: self.session_gone(session, crashed=True), dict)

    # --- reading ------------------------------------------------------------------------------

    @property
    def requests(self) -> Sequence[Request]:
        """The requests of the log, oldest first."""
        return tuple(entry.request for entry in self._ledger.entries.values())

    def document_status(self, document: str) -> int | None:
        """The HTTP status a document came with."""
        return self._statuses.get(document)

    def find(self, request_id: str) -> tuple[Request, Exchange] | None:
        """A request by the log's own name for it."""
        entry = self._ledger.entries.get(request_id)
        return None if entry is None else (entry.request, entry.exchange)

    def known(self, request_id: str) -> bool:
        """Whether the log has ever given that name to a request."""
        number = request_id[1:]
        return (
            request_id[:1] == self._prefix and number.isdecimal() and 0 < int(number) <= self._count
        )

    def numbered(self, number: str) -> Request | None:
        """A request by Chromium's number for it."""
        exchange = self._ledger.exchanges.get(number)
        return None if exchange is None else exchange.request

    def routed(self, number: str, body: bytes) -> None:
        """Note what a request is answered here, whether it has been told of already or not."""
        found = self.under_way(number)
        if found is not None:
            request = found[1].request
            request.routed, request.routed_body = True, body
        elif number:
            self._routed[number] = body
            _shorten(self._routed, _EARLY_KEPT)

    def wall_time(self, timestamp: float) -> float:
        """Chromium's monotonic time as seconds since 1970."""
        return self._clock_offset + timestamp

    # --- ends ---------------------------------------------------------------------------------

    def document_gone(self, frame: str, document: str, session: Session | None = None) -> None:
        """Another document is shown in `frame`: Chromium never ends what the old one waited for.

        A WebSocket does not say whose frame it is; with the top frame of a `session`, all go.
        """

        def left_behind(exchange: Exchange) -> bool:
            request = exchange.request
            if not request.frame:
                return exchange.session is session
            of_old_document = request.frame == frame and request.document != document
            return of_old_document and not exchange.navigates

        self._end(left_behind)

    def frame_gone(self, frame: str) -> None:
        """A frame was removed."""
        self._end(lambda exchange: exchange.request.frame == frame)

    def session_gone(self, session: Session, *, crashed: bool = False) -> None:
        """A target is gone; the navigation that took its place may have begun in it."""
        self._end(
            lambda exchange: exchange.session is session and (crashed or not exchange.navigates)
        )

    def all_gone(self) -> None:
        """Nothing watched is left."""
        self._end(lambda _: True)

    def _end(self, chosen: Callable[[Exchange], bool]) -> None:
        for exchange in tuple(self._ledger.pending.values()):
            if chosen(exchange):
                self._abandon(exchange)

    def _abandon(self, exchange: Exchange) -> None:
        """Note that whoever made a request is gone."""
        exchange.request.canceled = True
        answered = exchange.request.answered is not None
        self.finish(exchange, time.time(), failure="" if answered else GONE)

    def cancel(self, exchange: Exchange, at: float, failure: str) -> None:
        """Note that the page or the browser gave up; what was answered by then did not fail.

        Chromium tells of every `fetch` whose body the page does not read as if it had failed, of
        empty answers to navigations, and of downloads.
        """
        exchange.request.canceled = True
        if exchange.request.answered is not None:
            self.finish(exchange, at)
        else:
            self.fail(exchange, at, failure)

    # --- requests -----------------------------------------------------------------------------

    def _sent(self, session: Session, event: wire.Sent) -> None:
        sent = event.request
        if sent.url.startswith("data:"):
            return  # It carries its content with it: nothing is asked of anybody.
        self._clock_offset = event.wallTime - event.timestamp
        exchange = self._ledger.pending.get(event.requestId)
        if exchange is not None:
            if event.redirectResponse is None:
                return  # The same request, told again by another session or after a challenge.
            self._redirected(exchange, event, event.redirectResponse)
        request = Request(
            id=self._next_id(),
            url=sent.url + sent.urlFragment,
            method=sent.method,
            type=event.type,
            started=event.wallTime,
            frame=event.frameId,
            document=event.loaderId,
            top_document=self._top_document(),
            request_headers=_cut(sent.headers),
            has_post_data=sent.hasPostData,
            session=session.id,
        )
        if event.initiator.type == "preflight":
            request.type = "Preflight"
            asker = self.numbered(event.initiator.requestId)
            if asker is None:
                self._preflights[event.initiator.requestId] = request
                _shorten(self._preflights, _EARLY_KEPT)
            else:
                request.frame, request.document = asker.frame, asker.document
        self._begin(exchange or Exchange(event.requestId, session, session), request)

    def _begin(self, exchange: Exchange, request: Request) -> None:
        preflight = self._preflights.pop(exchange.number, None)
        if preflight is not None:
            preflight.frame, preflight.document = request.frame, request.document
        request.routed_body = self._routed.pop(exchange.number, None)
        request.routed = request.routed_body is not None
        self._ledger.add(exchange, request)
        early = self._early.pop(exchange.number, None)
        if early is not None:
            for headers in early.requests:
                self._raw_request(exchange.number, headers)
            for headers in early.answers:
                self._raw_answer(exchange.number, headers)
        if self._events.wanted(RequestStarted):
            self._events.emit(RequestStarted(request))

    def _redirected(self, exchange: Exchange, event: wire.Sent, answer: wire.Response) -> None:
        self.answer(exchange, answer, event.wallTime, raw=event.redirectHasExtraInfo)
        exchange.request.redirected_to = event.request.url
        exchange.request.bytes = int(answer.encodedDataLength)
        self.finish(exchange, event.wallTime)

    # --- headers of the wire: they come by another way, in order, but early or late -----------

    def _raw_request(self, number: str, headers: dict[str, str]) -> None:
        exchange = self._ledger.exchanges.get(number)
        if exchange is None or exchange.raw_requests >= len(exchange.entries):
            self._too_early(number).requests.append(headers)
            return
        entry = exchange.entries[exchange.raw_requests]
        exchange.raw_requests += 1
        entry.request.request_headers = _cut(headers)
        self._ledger.weigh(entry)

    def _raw_answer(self, number: str, headers: dict[str, str]) -> None:
        exchange = self._ledger.exchanges.get(number)
        if exchange is None or exchange.raw_answers >= len(exchange.entries):
            self._too_early(number).answers.append(headers)
            return
        entry = exchange.entries[exchange.raw_answers]
        exchange.raw_answers += 1
        entry.request.response_headers = _cut(headers)
        self._ledger.weigh(entry)

    def _too_early(self, number: str) -> _Early:
        early = self._early.setdefault(number, _Early())
        _shorten(self._early, _EARLY_KEPT)
        return early

    # --- answers ------------------------------------------------------------------------------

    def under_way(self, number: str) -> tuple[RequestLog, Exchange] | None:
        """What is not over yet under Chromium's number, and the log it is in."""
        exchange = self._ledger.pending.get(number)
        if exchange is not None:
            return self, exchange
        for peer in self._peers():
            found = peer.under_way(number)
            if found is not None:
                return found
        return None

    def _received(self, session: Session, event: wire.Received) -> None:
        found = self.under_way(event.requestId)
        if found is None:
            return
        log, exchange = found
        exchange.session = session
        at = self.wall_time(event.timestamp)
        log.answer(exchange, event.response, at, raw=event.hasExtraInfo)
        if exchange.navigates:
            self._statuses[event.requestId] = event.response.status
            _shorten(self._statuses, _DOCUMENTS_KEPT)

    def answer(self, exchange: Exchange, response: wire.Response, at: float, *, raw: bool) -> None:
        """Note the head of the answer."""
        request = exchange.request
        request.answered = at
        request.status = response.status
        request.status_text = response.statusText
        request.mime_type = response.mimeType
        request.protocol = response.protocol
        if self._proxy is None:
            # Through a proxy, that is the only one the browser sees.
            request.server = response.remoteIPAddress
            request.server_port = response.remotePort
        request.timing = None if response.timing is None else response.timing.phases()
        request.from_service_worker = response.fromServiceWorker
        request.from_cache |= response.fromDiskCache or response.fromPrefetchCache
        hops = len(exchange.entries)
        if exchange.raw_answers < hops:
            request.response_headers = _cut(response.headers)
        if not raw:
            # No raw headers will come for this hop: the next ones belong to the next hop.
            exchange.raw_requests = max(exchange.raw_requests, hops)
            exchange.raw_answers = max(exchange.raw_answers, hops)
        self._ledger.weigh(exchange.entries[-1])
        if self._events.wanted(RequestAnswered):
            self._events.emit(RequestAnswered(request))

    def _from_cache(self, event: wire.Named) -> None:
        found = self.under_way(event.requestId)
        if found is not None:
            found[1].request.from_cache = True

    def _loaded(self, session: Session, event: wire.Finished) -> None:
        found = self.under_way(event.requestId)
        if found is not None:
            log, exchange = found
            exchange.session = session
            exchange.request.bytes = int(event.encodedDataLength)
            log.finish(exchange, self.wall_time(event.timestamp))

    def _failed(self, event: wire.Failed) -> None:
        found = self.under_way(event.requestId)
        if found is None:
            return
        reason = event.blockedReason
        if event.corsErrorStatus is not None:
            reason = event.corsErrorStatus.corsError
        failure = event.errorText or "failed"
        failure = f"{failure} ({reason})" if reason else failure
        log, exchange = found
        end = log.cancel if event.canceled and not reason else log.fail
        end(exchange, self.wall_time(event.timestamp), failure)

    def fail(self, exchange: Exchange, at: float, failure: str) -> None:
        """Note that the last hop came to nothing, by the proxy's word where it knows better."""
        if failure and self._proxy is not None and self._proxy.explain is not None:
            failure = self._proxy.explain(exchange.request.url, failure).failure
        self.finish(exchange, at, failure=failure)

    def finish(self, exchange: Exchange, at: float, *, failure: str = "") -> None:
        """Note that the last hop has ended."""
        request = exchange.request
        request.ended = at
        request.failure = failure
        self._ledger.end(exchange)
        if self._events.wanted(RequestFinished):
            self._events.emit(RequestFinished(request))

    def _next_id(self) -> str:
        self._count += 1
        return f"{self._prefix}{self._count}"

    # --- WebSockets ---------------------------------------------------------------------------

    def _socket(self, session: Session, event: wire.SocketCreated) -> None:
        request = Request(
            id=self._next_id(),
            url=event.url,
            method="GET",
            type="WebSocket",
            started=time.time(),
            top_document=self._top_document(),
            session=session.id,
        )
        self._begin(Exchange(event.requestId, session, session), request)

    def _handshake(self, event: wire.SocketHandshake) -> None:
        exchange = self._ledger.pending.get(event.requestId)
        if exchange is not None:
            exchange.request.request_headers = _cut(event.request.headers)
            self._ledger.weigh(exchange.entries[-1])

    def _upgraded(self, event: wire.Received) -> None:
        exchange = self._ledger.pending.get(event.requestId)
        if exchange is not None:
            self.answer(exchange, event.response, self.wall_time(event.timestamp), raw=False)

    def _socket_failed(self, event: wire.SocketFailed) -> None:
        exchange = self._ledger.pending.get(event.requestId)
        if exchange is not None:
            self.fail(exchange, time.time(), event.errorMessage or "failed")

    def _socket_closed(self, event: wire.SocketClosed) -> None:
        exchange = self._ledger.pending.get(event.requestId)
        if exchange is not None:
            self.finish(exchange, self.wall_time(event.timestamp))


def _shorten(kept: dict[str, Any], length: int) -> None:
    while len(kept) > length:
        del kept[next(iter(kept))]


def _cut(headers: dict[str, str]) -> dict[str, str]:
    headers = dict(headers)
    for name, value in headers.items():
        if len(value) > _LONGEST_HEADER:
            headers[name] = value[:_LONGEST_HEADER] + "…"
    return headers
