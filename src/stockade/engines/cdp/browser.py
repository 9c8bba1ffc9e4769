"""A running Chromium: its contexts, and the targets it announces."""

from __future__ import annotations

from typing import Any, Protocol

from stockade.engines.cdp.clipboard import BrowserClipboard
from stockade.engines.cdp.connection import Connection, Session
from stockade.engines.cdp.context import ChromiumContext
from stockade.engines.cdp.devtools import ChromiumDevTools
from stockade.engines.cdp.downloads import Downloads
from stockade.engines.cdp.extensions import ChromiumExtensions
from stockade.engines.cdp.limits import check_emulation
from stockade.engines.cdp.own_context import OwnContext
from stockade.engines.cdp.page import ChromiumPage
from stockade.engines.cdp.targets import AUTO_ATTACH, TargetAttached, TargetDetached, TargetInfo
from stockade.engines.cdp.workers import ChromiumWorker, attach_worker
from stockade.engines.events import Events
from stockade.engines.port import DEADLINE
from stockade.engines.values import ContextOptions
from stockade.errors import BrowserGone, TabClosed

__all__ = ["ChromiumBrowser", "Clearable", "Living"]

_ASKED_FOR = frozenset({"browser", "tab"})
"""Kinds of targets that are never attached by themselves: whoever did it sees to them."""


class Living(Protocol):
    """A process as a browser sees its own."""

    @property
    def pid(self) -> int:
        """Its number."""

    @property
    def alive(self) -> bool:
        """Whether it runs."""

    async def wait(self) -> int:
        """Wait for its end."""

    async def end(self, grace: float) -> int:
        """End it."""


class Clearable(Protocol):
    """What is to be cleared away after a browser."""

    async def destroy(self) -> None:
        """Clear it away."""


