"""All sessions of a server: opened, found, and ended when nobody needs them."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Self

import anyio

from stockade.config import Settings
from stockade.egress.gateway import Gateway
from stockade.engines.events import Events
from stockade.engines.port import Engine
from stockade.engines.values import LaunchOptions
from stockade.errors import (
    AdmissionRejected,
    Conflict,
    InvalidArgument,
    LifeLimit,
    NotConfigured,
    SessionNotFound,
    Unsupported,
)
from stockade.jails.bwrap import Measures
from stockade.jails.jailer import Jailer
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal, Role
from stockade.scratch import sweep
from stockade.sessions.arrivals import Arrivals
from stockade.sessions.attached import Attachment
from stockade.sessions.browsers import Around, Browsers, Upkeep
from stockade.sessions.changes import SessionEnded, SessionOpened, SessionStarted
from stockade.sessions.clock import Agenda, Clock
from stockade.sessions.ground import Ground
from stockade.sessions.keeping import Keeping
from stockade.sessions.limits import SessionLimits
from stockade.sessions.memory import Memory
from stockade.sessions.notices import replaced_session
from stockade.sessions.options import SessionOptions
from stockade.sessions.outgoing import Exits
from stockade.sessions.provenance import Provenance
from stockade.sessions.restoring import Profile
from stockade.sessions.roster import Roster
from stockade.sessions.session import Session
from stockade.sessions.ways_out import WaysOut
from stockade.sessions.work import Job, Work
from stockade.telemetry.logs import get_logger

__all__ = ["DEFAULT_SESSION", "Sessions", "may_see", "same_client"]

DEFAULT_SESSION = "default"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@:-]{0,99}")
_ENDED_KEPT = 1000
_MOST_ATTENDED = 200
_PREPARE_SECONDS = 5.0
_STOPPED = "the browsers were stopped"
_RESTARTED = "the server was restarted"
_ON_PURPOSE = "it was closed"
_JAIL_LIMITS = ("jail_life", "jail_age")

_log = get_logger("stockade.sessions")

OpenProfile = Callable[[Principal, str], Profile]
"""Takes the profile of that name, of whoever the principal is."""

_Place = tuple[str, str, str, str]
"""Tenant, key, client and name: two of them may share any three."""


@dataclass
class _Ended:
    id: str
    name: str
    owner: Principal
    reason: str
    setting: str = ""
    """The limit that it met, if it did."""
    told: bool = False
    """Its owner knows, or has lost nothing."""


class Sessions:
    """Use it as a context manager: what it started ends with it."""

    def __init__(  # noqa: PLR0913
        self,
        engine: Engine,
        settings: Settings,
        *,
        clock: Clock | None = None,
        memory: Memory | None = None,
        profiles: OpenProfile | None = None,
        own: Iterable[str] = (),
        scratch: Path | None = None,
        gateway: Gateway | None = None,
        roster: Roster | None = None,
    ) -> None:
        self._engine = engine
        self._roster = roster
        self._settings = settings
        self._profiles = profiles
        self._scratch = scratch
        self._work = Work()
        self._agenda = Agenda(clock or Clock())
        self._lent = gateway is not None
        self.gateway = gateway or Gateway(
            uid=settings.egress_uid, resolver=settings.egress_resolver, own=own
        )
        self.jailer = Jailer(
            settings.browser_uid,
            Measures(
                memory=settings.jail_memory,
                tasks=settings.jail_tasks,
                cpu=settings.jail_cpu,
                open_files=settings.jail_open_files,
                disk=settings.jail_disk,
                downloads=settings.download_quota,
                uploads=settings.upload_quota,
            ),
            settings.jails,
        )
        self.browsers = Browsers(
            engine,
            LaunchOptions(
                binary=settings.chromium,
                uid=settings.browser_uid,
                scratch=scratch,
                insecure=settings.disable_web_security,
            ),
            "process" if settings.isolation == "auto" else settings.isolation,
            upkeep=Upkeep(
                idle=settings.browser_idle,
                age=settings.browser_age,
                memory=settings.browser_memory,
                failures=settings.browser_failures,
                ceiling=settings.memory_ceiling,
                pool=settings.jail_pool,
            ),
            work=self._work,
            agenda=self._agenda,
            memory=memory,
            around=Around(self.gateway, self.jailer),
        )
        self._ways_out = WaysOut(settings)
        self._arrivals = Arrivals()
        self.changes = Events()
        """Told of what becomes of sessions and tabs."""
        self._ground = Ground(
            self.browsers,
            self._work,
            self._agenda,
            self._arrivals,
            Exits.of(self.gateway, settings),
            self.changes,
        )
        self._limits = SessionLimits(
            calls=settings.calls_per_user,
            tabs=settings.max_tabs_per_session,
            room=self._has_room,
            uid=settings.browser_uid,
            idle=settings.session_idle,
            freeze=settings.tab_freeze,
            tab_idle=settings.tab_idle,
            download_bytes=settings.download_quota,
            life=settings.jail_life,
            jail_age=settings.jail_age,
            jails=self._may_have_jail,
            scratch=scratch,
        )
        self._open: dict[_Place, Session] = {}
        self._ended: deque[_Ended] = deque(maxlen=_ENDED_KEPT)
        self._ending: dict[str, Job[None]] = {}
        self._keeping: Job[None] | None = None
        self._stopping = False
        self.on_end: list[Callable[[Session], None]] = []
        """Told of every session that has ended."""
        self.narrow: Callable[[str, Policy], Policy] = lambda _, policy: policy
        """What operators take away from the policy with which a tenant's sessions begin."""

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(sweep, self._scratch)
        await self.jailer.begin()
        for each in self.jailer.reaped:
            _log.warning(
                "cleared away what a server that was killed had left",
                server=each.server,
                jails=list(each.jails),
                processes=each.processes,
            )
        await self._ways_out.locate()
        if not self._lent:
            await self.gateway.__aenter__()
        await self._work.__aenter__()
        self._keeping = self._work.start(self._keep)
        if self._roster is not None:
            for left in await self._roster.left_behind():
                owner = Principal(left.key, tenant=left.tenant)
                self._ended.append(_Ended(left.id, left.name, owner, _RESTARTED))
            self.changes.on(SessionStarted, lambda _: self._note_sessions())
        return self

    async def __aexit__(self, *_: object) -> None:
        # Whoever ends the server may have been cancelled; what it started still has to go.
        with anyio.CancelScope(shield=True):
            if self._keeping is not None:
                self._keeping.give_up()
            try:
                await self.close_all()
            finally:
                await self._work.__aexit__()
                await self.jailer.close()
                if not self._lent:
                    await self.gateway.__aexit__()
                self._arrivals.close()
                self._ways_out.close()

    # --- finding --------------------------------------------------------------------------------

    def all(self) -> list[Session]:
        """Every open session."""
        return list(self._open.values())

    def visible_to(self, principal: Principal) -> list[Session]:
        """An agent sees what it opened; an operator all of its tenant."""
        return [each for each in self._open.values() if may_see(principal, each.owner)]

    def find(self, principal: Principal, name: str) -> Session:
        """The session of that name, or of that id; another's is as if it were not there."""
        session = self._open.get(_place(principal, name))
        if session is None:
            session = next((each for each in self.visible_to(principal) if each.id == name), None)
        if session is not None:
            return session
        ended = self._last_ended(principal, name)
        if ended is not None and ended.setting in _JAIL_LIMITS:
            raise LifeLimit(
                f"session {ended.name} is gone: {ended.reason}",
                hint=f"Open it again; the operator can set STOCKADE_{ended.setting.upper()}.",
                reason=ended.reason,
            )
        stopped = ended is not None and ended.reason == _STOPPED
        raise SessionNotFound(
            f"session {ended.name} is gone: {ended.reason}" if ended else "no such session is open",
            hint="Open it with `open_session`.",
            **({"reason": ended.reason} if ended is not None else {}),
            **({"lost": "browser_restarted"} if stopped else {}),
        )

    def _last_ended(self, principal: Principal, name: str) -> _Ended | None:
        place = _place(principal, name)
        for ended in reversed(self._ended):
            if _place(ended.owner, ended.name) == place:
                return ended
            if ended.id == name and may_see(principal, ended.owner):
                return ended
        return None

    def named(self, principal: Principal, name: object) -> Session | None:
        """The open session that a caller means, if there is one."""
        try:
            return self.find(principal, name) if isinstance(name, str) else None
        except SessionNotFound:
            return None

    async def reach(self, principal: Principal, name: str, *, opens: bool = False) -> Session:
        """Like `find`, but the default session, or any where that is wanted, opens by itself."""
        try:
            return self.find(principal, name)
        except SessionNotFound:
            if name != DEFAULT_SESSION and not opens:
                ended = self._last_ended(principal, name)
                if ended is not None:
                    ended.told = True
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
        if self._stopping:
            raise SessionNotFound("the server is stopping", hint="Wait until it runs again.")
        place = _place(principal, name)
        if place in self._open:
            raise Conflict(f"session {name} is open already", hint="Use it, or close it first.")
        if len(self._open) >= self._settings.max_sessions:
            raise AdmissionRejected(
                f"{self._settings.max_sessions} sessions are open on this server",
                hint="Close one first, or wait until one has been idle for long enough.",
                limit="max_sessions",
            )
        if options is None:
            options = SessionOptions(profile=name if self._settings.persist_sessions else None)
        session = Session(
            f"ses_{secrets.token_hex(8)}",
            name,
            principal,
            self.narrow(principal.tenant, policy or principal.policy),
            self._on_its_way(options),
            self._attended_ground() if options.attached else self._ground,
            self._attended_limits if options.attached else self._limits,
        )
        if options.profile is not None:
            provenance = session.parts.of(Provenance, Provenance)
            session.keeping = self._keeping_of(principal, options.profile, provenance)
        ended = self._last_ended(principal, name)
        if ended is not None and not ended.told:
            ended.told = True
            session.notices.add(replaced_session(name, ended.reason, options.profile))
        self._open[place] = session
        self.changes.emit(SessionOpened(session))
        return session

    def _attended_ground(self) -> Ground:
        """The ground of the one session at a time that is in a person's browser."""
        for other in self._open.values():
            if other.options.attached:
                raise Conflict(
                    "another session is attached to that browser",
                    hint="Close it first: a browser is one session's at a time.",
                )
        if not self._settings.attach_cdp:
            raise NotConfigured(
                "no browser to attach to is named",
                hint="The operator sets STOCKADE_ATTACH_CDP, as in http://127.0.0.1:9222; "
                "`stockade chrome start` starts one.",
                setting="attach_cdp",
            )
        attachment = Attachment(self._engine, self._settings.attach_cdp)
        return replace(self._ground, browsers=attachment)

    @property
    def _attended_limits(self) -> SessionLimits:
        """A person's tabs neither rest nor end, and take no room from others."""
        return replace(
            self._limits, tabs=_MOST_ATTENDED, room=lambda: True, freeze=0.0, tab_idle=0.0
        )

    def _keeping_of(self, principal: Principal, profile: str, provenance: Provenance) -> Keeping:
        """Take a profile for a session; two that wrote to it would undo each other's work."""
        if self._profiles is None:
            raise Unsupported("no profiles are kept here")
        for other in self._open.values():
            same_owner = _place(principal, "")[:2] == _place(other.owner, "")[:2]
            if same_owner and other.options.profile == profile:
                raise Conflict(
                    f"profile {profile} is in use by session {other.name}",
                    hint="Use that session, close it first, or choose another profile.",
                    session=other.name,
                )
        return Keeping(self._profiles(principal, profile), self._work, provenance)

    def _on_its_way(self, options: SessionOptions) -> SessionOptions:
        """What a session is opened with, and the way out that is its turn."""
        way = self._ways_out.next()
        if way is None:
            return options
        return replace(options, way_out=way, emulation=way.geography.fill(options.emulation))

    def _has_room(self) -> bool:
        counted = [each for each in self._open.values() if not each.options.attached]
        return sum(each.tab_count for each in counted) < self._settings.max_tabs

    def _may_have_jail(self, tenant: str) -> bool:
        most = self._settings.jails_per_tenant
        theirs = [each for each in self.all() if each.owner.tenant == tenant and each.running]
        return not most or sum(each.jail is not None for each in theirs) < most

    async def close(self, session: Session, reason: str = _ON_PURPOSE) -> None:
        """End a session and everything in it; a second time waits for the first."""
        await session.prepare_end(timeout=_PREPARE_SECONDS)
        await self._begin_close(session, reason).result()

    def _end(self, session: Session, reason: str) -> Job[None]:
        """Close a session without waiting: at once, unless something has to be done before."""
        if session.before_end or session.keeping is not None:
            return self._work.start(partial(self.close, session, reason))
        return self._begin_close(session, reason)

    def _begin_close(self, session: Session, reason: str) -> Job[None]:
        place = _place(session.owner, session.name)
        if self._open.get(place) is session:
            del self._open[place]
            ended = _Ended(session.id, session.name, session.owner, reason, session.life.limit_met)
            # Who closed it or is at work in it hears of it by that.
            ended.told = reason == _ON_PURPOSE or not session.had_browser or session.slots.users > 0
            self._ended.append(ended)
            session.end(reason)
            self._note_sessions()
            self.changes.emit(SessionEnded(session, reason))
            self._ending[session.id] = self._work.start(lambda: self._ended_with(session))
        return self._ending.get(session.id) or session.end()

    async def _ended_with(self, session: Session) -> None:
        """Tell of the end of a session, once it has come."""
        try:
            await session.close()
        finally:
            self._ending.pop(session.id, None)
            for told in self.on_end:
                try:
                    told(session)
                except Exception:  # noqa: BLE001
                    # One that fails must not keep the others from hearing of it.
                    _log.exception("the end of a session was not taken in", session=session.id)

    def _note_sessions(self) -> None:
        """Have written which sessions a restart would end; at the end itself, all of them."""
        if self._roster is not None and not self._stopping:
            self._work.start(partial(self._roster.write, self.all()))

    async def close_client(self, principal: Principal) -> None:
        """End every session of one client."""
        mine = [each for each in self._open.values() if same_client(principal, each.owner)]
        await self._wait([self._end(each, "its client left") for each in mine])

    async def stop_browsers(self) -> None:
        """End every session and every browser; whoever comes next gets new ones."""
        await self._wait([self._end(each, _STOPPED) for each in self.all()])
        await self.browsers.stop_all()

    async def close_all(self) -> None:
        """End everything; no session can be opened any more."""
        self._stopping = True
        await asyncio.gather(*(each.keep_all(timeout=_PREPARE_SECONDS) for each in self.all()))
        closing = [self._begin_close(each, "the server stopped") for each in self.all()]
        # At once: a browser that hangs is killed, and so does not hold up its sessions.
        await self.browsers.close()
        await self._wait([*closing, *self._ending.values()])

    async def _wait(self, jobs: list[Job[None]]) -> None:
        for job in jobs:
            await job.ended()

    # --- housekeeping ---------------------------------------------------------------------------

    async def _keep(self) -> None:
        while True:
            await self._agenda.come_due()
            await self.tidy()

    async def tidy(self) -> None:
        """End idle sessions and browsers, freeze or close idle tabs, note when more is due."""
        now = self._agenda.now()
        begun: list[Job[None]] = []
        for session in self.all():
            if session.life.due_at <= now:
                reason, session.life.limit_met = session.life.reason_to_end()
                begun.append(self._end(session, reason))
                continue
            self._agenda.expect(session.life.due_at)
            for tab in session.tabs:
                if tab.idle_at <= now:
                    begun.append(self._work.start(tab.leave))
                    continue
                self._agenda.expect(tab.idle_at)
                if tab.rest_at <= now:
                    begun.append(self._work.start(tab.rest))
                else:
                    self._agenda.expect(tab.rest_at)
        begun += self.browsers.tidy()
        await self._wait(begun)


def _place(principal: Principal, name: str) -> _Place:
    return principal.tenant, principal.id, principal.client, name


def same_client(principal: Principal, owner: Principal) -> bool:
    """Whether they are one program with one key."""
    return _place(principal, "") == _place(owner, "")


def may_see(principal: Principal, owner: Principal) -> bool:
    """Whether what belongs to `owner` is there for `principal`."""
    if principal.has_role(Role.OPERATOR):
        return principal.tenant == owner.tenant
    return same_client(principal, owner)
