"""Outgoing gate: what the pages of a session send is looked at before it leaves the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from stockade.engines.port import Context
from stockade.engines.routing import HeldRequest
from stockade.kernel.secret_requests import SecretRequests
from stockade.kernel.submissions import Submissions
from stockade.kernel.verdicts import Verdict, verdict_by
from stockade.sessions.changes import SessionOpened
from stockade.sessions.session import Session

if TYPE_CHECKING:
    from stockade.kernel.dispatch import Kernel

__all__ = ["OutgoingGate", "follow"]

_PATIENCE: Final = 5.0


class OutgoingGate:
    """The gate of one session; it is shut to nothing until there is something to look for."""

    def __init__(self, kernel: Kernel, session: Session) -> None:
        self._session = session
        self._submissions = Submissions(kernel, session)
        self._looks = bool(self._submissions.rules)
        self.past_workers = self._looks
        self._for_secrets = False
        self.secret_requests = SecretRequests(session, kernel.masker, kernel.secrets)
        if self._looks:
            session.parts.of(Submissions, lambda: self._submissions)
        session.after_start.append(self._begin)

    async def _begin(self, context: Context) -> None:
        if self._submissions.rules:
            self._submissions.follow(context)
        if self._looks:
            await context.set_gate(self, timeout=_PATIENCE)

    async def look_for_secrets(self) -> None:
        """From now on nothing leaves that would carry a secret to another site."""
        if self._for_secrets:
            return
        self._for_secrets = True
        if not self._looks:
            self._looks = True
            await (await self._session.started()).set_gate(self, timeout=_PATIENCE)

    def admit(self, request: HeldRequest) -> bool | HeldRequest | asyncio.Future[bool]:
        """Whether a request may go out."""
        if self._for_secrets:
            stops = self.secret_requests.stops(request)
            if callable(stops):
                return self._admit_later(request, stops)
            if stops:
                return False
        return self._submissions.admit(request) if self._submissions.rules else True

    def _admit_later(
        self, request: HeldRequest, stops: Callable[[], Awaitable[bool]]
    ) -> asyncio.Future[bool]:
        async def look(verdict: Verdict) -> None:
            verdict.give(admitted=not await stops() and await self._further(request))

        return verdict_by(self._session, look)

    async def _further(self, request: HeldRequest) -> bool:
        if not self._submissions.rules:
            return True
        said = self._submissions.admit(request)
        # What is sent in its place is what it is itself, but for its parts' boundary.
        return await said if isinstance(said, asyncio.Future) else bool(said)


def follow(kernel: Kernel) -> None:
    """Every session has one from its beginning."""

    def begin(session: Session) -> None:
        session.parts.of(OutgoingGate, lambda: OutgoingGate(kernel, session))

    kernel.sessions.changes.on(SessionOpened, lambda event: begin(event.session))