class ChromiumBrowser:
    """One Chromium process on the other end of a pipe."""

    def __init__(self, connection: Connection, process: Living, room: Clearable) -> None:
        self.events = Events()
        self.connection = connection
        self.contexts: dict[str, ChromiumContext] = {}
        self.pages: dict[str, ChromiumPage] = {}
        self.downloads = Downloads(self)
        self.clipboard = BrowserClipboard(self)
        self._process = process
        self._room = room
        self._version: dict[str, Any] = {}
        self._sessions: dict[str, ChromiumPage | ChromiumWorker] = {}
        connection.on_lost = self._lost

    async def begin(self, *, timeout: float) -> None:
        """Meet the browser: learn its version, hear of every target from now on."""
        root = self.connection.root
        self.watch_targets(root)
        self.downloads.watch(root)
        self._version, _ = await root.send_all(
            [("Browser.getVersion", {}), ("Target.setAutoAttach", AUTO_ATTACH)], timeout=timeout
        )

    @property
    def product(self) -> str:
        """Name and version as the browser itself says."""
        return str(self._version["product"])

    @property
    def user_agent(self) -> str:
        """The user agent it would send if nobody changed it."""
        return str(self._version["userAgent"])

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process runs and the pipe is open."""
        return self._process.alive and self.connection.gone is None

    @property
    def answers(self) -> int:
        """How many commands it has answered so far."""
        return self.connection.answers

    async def ping(self, *, timeout: float = DEADLINE) -> None:
        """Make one real round trip."""
        await self.connection.root.send("Browser.getVersion", timeout=timeout)

    @property
    def devtools(self) -> ChromiumDevTools:
        """The whole browser in its own words."""
        return ChromiumDevTools(self.connection.root)

    @property
    def extensions(self) -> ChromiumExtensions:
        """The extensions of the state that it has by itself."""
        return ChromiumExtensions(self)

    async def new_context(
        self, options: ContextOptions, *, timeout: float = DEADLINE
    ) -> ChromiumContext:
        """Make an isolated state."""
        check_emulation(options.emulation)
        params: dict[str, Any] = {"disposeOnDetach": True}
        if options.proxy is not None:
            params["proxyServer"] = options.proxy.server
            # Without this, Chromium goes around the proxy for loopback and link-local addresses.
            params["proxyBypassList"] = "<-loopback>"
        answer = await self.connection.root.send(
            "Target.createBrowserContext", params, timeout=timeout
        )
        context = ChromiumContext(self, answer["browserContextId"], options)
        self.contexts[context.id] = context
        await self.downloads.configure(context, timeout=timeout)
        return context

    async def own_context(
        self, options: ContextOptions, *, timeout: float = DEADLINE
    ) -> ChromiumContext:
        """The state that the browser has by itself; extensions live there and nowhere else."""
        check_emulation(options.emulation)
        answer = await self.connection.root.send("Target.getBrowserContexts", timeout=timeout)
        context = OwnContext(self, answer["defaultBrowserContextId"], options)
        self.contexts[context.id] = context
        await self.downloads.configure(context, timeout=timeout)
        return context

    def watch_targets(self, session: Session) -> None:
        """Hear of the targets that attach below `session`."""
        session.on(
            "Target.attachedToTarget",
            lambda event: self._attached(session, event),
            TargetAttached,
        )
        session.on("Target.detachedFromTarget", self._detached, TargetDetached)

    def _attached(self, parent: Session, event: TargetAttached) -> None:
        info = event.targetInfo
        if info.type in _ASKED_FOR:
            return
        context = self._context_of(info)
        if (
            info.type == "page"
            and context is not None
            and context.storerooms.take(event, lambda: self._attached(parent, event))
        ):
            return
        session = self.connection.session(event.sessionId)
        owner = self._sessions.get(parent.id)
        if info.type == "page" and context is not None:
            opener = self.pages.get(info.openerId)
            page = ChromiumPage(context, session, info, opener)
            self.pages[info.targetId] = page
            self._sessions[session.id] = page
            page.begin()
        elif info.type == "iframe" and isinstance(owner, ChromiumPage):
            self._sessions[session.id] = owner
            owner.adopt(session, info)
        elif info.type.endswith("worker") and context is not None:
            self._sessions[session.id] = attach_worker(context, owner, session, info)
        else:
            session.post(("Runtime.runIfWaitingForDebugger", {}))
            self._leave_alone(parent, session, info)

    def _context_of(self, info: TargetInfo) -> ChromiumContext | None:
        """The state that a new target belongs to, if it is one of ours."""
        return self.contexts.get(info.browserContextId)

    def _leave_alone(self, parent: Session, session: Session, info: TargetInfo) -> None:
        """A target that belongs to no state of ours: a page in our browser is nobody's."""
        if info.type == "page":
            self.connection.root.post(("Target.closeTarget", {"targetId": info.targetId}))
        else:
            parent.post(("Target.detachFromTarget", {"sessionId": session.id}))

    def _detached(self, event: TargetDetached) -> None:
        owner = self._sessions.pop(event.sessionId, None)
        session = self.connection.find(event.sessionId)
        if session is None:
            return
        self.connection.forget(session, TabClosed("the tab or frame is gone"))
        if isinstance(owner, ChromiumWorker):
            owner.ended(session)
        elif isinstance(owner, ChromiumPage):
            owner.released(session)
            if owner.session is session:
                self.pages.pop(owner.id, None)

    def _lost(self) -> None:
        """The browser has ended: so has every tab, and whoever waits for one is told."""
        for context in self.contexts.values():
            for worker in context.workers:
                worker.lost()
        for page in tuple(self.pages.values()):
            page.released(page.session)
        self.pages.clear()
        self.contexts.clear()

    async def wait_gone(self) -> None:
        """Wait until the process has ended."""
        await self._process.wait()

    async def close(self, *, grace: float = 3.0) -> None:
        """End the process, everything it started, and what it ran in."""
        if self.alive:
            self.connection.root.post(("Browser.close", {}))
        await self._process.end(grace)
        self.connection.lost(BrowserGone("the browser was closed"))
        self.connection.close()
        await self._room.destroy()
