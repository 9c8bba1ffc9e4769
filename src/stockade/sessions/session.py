"""A session: one isolated browser state and its tabs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

from stockade.engines.events import (
    DownloadChanged,
    DownloadStarted,
    PageClosed,
    PageOpened,
)
from stockade.engines.port import Browser, Context, Page
from stockade.errors import (
    ArtifactNotFound,
    BrowserGone,
    DeadlineExceeded,
    EngineError,
    JailsLimit,
    SessionNotFound,
    StockadeError,
)
from stockade.jails.life import State
from stockade.jails.port import WAY, Jail
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal
from stockade.scratch import Scratch
from stockade.sessions.beginning import begin
from stockade.sessions.changes import DownloadEnded, SessionStarted
from stockade.sessions.downloads import Allowance, Downloads
from stockade.sessions.ground import Ground, Live
from stockade.sessions.keeping import Keeping
from stockade.sessions.lease import Lease
from stockade.sessions.lifetime import Lifetime
from stockade.sessions.limits import SessionLimits
from stockade.sessions.notices import Notices, after_loss, lost_browser
from stockade.sessions.options import SessionOptions
from stockade.sessions.parts import Parts
from stockade.sessions.tab import Replaced, Tab
from stockade.sessions.tabs import Tabs
from stockade.sessions.work import Job, Joint
from stockade.telemetry.logs import get_logger

__all__ = ["Session"]

_log = get_logger("stockade.sessions")

T = TypeVar("T")

_CONTEXT_PATIENCE = 10.0
_TAB_PATIENCE = 15.0
_CLOSE_PATIENCE = 3.0
_KEEP_PATIENCE = 10.0
_LATE = 3
"""Calls in a row that run out of time before their callers are told to go elsewhere."""
_WEDGED = (
    f"{_LATE} calls in a row or more ran out of time: close the tab, or the session, and go on "
    "in a new one."
)


async def _nobody(_kind: str, _text: str, _origin: str) -> bool:
    return False


class Session:
    """Cookies, storage, cache and tabs that no other session sees.

    No browser runs until a call needs one. If the browser dies, the call that meets it says so,
    and the next one starts afresh.
    """

    def __init__(
        self,
        id: str,
        name: str,
        owner: Principal,
        policy: Policy,
        options: SessionOptions,
        ground: Ground,
        limits: SessionLimits,
    ) -> None:
        self.id = id
        self.name = name
        self.owner = owner
        self.policy = policy
        self.options = options
        self.dialogs = options.dialogs
        self.person: Callable[[str, str, str], Awaitable[bool]] = _nobody
        """Asks a person about something a page wants: what kind, in which words, from where."""
        self.emulation = options.emulation
        """What its pages are told about the device; sessions/device.py changes it."""
        self.limits = limits
        self.work = ground.work
        self.agenda = ground.agenda
        self.changes = ground.changes
        self.slots = Lease(f"session {name}", limits.calls, released=self._call_ended)
        self.opened_at = time.time()
        self.life = Lifetime(self.agenda, limits, lambda: self.slots.users > 0)
        self.notices = Notices()
        self.calls = 0
        self.closed = False
        self.had_browser = False
        """Whether there ever was something in it to lose."""
        self.parts = Parts()
        self.before_end: list[Callable[[], Awaitable[None]]] = []
        """What has to be done while there still is a browser, when the session is closed."""
        self.after_start: list[Callable[[Context], Awaitable[None]]] = []
        """What every browser state it gets is told before its first tab opens."""
        self.extended = False
        """Whether its browser has extensions, which are in no state but the browser's own."""
        self.keeping: Keeping | None = None
        """Writes what its browser knows to a profile, where it has one."""
        self.outgoing = ground.exits.of_session(id, policy, options.way_out)
        """The way that everything of it takes to the world."""
        self.jail: Jail | None = None
        """What its browser is in, where it is in a jail."""
        self._browsers = ground.browsers
        self._arrivals = ground.arrivals
        self._allowance = Allowance(limits.download_bytes)
        self._live: Live | None = None
        self._tabs = Tabs(self)
        self._turns = 0
        self._late = 0
        self._starting = Joint(self.work, self._start)
        self._first_tab = Joint(self.work, self._open_first)
        self._leaving: list[Job[None]] = []
        self._closing: Job[None] | None = None
        self._end_reason = ""
        self.agenda.expect(self.life.due_at)

    # --- state ----------------------------------------------------------------------------------

    @property
    def tabs(self) -> list[Tab]:
        """The open tabs, oldest first."""
        return self._tabs.open

    @property
    def tab_count(self) -> int:
        """How many tabs are open, or about to be."""
        return len(self._tabs)

    @property
    def current(self) -> Tab | None:
        """The tab that a call means when it names none."""
        return self._tabs.current

    @property
    def refused_popups(self) -> list[str]:
        """The last popups that were closed because too many were open: where to, where known."""
        return list(self._tabs.refused)

    @property
    def running(self) -> bool:
        """Whether a browser runs for it now."""
        return self._live is not None and self._live.browser.alive

    @property
    def isolation(self) -> str:
        """What contains its browser."""
        level = self.options.isolation or self._browsers.isolation
        return "process" if self.extended and level == "shared" else level

    @property
    def context(self) -> Context | None:
        """Its browser state, once there is one."""
        return self._live.context if self._live is not None else None

    def touch(self) -> None:
        """The session is in use."""
        self.life.touch()

    def news(self) -> list[str]:
        """What its owner has to be told now, and is told by that."""
        self._lose_if_dead()
        soon = self.life.warning()
        return [*self.notices.take(), *([soon] if soon else [])]

    def next_turn(self) -> int:
        """A number above all it gave before: who used a tab last has the highest."""
        self._turns += 1
        return self._turns

    def _call_ended(self, error: BaseException | None) -> None:
        self.touch()
        self.agenda.expect(self.life.due_at)
        if isinstance(error, BrowserGone):
            # That call has told of it; the next need not.
            self._lose_if_dead()
            self.notices.discard(self._loss)
        if self._live is not None:
            self._browsers.call_ended(self._live.browser, error)
        if not isinstance(error, DeadlineExceeded) or "waitedFor" in error.details:
            self._late = 0
            return
        self._late += 1
        if self._late >= _LATE:
            error.details |= {"sessionWedged": True, "sessionWedgedHint": _WEDGED}

    def blamed(self, error: StockadeError) -> StockadeError:
        """What a call is told that failed because the jail was too small, or its browser unfit."""
        if isinstance(error, EngineError) and self._browsers.faults.get(self.id):
            return self._gone_error()
        return self.jail.blamed(error) if self.jail is not None else error

    # --- tabs -----------------------------------------------------------------------------------

    def tab_of(self, page: Page) -> Tab | None:
        """The tab that shows `page`."""
        return self._tabs.of(page)

    async def tab(self, id: str | None = None) -> Tab:
        """The tab of that id, or the current one; the first is opened when there is none."""
        self._ensure_usable()
        if id is not None:
            return self._tabs.find(id)
        return self._tabs.current or await self._first_tab.join()

    async def new_tab(self, group: str = "", *, recycle: bool = False) -> Tab:
        """Open an empty tab and make it the current one.

        With `recycle`, the least used tab is closed for it where there is no room; it is then told
        in `replaced`.
        """
        self._ensure_usable()
        async with self._tabs.place(recycle=recycle) as spare:
            context = await self.started()
            await self._browsers.admit("tab")
            page = await self.work.obtain(
                lambda: self._made(
                    context.browser, lambda: context.new_page(timeout=_TAB_PATIENCE)
                ),
                lambda page: page.close(timeout=_TAB_PATIENCE),
            )
            if self.context is not context:
                raise self._closed_error() if self.closed else self._gone_error()
            if self.jail is not None:
                await asyncio.to_thread(self.jail.check_sandbox)
            tab = self._tabs.claim(page, group)
            if spare is not None:
                tab.replaced = Replaced(spare.uuid, spare.url)
        return self._tabs.select(tab.id)

    async def _open_first(self) -> Tab:
        return self._tabs.current or await self.new_tab()

    def select(self, id: str) -> Tab:
        """Make a tab the current one."""
        return self._tabs.select(id)

    async def close_tab(self, tab: Tab) -> None:
        """Close a tab."""
        await tab.close()

    async def retire_tab(self, tab: Tab) -> bool:
        """Close a tab unless somebody works in it or it may be a person's; whether it was."""
        return self.isolation != "attached" and await self._tabs.retire(tab)

    # --- downloads ------------------------------------------------------------------------------

    @property
    def downloads(self) -> Path | None:
        """Where the browser writes downloads; nothing in there is to be trusted."""
        return self._live.downloads.path if self._live is not None else None

    async def finished_download(self, id: str, *, timeout: float) -> Path:
        """The file of a download, once the browser has all of it; or why there is none."""
        return await self._downloads().finished(id, timeout=timeout)

    def open_download(self, id: str) -> BinaryIO:
        """The content of a finished download: a regular file, never through a link."""
        return self._downloads().open(id)

    def discard_download(self, id: str) -> None:
        """Delete what a download left, if it has ended; what it took of the quota is free again."""
        self._downloads().discard(id)

    def _downloads(self) -> Downloads:
        if self._live is None:
            raise ArtifactNotFound("this session has no such download")
        return self._live.downloads

    def _download_changed(self, event: DownloadChanged) -> None:
        if event.download.state != "running":
            self.changes.emit(DownloadEnded(self, event.download))

    # --- the browser ----------------------------------------------------------------------------

    async def started(self) -> Context:
        """Its browser state, made now if there is none."""
        self._ensure_usable()
        return self._live.context if self._live is not None else await self._starting.join()

    async def _start(self) -> Context:
        if self.isolation == "bwrap" and not self.limits.jails(self.owner.tenant):
            raise JailsLimit("all jails that this tenant may have are in use")
        own = None
        if self.extended:
            jailed = self.isolation == "bwrap"
            own = self.outgoing.inside(WAY) if jailed else await self.outgoing.proxy()
        browser = await self._browsers.acquire(self.id, own, self.options.isolation)
        downloads: Downloads | None = None
        live: Live | None = None
        try:
            self.jail = self._browsers.room_of(browser)
            downloads = Downloads(
                self.jail.downloads
                if self.jail is not None
                else await Scratch.made(self.limits.uid, self.limits.scratch),
                self._allowance,
                self.work,
                self._arrivals,
            )
            live = Live(browser, await self._new_context(browser, downloads.path), downloads)
            if self.keeping is not None:
                await self.keeping.restore(live.context)
            for task in self.after_start:
                await task(live.context)
            if self.jail is not None:
                self.jail.life.goes_to(State.INJECTED)
                self.jail.life.goes_to(State.RUNNING)
                self.life.jailed()
        except BaseException:
            if live is not None:
                await self._leave(live)
                raise
            try:
                await self._browsers.release(self.id, browser)
            finally:
                if downloads is not None:
                    downloads.remove()
            raise
        events = live.context.events
        live.offs = (
            events.on(PageOpened, self._tabs.opened),
            events.on(PageClosed, self._tabs.closed),
            events.on(DownloadStarted, self._tabs.downloads),
            events.on(DownloadChanged, self._download_changed),
        )
        downloads.follow(live.context)
        self._live = live
        self.had_browser = True
        self.changes.emit(SessionStarted(self))
        self.agenda.expect(self.life.due_at)
        for page in live.context.pages:
            self._tabs.adopt(page)
        return live.context

    async def _new_context(self, browser: Browser, downloads: Path) -> Context:
        def make() -> Awaitable[Context]:
            return begin(self, browser, downloads, timeout=_CONTEXT_PATIENCE)

        return await self.work.obtain(
            lambda: self._made(browser, make),
            lambda context: context.close(timeout=_CLOSE_PATIENCE),
        )

    async def _made(self, browser: Browser, make: Callable[[], Awaitable[T]]) -> T:
        """Tell of how it ended when something was to be made in a browser."""
        try:
            made = await make()
        except StockadeError as error:
            self._browsers.start_ended(browser, error)
            raise
        self._browsers.start_ended(browser)
        return made

    async def keep(self, tab: str = "") -> list[str]:
        """Write what its browser knows now, before a call in `tab` is answered.

        What could not be written is said.
        """
        if self.keeping is None or self.closed:
            return []
        page = next((each.page for each in self.tabs if each.id == tab), None)
        return await self.keeping.keep(page)

    def _ensure_usable(self) -> None:
        if self.closed:
            raise self._closed_error()
        if self._lose_if_dead():
            raise self._gone_error()

    def _lose_if_dead(self) -> bool:
        live = self._live
        if live is None or live.browser.alive:
            return False
        self._let_go(self._gone_error())
        self.notices.add(self._loss)
        return True

    async def renew(self) -> None:
        """End its browser; the next call gets another, with what the profile keeps."""
        await self.keep_all(timeout=_KEEP_PATIENCE)
        self._let_go(self._gone_error())
        for job in self._leaving:
            await job.ended()

    def _let_go(self, error: StockadeError) -> None:
        """Part with the browser, whatever state it is in."""
        live, self._live = self._live, None
        self.life.released()
        self._tabs.clear(error)
        if live is not None:
            for off in live.offs:
                off()
            live.downloads.end(error)
            self._leaving = [each for each in self._leaving if each.running]
            self._leaving.append(self.work.start(lambda: self._leave(live)))

    async def _leave(self, live: Live) -> None:
        try:
            if self.isolation in {"shared", "attached"}:
                await self._close_context(live)
                await self._browsers.release(self.id, live.browser)
            else:
                # What runs in the tabs fails at once, and need not wait for the process.
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._close_context(live))
                    group.create_task(self._browsers.release(self.id, live.browser))
        finally:
            await asyncio.to_thread(live.downloads.remove)

    async def _close_context(self, live: Live) -> None:
        try:
            await live.context.close(timeout=_CLOSE_PATIENCE)
        except (EngineError, DeadlineExceeded):
            if live.browser.alive:
                await self._browsers.examine(live.browser)

    @property
    def _loss(self) -> str:
        return lost_browser(self.name, self.options.profile)

    def _closed_error(self) -> SessionNotFound:
        why = f"gone: {self._end_reason}" if self._end_reason else "closed"
        return SessionNotFound(f"session {self.name} is {why}", hint="Open it again.")

    def _gone_error(self) -> BrowserGone:
        return BrowserGone(
            f"the browser of session {self.name} has ended{self._browsers.faults.get(self.id, '')}",
            hint=after_loss(self.options.profile, attached=self.isolation == "attached"),
        )

    # --- end ------------------------------------------------------------------------------------

    async def prepare_end(self, *, timeout: float) -> None:
        """Do what has to be done before the end; what fails or takes too long is left undone."""
        tasks, self.before_end = self.before_end, []
        try:
            async with asyncio.timeout(timeout):
                for task in tasks:
                    try:
                        await task()
                    except StockadeError as error:
                        _log.warning("left undone", session=self.id, why=error.message)
        except TimeoutError:
            _log.warning("left undone", session=self.id, why="it took too long")
        await self.keep_all(timeout=timeout)

    async def keep_all(self, *, timeout: float) -> None:
        """Write what its browser knows, before that ends."""
        if self.keeping is not None:
            try:
                async with asyncio.timeout(timeout):
                    await self.keeping.finish()
            except TimeoutError:
                _log.warning("the profile is not complete", session=self.id)

    def end(self, reason: str = "") -> Job[None]:
        """Begin to end the session: from now on nothing can be done in it."""
        if self._closing is None:
            self.closed = True
            self._end_reason = reason
            self._browsers.faults.pop(self.id, None)
            error = self._closed_error()
            self.slots.end(error)
            if self.keeping is not None:
                self.keeping.close()
            self._let_go(error)
            self._closing = self.work.start(lambda: self._finish(error))
        return self._closing

    async def close(self) -> None:
        """End the session; a second time waits for the first."""
        await self.end().result()

    async def _finish(self, error: StockadeError) -> None:
        await self._first_tab.stop(error)
        await self._starting.stop(error)
        # The start may have come to its end just before it was stopped.
        self._let_go(error)
        for job in self._leaving:
            await job.ended()
        await self.outgoing.close()
