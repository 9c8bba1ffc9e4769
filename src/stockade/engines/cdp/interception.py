"""Requests held on their way: the one place that uses Chromium's `Fetch` domain."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from stockade.engines.cdp.authentication import Authenticator, Challenged
from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.routes import Routes, fulfilment
from stockade.engines.events import Event, Request, RequestHeld, RequestReleased
from stockade.engines.routing import Answer, Asker, HeldRequest
from stockade.engines.values import Credentials
from stockade.errors import EngineError

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage
    from stockade.engines.cdp.requests import RequestLog

__all__ = ["Interceptor"]

_LARGEST_BODY = 1 << 20


class _Piece(msgspec.Struct):
    bytes: str = ""


class _Outgoing(msgspec.Struct):
    url: str
    method: str = "GET"
    headers: dict[str, str] = {}
    urlFragment: str = ""
    hasPostData: bool = False
    postDataEntries: list[_Piece] = []


class _Paused(msgspec.Struct):
    requestId: str
    request: _Outgoing
    networkId: str = ""
    frameId: str = ""
    resourceType: str = ""
    redirectedRequestId: str = ""


class Interceptor:
    """Holds requests while somebody has something to say to them, and costs nothing otherwise."""

    def __init__(
        self,
        credentials: Credentials | None,
        routes: Routes,
        log: RequestLog,
        tell: Callable[[Event], None],
        page: ChromiumPage | None = None,
    ) -> None:
        self._sessions: dict[str, tuple[Session, Asker]] = {}
        self._authenticator = Authenticator(credentials)
        self._routes = routes
        self._log = log
        self._tell = tell
        self._page = page
        self._waiting: dict[str, dict[str, tuple[asyncio.TimerHandle, Callable[[], None]]]] = {}
        """Answers that are given later: by session, then by request."""
        self._undecided: dict[str, dict[str, asyncio.Future[bool]]] = {}
        """What the gate has not decided yet: by session, then by request."""

    def watch(self, session: Session, asker: Asker = "page") -> None:
        """Answer for what one session holds."""
        self._sessions[session.id] = (session, asker)
        session.on("Fetch.requestPaused", lambda e: self._paused(session, asker, e), _Paused)
        session.on("Fetch.authRequired", lambda e: self._challenged(session, e), Challenged)

    def setup(self) -> Sequence[Command]:
        """What a new session is told: nothing while nobody intercepts."""
        challenged = self._authenticator.pattern
        patterns = set(self._routes.patterns)
        if challenged is not None:
            patterns.add(challenged)
        if not patterns:
            return []
        held = ["*"] if "*" in patterns else sorted(patterns)
        params = {
            "handleAuthRequests": challenged is not None,
            "patterns": [{"urlPattern": each} for each in held],
        }
        gate = self._routes.gate
        passed: Sequence[Command] = (
            [("Network.setBypassServiceWorker", {"bypass": True})]
            if gate is not None and gate.past_workers and self._page is not None
            else []
        )
        return [("Fetch.enable", params), *passed]

    def released(self, session: Session) -> None:
        """A session has ended."""
        self._sessions.pop(session.id, None)
        for timer, _ in self._waiting.pop(session.id, {}).values():
            timer.cancel()
        for verdict in self._undecided.pop(session.id, {}).values():
            verdict.cancel()

    async def set_credentials(self, credentials: Credentials | None, *, timeout: float) -> None:
        """Answer challenges with these credentials, or with none."""
        self._authenticator = Authenticator(credentials)
        await self.refresh(timeout=timeout)

    async def refresh(self, *, timeout: float) -> None:
        """Hold what is to be held now."""
        answers = [
            future
            for session, _ in tuple(self._sessions.values())
            if session.failure is None
            for future in session.connection.submit(session, self._commands(session), timeout)
        ]
        for answer in answers:
            try:
                await answer
            except EngineError:
                continue  # A frame that went meanwhile needs no answer any more.

    def _commands(self, session: Session) -> Sequence[Command]:
        commands = self.setup()
        if commands:
            return commands
        # What is held when holding ends would go out after all.
        for timer, give in self._waiting.pop(session.id, {}).values():
            timer.cancel()
            give()
        for verdict in self._undecided.pop(session.id, {}).values():
            verdict.cancel()
        return [("Fetch.disable", {})]

    def _paused(self, session: Session, asker: Asker, event: _Paused) -> None:
        held = self._held(event, asker)
        answer = self._routes.answer(held) if self._routes.current else None
        if answer is None:
            self._judge(session, event, held)
            return
        self._log.routed(event.networkId, answer.body)

        def give() -> None:
            self._give(session, event, answer)

        if answer.delay <= 0:
            give()
            return

        def give_later() -> None:
            self._waiting.get(session.id, {}).pop(event.requestId, None)
            give()

        timer = asyncio.get_running_loop().call_later(answer.delay, give_later)
        self._waiting.setdefault(session.id, {})[event.requestId] = (timer, give)

    def _judge(self, session: Session, event: _Paused, held: HeldRequest) -> None:
        """Let a request go, or not, as the gate says; where there is none, it may."""
        gate = self._routes.gate
        verdict = True if gate is None else gate.admit(held)
        if isinstance(verdict, HeldRequest):
            session.post(("Fetch.continueRequest", _in_place(event, verdict)))
            return
        if isinstance(verdict, bool):
            self._let_go(session, event, admitted=verdict)
            return
        self._undecided.setdefault(session.id, {})[event.requestId] = verdict
        self._tell(RequestHeld(held.url))
        verdict.add_done_callback(partial(self._decided, session, event))

    def _decided(self, session: Session, event: _Paused, verdict: asyncio.Future[bool]) -> None:
        self._undecided.get(session.id, {}).pop(event.requestId, None)
        if session.failure is not None:
            return
        admitted = not verdict.cancelled() and verdict.exception() is None and verdict.result()
        if admitted:
            self._tell(RequestReleased(event.resourceType, event.frameId, self._logged(event)))
        self._let_go(session, event, admitted=admitted)

    def _logged(self, event: _Paused) -> Request | None:
        return self._log.numbered(event.networkId) if event.networkId else None

    def _let_go(self, session: Session, event: _Paused, *, admitted: bool) -> None:
        name = {"requestId": event.requestId}
        if admitted:
            session.post(("Fetch.continueRequest", name))
            return
        # A navigation that is aborted leaves the page that is there.
        reason = "Aborted" if event.resourceType == "Document" else "BlockedByClient"
        session.post(("Fetch.failRequest", {**name, "errorReason": reason}))

    def _held(self, event: _Paused, asker: Asker) -> HeldRequest:
        request = event.request
        return HeldRequest(
            request.url,
            request.method,
            request.headers,
            _body(request),
            tuple(each.bytes for each in request.postDataEntries),
            asker,
            type=event.resourceType,
            frame=event.frameId,
            page=self._page,
            redirected=bool(event.redirectedRequestId),
            reason=self._reason(event),
            fragment=request.urlFragment,
        )

    def _reason(self, event: _Paused) -> str:
        page = self._page
        if page is None or event.resourceType != "Document" or event.redirectedRequestId:
            return ""
        opener = page.opener.frames if page.opener is not None else ()
        frames = [event.frameId, *(each.id for each in opener)]
        return page.context.navigation_reasons.take(frames, event.request.url)

    def _give(self, session: Session, event: _Paused, answer: Answer) -> None:
        params = fulfilment(event.request.method, answer)
        name = {"requestId": event.requestId}
        if params is None:
            session.post(("Fetch.failRequest", {**name, "errorReason": "BlockedByClient"}))
        else:
            session.post(("Fetch.fulfillRequest", {**name, **params}))

    def _challenged(self, session: Session, event: Challenged) -> None:
        answer = self._authenticator.answer(event)
        session.post(
            (
                "Fetch.continueWithAuth",
                {"requestId": event.requestId, "authChallengeResponse": answer},
            )
        )


def _body(request: _Outgoing) -> bytes | None:
    pieces = request.postDataEntries
    if not request.hasPostData:
        return b""
    if not pieces or sum(len(each.bytes) for each in pieces) > _LARGEST_BODY:
        return None
    try:
        return b"".join(base64.b64decode(each.bytes) for each in pieces)
    except binascii.Error:
        return None


def _in_place(event: _Paused, request: HeldRequest) -> dict[str, Any]:
    """Another request, as `Fetch.continueRequest` takes it; it goes to the same address."""
    return {
        "requestId": event.requestId,
        "method": request.method,
        "headers": [{"name": name, "value": value} for name, value in request.headers.items()],
        "postData": base64.b64encode(b"".join(map(base64.b64decode, request.pieces))).decode(),
    }
