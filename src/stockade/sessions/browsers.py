"""Browsers: started when first wanted, shared or not, watched, and ended when it is time."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

from stockade.egress.gateway import Gateway, Way
from stockade.engines.port import Browser, Engine
from stockade.engines.values import LaunchOptions, Proxy
from stockade.engines.zygotes import GONE, outlives_zygotes
from stockade.errors import (
    AdmissionRejected,
    BrowserGone,
    DeadlineExceeded,
    StockadeError,
    Unsupported,
)
from stockade.jails.jailer import Jailer
from stockade.jails.port import OWN_WAY, Jail
from stockade.policy.capabilities import INSECURE
from stockade.sessions.clock import NEVER, Agenda
from stockade.sessions.examination import examine
from stockade.sessions.failures import Failures
from stockade.sessions.lease import Lease
from stockade.sessions.losses import Losses
from stockade.sessions.memory import Memory
from stockade.sessions.work import Job, Joint, Work
from stockade.telemetry.logs import apart, get_logger

__all__ = ["LEVELS", "Around", "Browsers", "Isolation", "Upkeep"]

_log = get_logger("stockade.sessions")

Isolation = Literal["shared", "process", "bwrap"]
"""What contains a session's browser, rising."""
LEVELS: Final[tuple[Isolation, ...]] = get_args(Isolation)

_LAUNCHES = max(os.cpu_count() or 1, 2)
"""At a time: a crowd of browsers that all start at once all start too late."""
_LAUNCH_WAIT = 60.0
_GRACE = 3.0
_WEIGHED_AGAIN = 10.0
_REFILL_AFTER = 0.5
"""Seconds in which whoever has just come has the machine to themselves."""
_EXAMINED_AGAIN = 5.0
"""Seconds before a browser that was found well is examined once more."""
_RETRY_AFTER = 5


@dataclass(frozen=True)
class Upkeep:
    """When a browser is ended or restarted, and when none is started; 0 is never."""

    idle: float = 300.0
    """Seconds without a user."""
    age: float = 0.0
    """Seconds since its start; with users, it ends after the last of them."""
    memory: int = 0
    """Bytes that it takes, likewise."""
    failures: int = 3
    """In a row, after which it is examined."""
    ceiling: int = 100
    """Percent of the memory in use, above which nothing is begun."""
    pool: int = 0
    """Jails that are ready for whoever comes next, once anybody has come."""


@dataclass(frozen=True)
class Around:
    """What is around every browser."""

    gateway: Gateway
    """Where the ways out begin, also the closed one of what a browser does by itself."""
    jailer: Jailer


@dataclass(eq=False)
class _Running:
    browser: Browser
    failures: Failures
    born: float
    idle_since: float
    users: set[str] = field(default_factory=set)
    retired: bool = False
    """Nobody new is let in."""
    examination: Job[None] | None = None
    examined_at: float = -NEVER
    unfit: bool = False
    """It was examined, and does not work."""
    ending: Job[None] | None = None
    level: Isolation = "process"
    jail: Jail | None = None
    own_way: Way | None = None

    @property
    def usable(self) -> bool:
        return self.ending is None and self.browser.alive

    @property
    def examining(self) -> bool:
        return self.examination is not None and self.examination.running


