"""Requests held on their way: the one place that uses Chromium's `Fetch` domain."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from stockade.engines.cdp.authentication import Authenticator, Challenged
from stockade.engines.cdp.connection import Command, Session
from stockade.engines.values import Credentials
from stockade.errors import TabClosed

__all__ = ["Interceptor"]


class _Paused(msgspec.Struct):
    requestId: str


class Interceptor:
    """Holds requests while somebody has something to say to them, and costs nothing otherwise."""

    def __init__(self, credentials: Credentials | None) -> None:
        self._sessions: dict[str, Session] = {}
        self._authenticator = Authenticator(credentials) if credentials is not None else None

    def watch(self, session: Session) -> None:
        """Answer for what one session holds."""
        self._sessions[session.id] = session
        session.on("Fetch.requestPaused", lambda e: self._paused(session, e), _Paused)
        session.on("Fetch.authRequired", lambda e: self._challenged(session, e), Challenged)

    def setup(self) -> Sequence[Command]:
        """What a new session is told: nothing while nobody intercepts."""
        return [] if self._authenticator is None else [self._enable(self._authenticator)]

    def released(self, session: Session) -> None:
        """A session has ended."""
        self._sessions.pop(session.id, None)

    async def set_credentials(self, credentials: Credentials | None, *, timeout: float) -> None:
        """Answer challenges with these credentials, or with none."""
        self._authenticator = Authenticator(credentials) if credentials is not None else None
        [command] = self.setup() or [("Fetch.disable", {})]
        for session in tuple(self._sessions.values()):
            try:
                await session.send(*command, timeout=timeout)
            except TabClosed:
                continue  # A frame that went meanwhile needs no answer any more.

    def _enable(self, authenticator: Authenticator) -> Command:
        return (
            "Fetch.enable",
            {"handleAuthRequests": True, "patterns": [{"urlPattern": authenticator.pattern}]},
        )

    def _paused(self, session: Session, event: _Paused) -> None:
        session.post(("Fetch.continueRequest", {"requestId": event.requestId}))

    def _challenged(self, session: Session, event: Challenged) -> None:
        answer = (
            self._authenticator.answer(event)
            if self._authenticator is not None
            else {"response": "CancelAuth"}
        )
        session.post(
            (
                "Fetch.continueWithAuth",
                {"requestId": event.requestId, "authChallengeResponse": answer},
            )
        )
