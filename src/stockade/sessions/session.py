"""A session: one isolated browser state and its tabs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from stockade.engines.events import PageClosed, PageOpened
from stockade.engines.port import Browser, Context, Page
from stockade.engines.values import ContextOptions, Emulation
from stockade.errors import BrowserGone, QuotaExceeded, SessionNotFound, TabNotFound
from stockade.page.agent import init_script
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal
from stockade.scratch import Scratch
from stockade.sessions.browsers import Browsers
from stockade.sessions.lease import Lease
from stockade.sessions.options import SessionOptions
from stockade.sessions.tab import Tab

__all__ = ["Session", "SessionLimits"]


@dataclass(frozen=True)
class SessionLimits:
    """How much one session may have of what all share."""

    calls: int
    tabs: int
    room: Callable[[], bool]
    """Whether the server has room for one more tab."""
    uid: int
    """Who its browser runs as, when we are root."""


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
        browsers: Browsers,
        limits: SessionLimits,
    ) -> None:
        self.id = id
        self.name = name
        self.owner = owner
        self.policy = policy
        self.options = options
        self.dialogs = options.dialogs
        self.slots = Lease(f"session {name}", limits.calls)
        self.opened_at = time.time()
        self.last_used = time.monotonic()
        self.calls = 0
        self.closed = False
        self._browsers = browsers
        self._limits = limits
        self._starting = asyncio.Lock()
        self._browser: Browser | None = None
        self._context: Context | None = None
        self._spool: Scratch | None = None
        self._tabs: dict[str, Tab] = {}
        self._current = ""
        self._last_tab = 0

    # --- state ----------------------------------------------------------------------------------

    @property
    def tabs(self) -> list[Tab]:
        """The open tabs, oldest first."""
        return [tab for tab in self._tabs.values() if not tab.page.closed]

    @property
    def current(self) -> Tab | None:
        """The tab that a call means when it names none."""
        tab = self._tabs.get(self._current)
        if tab is not None and not tab.page.closed:
            return tab
        tabs = self.tabs
        return tabs[-1] if tabs else None

    @property
    def running(self) -> bool:
        """Whether a browser runs for it now."""
        return self._browser is not None and self._browser.alive

    @property
    def isolation(self) -> str:
        """What contains its browser."""
        return self._browsers.isolation

    @property
    def context(self) -> Context | None:
        """Its browser state, once there is one."""
        return self._context

    @property
    def downloads(self) -> Path | None:
        """Where the browser writes downloads."""
        return self._spool.path if self._spool is not None else None

    def touch(self) -> None:
        """The session is in use."""
        self.last_used = time.monotonic()

    def tab_of(self, page: Page) -> Tab | None:
        """The tab that shows `page`."""
        return next((tab for tab in self._tabs.values() if tab.page is page), None)

    # --- tabs -----------------------------------------------------------------------------------

    async def tab(self, id: str | None = None) -> Tab:
        """The tab of that id, or the current one; the first is opened when there is none."""
        if id is not None:
            tab = self._tabs.get(id)
            if tab is None:
                raise TabNotFound(
                    f"session {self.name} has no tab {id[:20]!r}",
                    tabs=[each.id for each in self.tabs],
                )
            await self._ensure_alive()
            tab.ensure_open()
            return tab
        await self._ensure_alive()
        current = self.current
        if current is not None:
            return current
        async with self._starting:
            return self.current or await self._open_tab()

    async def new_tab(self) -> Tab:
        """Open an empty tab and make it the current one."""
        await self._ensure_alive()
        if len(self.tabs) >= self._limits.tabs:
            raise QuotaExceeded(
                f"session {self.name} has {self._limits.tabs} tabs open", hint="Close one first."
            )
        async with self._starting:
            return await self._open_tab()

    async def _open_tab(self) -> Tab:
        if not self._limits.room():
            raise QuotaExceeded("no more tabs can be open on this server", hint="Close one first.")
        context = self._context or await self._start()
        page = await context.new_page()
        tab = self.tab_of(page) or self._adopt(page)
        self._current = tab.id
        return tab

    def select(self, id: str) -> Tab:
        """Make a tab the current one."""
        tab = self._tabs.get(id)
        if tab is None or tab.page.closed:
            raise TabNotFound(f"session {self.name} has no tab {id[:20]!r}")
        self._current = tab.id
        return tab

    async def close_tab(self, tab: Tab) -> None:
        """Close a tab."""
        await tab.close()
        self._forget(tab.page)

    def _adopt(self, page: Page) -> Tab:
        self._last_tab += 1
        tab = Tab(f"t{self._last_tab}", self, page)
        self._tabs[tab.id] = tab
        return tab

    def _opened(self, event: PageOpened) -> None:
        if self.tab_of(event.page) is None:
            self._adopt(event.page)

    def _forget(self, page: Page) -> None:
        tab = self.tab_of(page)
        if tab is None:
            return
        tab.recorder.close()
        del self._tabs[tab.id]
        if self._current == tab.id:
            opener = self.tab_of(page.opener) if page.opener is not None else None
            self._current = opener.id if opener is not None else ""

    # --- the browser ----------------------------------------------------------------------------

    async def _start(self) -> Context:
        if self.closed:
            raise SessionNotFound(f"session {self.name} is closed")
        self._spool = Scratch(self._limits.uid)
        self._browser = await self._browsers.acquire(self.id)
        options = self.options
        self._context = await self._browser.new_context(
            ContextOptions(
                emulation=Emulation(
                    viewport=options.viewport,
                    locale=options.locale,
                    timezone=options.timezone,
                    color_scheme=options.color_scheme,
                ),
                init_scripts=(init_script(),),
                downloads=self._spool.path,
            )
        )
        self._context.events.on(PageOpened, self._opened)
        self._context.events.on(PageClosed, lambda event: self._forget(event.page))
        return self._context

    async def _ensure_alive(self) -> None:
        if self.closed:
            raise SessionNotFound(f"session {self.name} is closed")
        if self._browser is not None and not self._browser.alive:
            await self._stop()
            raise BrowserGone(
                f"the browser of session {self.name} has ended",
                hint="Its tabs are gone; the next call starts a new browser.",
            )

    async def _stop(self) -> None:
        """Let go of the browser, whatever state it is in."""
        browser, context, spool = self._browser, self._context, self._spool
        self._browser = self._context = self._spool = None
        for tab in self._tabs.values():
            tab.recorder.close()
        self._tabs.clear()
        self._current = ""
        if browser is not None:
            if context is not None and browser.alive and self.isolation == "shared":
                await context.close()
            await self._browsers.release(self.id, browser)
        if spool is not None:
            spool.remove()

    async def close(self) -> None:
        """End the session; a second time does nothing."""
        self.closed = True
        async with self._starting:
            await self._stop()