class Browsers:
    """The browser processes of this server."""

    def __init__(
        self,
        engine: Engine,
        launch: LaunchOptions,
        isolation: Isolation,
        *,
        upkeep: Upkeep,
        work: Work,
        agenda: Agenda,
        memory: Memory | None = None,
        around: Around | None = None,
    ) -> None:
        self._engine = engine
        self._options = launch
        self._around = around
        self._isolation = isolation
        self._upkeep = upkeep
        self._work = work
        self._agenda = agenda
        self.memory = memory or Memory()
        self._running: list[_Running] = []
        self._launching = Joint(work, self._launch)
        self._launches = Lease("the start of browsers", _LAUNCHES)
        self._coming = 0
        self._filling = 0
        self._refill_at = NEVER
        self._losses = Losses(agenda)
        self._missing = 0
        """Lost, and no other was started since."""
        self._weighed_at = -NEVER
        self._stopping = False
        self.faults: dict[str, str] = {}
        """Why the last browser of a user had to be ended, after a colon, while it has no other."""
        self.launched = 0
        self.restarted = 0
        """Those that ended without anybody's intention, or had to be ended."""

    # --- state ----------------------------------------------------------------------------------

    @property
    def isolation(self) -> Isolation:
        """The level every session of this server gets."""
        return self._isolation

    @property
    def alive(self) -> list[Browser]:
        """Those whose process runs."""
        return [each.browser for each in self._running if each.usable]

    @property
    def examining(self) -> bool:
        """Whether one has failed so often that it is being examined."""
        return any(each.examining for each in self._running)

    @property
    def recovering(self) -> bool:
        """Whether one is being ended because it does not work, or dies by itself right now."""
        return any(
            each.unfit if each.browser.alive else each.ending is None for each in self._running
        )

    @property
    def loss(self) -> str:
        """Why a browser is gone that nobody meant to end, while that is news to somebody."""
        return self._losses.reason

    @property
    def failures(self) -> int:
        """The most failures in a row that any of them has had."""
        return max((each.failures.count for each in self._running), default=0)

    # --- coming and going -----------------------------------------------------------------------

    async def acquire(
        self, user: str, own: Proxy | None = None, level: Isolation | None = None
    ) -> Browser:
        """A browser for the session `user`, started if need be.

        With `own` it is full Chromium whose own state goes that way, and nobody else's ever.
        `level` is what contains it, where that is more than what the server's others have.
        """
        await self.admit("session")
        self.faults.pop(user, None)
        level = level or self._isolation
        if own is not None:
            return (await self._launch(user, own=own, level=level)).browser
        running = self._free(level)
        if running is None:
            running = await (self._join() if level == "shared" else self._launch(level=level))
        running.users.add(user)
        if level == "bwrap" and self._upkeep.pool:
            self._refill_at = self._agenda.now() + _REFILL_AFTER
            self._agenda.expect(self._refill_at)
        return running.browser

    async def _join(self) -> _Running:
        """The one that all wait for who want a shared one."""
        self._coming += 1
        try:
            return await self._launching.join()
        finally:
            self._coming -= 1

    def _refill(self) -> None:
        """Have jails ready, which is what the pool is for; they end when nobody comes."""
        ready = [each for each in self._running if each.jail is not None and not each.users]
        for _ in range(self._upkeep.pool - len(ready) - self._filling):
            self._filling += 1
            self._work.start(lambda: self._fill("bwrap"))

    async def _fill(self, level: Isolation) -> None:
        try:
            if self._has_room():
                await self._launch(level=level)
        except (StockadeError, OSError) as error:
            if not self._stopping:
                _log.warning("no browser is ready for the next session", why=str(error))
        finally:
            self._filling -= 1

    async def _keep_ready(self, leaving: _Running) -> None:
        """Where idle browsers never end, there is one for whoever comes after the last."""
        others = any(each.usable for each in self._running if each is not leaving)
        if self._upkeep.idle or others or self._filling or self._stopping:
            return
        self._filling += 1
        await self._fill(self._isolation)

    def room_of(self, browser: Browser) -> Jail | None:
        """The jail that a browser is in, if it is in one."""
        running = self._find(browser)
        return running.jail if running is not None else None

    async def warm(self) -> None:
        """Start a browser for whoever comes next, unless one is there."""
        if self._free(self._isolation) is None:
            await self.admit("browser")
            await self._launching.join()

    def _free(self, level: Isolation) -> _Running | None:
        """One that a session can have now; above `shared` that is one without any."""
        for each in self._running:
            full = level != "shared" and each.users
            if each.level == level and each.usable and not each.retired and not full:
                return each
        return None

    async def _launch(
        self, *users: str, own: Proxy | None = None, level: Isolation | None = None
    ) -> _Running:
        level = level or self._isolation
        async with self._launches.hold(_LAUNCH_WAIT):
            self._ensure_going_on()
            options = replace(self._options, full=own is not None)
            jail = await self._jail() if level == "bwrap" else None
            proxy = own or self._own_way(jail)
            browser = await self._engine.launch(replace(options, proxy=proxy, room=jail))
            try:
                way = self._closed_off(jail) if jail is not None else None
            except BaseException:
                await browser.close(grace=0.0)
                raise
            if own is not None and jail is None:
                level = "process"
        now = self._agenda.now()
        running = _Running(browser, Failures(self._upkeep.failures), now, now, set(users))
        running.level, running.jail, running.own_way = level, jail, way
        running.retired = own is not None
        self._running.append(running)
        self.launched += 1
        replaces, self._missing = self._missing > 0, max(self._missing - 1, 0)
        said = "browser restarted" if replaces else "browser launched"
        _log.info(said, pid=browser.pid, product=browser.product)
        if options.insecure:
            apart(_log.warning, "browser is insecure", pid=browser.pid, exposed=INSECURE)
        self._losses.forget()
        self._work.start(lambda: self._watch(running))
        self._agenda.expect(self._due(running))
        if self._stopping:
            self._end(running)
        self._ensure_going_on()
        return running

    async def _jail(self) -> Jail:
        if self._around is None:
            raise Unsupported("this server makes no jails")
        return await self._around.jailer.new()

    def _own_way(self, jail: Jail | None) -> Proxy | None:
        """Where a browser takes what it does by itself, beside every session: nowhere."""
        if jail is not None:
            return Proxy(f"http://127.0.0.1:{OWN_WAY}")
        return Proxy(self._around.gateway.closed()) if self._around is not None else None

    def _closed_off(self, jail: Jail) -> Way | None:
        jail.ready()
        if self._around is None:
            return None
        return self._around.gateway.close_off(f"browser/{jail.id}", jail.listeners[1])

    def _ensure_going_on(self) -> None:
        if self._stopping:
            raise _stopped()

    async def _watch(self, running: _Running) -> None:
        """One that dies by itself, or can have no pages any more, is tidied up at once."""
        if await outlives_zygotes(running.browser) and running.usable:
            await self._give_up(running, GONE)
        await running.browser.wait_gone()
        if running.ending is None:
            self._lost(running, "the browser ended unexpectedly")
        self._end(running)

    async def _give_up(self, running: _Running, fault: str) -> None:
        running.unfit = True
        self.faults |= dict.fromkeys(running.users, f": {fault}")
        self._lost(running, f"the browser was ended because {fault}")
        await self._end(running, grace=0.0).result()

    async def release(self, user: str, browser: Browser) -> None:
        """`user` is done; a browser of its own ends with it, a shared one may stay a while."""
        self._losses.told(user)
        running = self._find(browser)
        if running is None:
            return
        running.users.discard(user)
        if running.users:
            return
        if running.level != "shared" or running.retired or not running.usable:
            if running.usable:
                await self._keep_ready(running)
            await self._end(running).result()
        else:
            running.idle_since = self._agenda.now()
            self._agenda.expect(self._due(running))
            if self._upkeep.memory:
                self._agenda.expect(self._weighed_at + _WEIGHED_AGAIN)

    def _find(self, browser: Browser) -> _Running | None:
        return next((each for each in self._running if each.browser is browser), None)

    def _end(self, running: _Running, grace: float = _GRACE) -> Job[None]:
        if running.ending is None:
            running.ending = self._work.start(lambda: self._close(running, grace))
        return running.ending

    async def _close(self, running: _Running, grace: float) -> None:
        try:
            await running.browser.close(grace=grace)
        finally:
            self._running.remove(running)
            if running.own_way is not None:
                await running.own_way.close()

    def _lost(self, running: _Running, reason: str) -> None:
        self.restarted += 1
        self._missing += 1
        self._losses.add(reason, running.users, matters_for=self._upkeep.idle)
        apart(_log.warning, "browser lost", reason=reason, pid=running.browser.pid)

    # --- failures -------------------------------------------------------------------------------

    def call_ended(self, browser: Browser, error: BaseException | None) -> None:
        """How a call in one of them ended; too many failures in a row, and it is examined."""
        running = self._find(browser)
        if running is not None and running.failures.call_ended(error, browser.answers):
            self._suspect(running)

    def start_ended(self, browser: Browser, error: BaseException | None = None) -> None:
        """How it ended when a state or a tab was to be made."""
        running = self._find(browser)
        if running is not None and running.failures.start_ended(error):
            self._suspect(running)

    def silent(self, browser: Browser) -> None:
        """It was asked whether it is there, and did not answer."""
        self.call_ended(browser, DeadlineExceeded("the browser did not answer"))

    def _suspect(self, running: _Running) -> None:
        now = asyncio.get_running_loop().time()
        rested = now >= running.examined_at + _EXAMINED_AGAIN
        if rested and not running.examining and running.usable:
            running.examination = self._work.start(lambda: self._examine(running))

    async def examine(self, browser: Browser) -> None:
        """It did not do as it was told: nobody new comes in, and it ends if it does not work."""
        running = self._find(browser)
        if running is not None:
            running.retired = True
            await self._examine(running)

    async def _examine(self, running: _Running) -> None:
        finding = await examine(running.browser)
        running.examined_at = asyncio.get_running_loop().time()
        if not running.usable:
            return
        if finding.well:
            running.failures.forget()
        elif finding.answers and running.users and running.failures.others_work:
            # Nothing new can begin in it, but what there is goes on.
            running.retired = True
            running.failures.forget()
            _log.warning("browser retired", reason=finding.fault, pid=running.browser.pid)
        else:
            await self._give_up(running, finding.fault)

    # --- room -----------------------------------------------------------------------------------

    async def admit(self, what: str) -> None:
        """Refuse to begin something for which there is no memory; idle browsers go first."""
        if self._has_room():
            return
        idle = [] if self._coming else [each for each in self._running if not each.users]
        if idle:
            await asyncio.gather(*(self._end(each).ended() for each in idle))
            if self._has_room():
                return
        raise AdmissionRejected(
            f"no memory is left for another {what}: over {self._upkeep.ceiling} % is in use",
            hint="Close sessions or tabs that are done, or try again later.",
            retryAfter=_RETRY_AFTER,
        )

    def _has_room(self) -> bool:
        return self.memory.used() * 100 <= self._upkeep.ceiling

    # --- housekeeping ---------------------------------------------------------------------------

    def _due(self, running: _Running) -> float:
        """When something is to be done about it, as far as that is known now."""
        if running.ending is not None:
            return NEVER
        upkeep, due = self._upkeep, NEVER
        if upkeep.idle and not running.users:
            due = running.idle_since + upkeep.idle
        if upkeep.age and not running.retired:
            due = min(due, running.born + upkeep.age)
        return due

    def tidy(self) -> list[Job[None]]:
        """Begin to end those whose time has come, and note when the next is due."""
        now = self._agenda.now()
        begun = []
        for each in list(self._running):
            if self._due(each) > now:
                self._agenda.expect(self._due(each))
            elif each.users:
                each.retired = True
            else:
                _log.info("browser idle shutdown", pid=each.browser.pid)
                begun.append(self._end(each))
        if now >= self._refill_at:
            self._refill_at = NEVER
            self._refill()
        if self._upkeep.memory and self._running and now >= self._weighed_at + _WEIGHED_AGAIN:
            self._weighed_at = now
            begun.append(self._work.start(self._weigh))
        return begun

    async def _weigh(self) -> None:
        """Part with those that have grown too large."""
        pids = {each.browser.pid: each for each in self._running if each.usable}
        taken = await asyncio.to_thread(self.memory.of, pids)
        for pid, size in taken.items():
            if size <= self._upkeep.memory:
                continue
            _log.info("browser too large", bytes=size, pid=pid)
            if pids[pid].users or self._coming:
                pids[pid].retired = True
            else:
                self._end(pids[pid])

    # --- end ------------------------------------------------------------------------------------

    async def stop_all(self) -> None:
        """End them all because somebody wants it so; the next session starts another."""
        self._losses.forget()
        ending = [self._end(each) for each in list(self._running)]
        await self._launching.stop(BrowserGone("the browsers were stopped"))
        await asyncio.gather(*(each.ended() for each in ending))

    async def close(self) -> None:
        """End them all, and start no more."""
        self._stopping = True
        ending = [self._end(each) for each in list(self._running)]
        await self._launching.stop(_stopped())
        await asyncio.gather(*(each.ended() for each in ending))


def _stopped() -> BrowserGone:
    return BrowserGone("the server is stopping", hint="Wait until it runs again.")
