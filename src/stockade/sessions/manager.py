"""All sessions of a server: opened, found, and ended when nobody needs them."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from stockade.config import Settings
from stockade.engines.port import Engine
from stockade.engines.values import LaunchOptions
from stockade.errors import (
    Conflict,
    DeadlineExceeded,
    EngineError,
    InvalidArgument,
    QuotaExceeded,
    SessionNotFound,
)
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal, Role
from stockade.sessions.browsers import Browsers
from stockade.sessions.options import SessionOptions
from stockade.sessions.session import Session, SessionLimits

__all__ = ["DEFAULT_SESSION", "Sessions"]

DEFAULT_SESSION = "default"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@:-]{0,99}")
_ENDED_KEPT = 1000

_Place = tuple[str, str, str, str]
"""Tenant, key, client and name: two of them may share any three."""


class Sessions:
    """Use it as a context manager: what it started ends with it."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self._settings = settings
        launch = LaunchOptions(binary=settings.chromium, uid=settings.browser_uid)
        self.browsers = Browsers(engine, launch, settings.isolation)
        self._open: dict[_Place, Session] = {}
        self._ended: dict[_Place, str] = {}
        self._changed = asyncio.Event()
        self._keeping = asyncio.TaskGroup()
        self._stopping = False
        self.on_end: list[Callable[[Session], None]] = []
        """Told of every session that has ended."""

    async def __aenter__(self) -> Self:
        await self._keeping.__aenter__()
        self._keeping.create_task(self._keep(), name="housekeeping")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping = True
        self._changed.set()
        try:
            await self.close_all()
        finally:
            await self._keeping.__aexit__(kind, error, trace)

    # --- finding --------------------------------------------------------------------------------

    def all(self) -> list[Session]:
        """Every open session."""
        return list(self._open.values())

    def visible_to(self, principal: Principal) -> list[Session]:
        """An agent sees what it opened; an operator all of its tenant."""
        return [each for each in self._open.values() if _may_see(principal, each)]

    def find(self, principal: Principal, name: str) -> Session:
        """The session of that name, or of that id; another's is as if it were not there."""
        place = _place(principal, name)
        session = self._open.get(place)
        if session is None:
            session = next((each for each in self.visible_to(principal) if each.id == name), None)
        if session is None:
            reason = self._ended.get(place)
            raise SessionNotFound(
                f"there is no session {name[:100]!r}" + (f": {reason}" if reason else ""),
                hint="Open it with open_session.",
            )
        return session

    async def reach(self, principal: Principal, name: str) -> Session:
        """Like `find`, but the default session is there as soon as it is wanted."""
        try:
            return self.find(principal, name)
        except SessionNotFound:
            if name != DEFAULT_SESSION:
                raise
        return self.open(principal, name)

    # --- opening and closing --------------------------------------------------------------------

    def open(
        self,
        principal: Principal,
        name: str,
        *,
        options: SessionOptions | None = None,
        policy: Policy | None = None,
    ) -> Session:
        """Make a session; its policy is the caller's as it is now, or less."""
        if not _NAME.fullmatch(name):
            raise InvalidArgument(
                "a session's name is 1 to 100 letters, digits or . _ @ : -, letter or digit first"
            )
        place = _place(principal, name)
        if place in self._open:
            raise Conflict(f"session {name} is open already", hint="Use it, or close it first.")
        if len(self._open) >= self._settings.max_sessions:
            raise QuotaExceeded(
                f"{self._settings.max_sessions} sessions are open on this server",
                hint="Close one first.",
            )
        session = Session(
            f"ses_{secrets.token_hex(8)}",
            name,
            principal,
            policy or principal.policy,
            options or SessionOptions(),
            self.browsers,
            SessionLimits(
                calls=self._settings.calls_per_user,
                tabs=self._settings.max_tabs_per_session,
                room=self._has_room,
                uid=self._settings.browser_uid,
            ),
        )
        self._open[place] = session
        self._ended.pop(place, None)
        self._changed.set()
        return session

    def _has_room(self) -> bool:
        return sum(len(each.tabs) for each in self._open.values()) < self._settings.max_tabs

    async def close(self, session: Session, reason: str = "it was closed") -> None:
        """End a session and everything in it."""
        place = _place(session.owner, session.name)
        if self._open.get(place) is session:
            del self._open[place]
            self._ended[place] = reason
            if len(self._ended) > _ENDED_KEPT:
                del self._ended[next(iter(self._ended))]
        await session.close()
        for told in self.on_end:
            told(session)
        self._changed.set()

    async def close_client(self, principal: Principal) -> None:
        """End every session of one client."""
        mine = [each for each in self._open.values() if each.owner == principal]
        await asyncio.gather(*(self.close(each, "its client left") for each in mine))

    async def close_all(self) -> None:
        """End everything."""
        await asyncio.gather(*(self.close(each, "the server stopped") for each in self.all()))
        await self.browsers.close()

    # --- housekeeping ---------------------------------------------------------------------------

    async def _keep(self) -> None:
        """End idle sessions and browsers and freeze idle tabs, each when it is due."""
        while not self._stopping:
            due = await self._tidy()
            self._changed.clear()
            try:
                async with asyncio.timeout(due):
                    await self._changed.wait()
            except TimeoutError:
                continue

    async def _tidy(self) -> float | None:
        """Do what is due now; the answer is how long until the next thing is."""
        now = time.monotonic()
        waits: list[float] = []
        for session in self.all():
            if session.slots.users:
                waits.append(1.0)
                continue
            left = session.last_used + self._settings.session_idle - now
            if self._settings.session_idle and left <= 0:
                idle = f"it was idle for {self._settings.session_idle:g} s"
                await self.close(session, idle)
                continue
            if self._settings.session_idle:
                waits.append(left)
            waits += [await self._rest(session, now)] if self._settings.tab_freeze else []
        browser_due = await self.browsers.end_idle(self._settings.browser_idle)
        if browser_due is not None:
            waits.append(browser_due)
        return max(min(waits), 0.01) if waits else None

    async def _rest(self, session: Session, now: float) -> float:
        """Freeze the session's idle tabs; the answer is when the next is due."""
        soonest = self._settings.tab_freeze
        for tab in session.tabs:
            if tab.page.frozen or tab.lease.users or tab.page.dialog is not None:
                continue
            left = tab.last_used + self._settings.tab_freeze - now
            if left > 0:
                soonest = min(soonest, left)
                continue
            try:
                await tab.page.freeze()
            except (EngineError, DeadlineExceeded):
                # A tab that cannot be frozen now is asked again when it has been idle as long.
                tab.touch()
        return soonest


def _place(principal: Principal, name: str) -> _Place:
    return principal.tenant, principal.id, principal.client, name


def _may_see(principal: Principal, session: Session) -> bool:
    if principal.tenant != session.owner.tenant:
        return False
    if principal.has_role(Role.OPERATOR):
        return True
    return (principal.id, principal.client) == (session.owner.id, session.owner.client)
