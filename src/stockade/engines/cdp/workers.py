"""Dedicated, shared and service workers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.console import Console
from stockade.engines.cdp.devtools import ChromiumDevTools
from stockade.engines.cdp.emulation import worker_setup
from stockade.engines.cdp.network import Traffic
from stockade.engines.cdp.scripts import call_function
from stockade.engines.cdp.targets import AUTO_ATTACH, TargetInfo
from stockade.engines.events import WorkerEnded, WorkerStarted
from stockade.engines.port import DEADLINE
from stockade.engines.routing import Asker
from stockade.errors import DeadlineExceeded, TabClosed

if TYPE_CHECKING:
    from stockade.engines.cdp.context import ChromiumContext
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["ChromiumWorker", "WorkerLogs", "attach_worker"]

_RESUME: Command = ("Runtime.runIfWaitingForDebugger", {})


class _Context(msgspec.Struct):
    id: int


class _ContextCreated(msgspec.Struct):
    context: _Context


class WorkerLogs:
    """What the shared and service workers of a context ask and say: they belong to no tab."""

    def __init__(self, context: ChromiumContext) -> None:
        self.console = Console(context.events)
        self.traffic = Traffic(
            context.events,
            context.options,
            context.routes,
            lambda: [page.request_log for page in context.pages],
        )

    def join_worker(self, session: Session, kind: Asker) -> Sequence[Command]:
        """Hear a worker; what to send it is returned."""
        self.console.watch(session, "worker")
        self.traffic.watch(session, kind)
        return [*self.console.setup(session), *self.traffic.setup(session)]

    def release_worker(self, session: Session) -> None:
        """A worker is gone."""
        self.traffic.released(session)


class ChromiumWorker:
    """One worker, however many sessions Chromium opens with it.

    A service worker is announced to the browser and to each page in its scope. The first session
    is the one that is used; the others are let go on, and take its place should it end.
    """

    def __init__(
        self, context: ChromiumContext, page: ChromiumPage | None, info: TargetInfo
    ) -> None:
        self.id = info.targetId
        self.kind = cast("Literal['worker', 'shared_worker', 'service_worker']", info.type)
        self.url = info.url
        self.page = page
        """The page of a dedicated worker, however deeply nested."""
        self._context = context
        self._sessions: list[Session] = []
        self._world: int | None = None
        self._loaded = False
        self._callable = asyncio.Event()

    def join(self, session: Session) -> None:
        """Take a session in, and let the worker run."""
        self._sessions.append(session)
        session.on("Inspector.workerScriptLoaded", lambda _: self._script_loaded(), dict)
        # A service worker stops when it is idle and starts again, held like a new one.
        session.on("Inspector.targetCrashed", lambda _: self._stopped(), dict)
        session.on("Inspector.targetReloadedAfterCrash", lambda _: self._again(session), dict)
        if self._sessions[0] is session:
            session.post(*self._lead(session), _RESUME)
        else:
            session.post(_RESUME)

    def _lead(self, session: Session) -> Sequence[Command]:
        """Make this the session that is used."""
        session.on("Runtime.executionContextCreated", self._started, _ContextCreated)
        session.on("Runtime.executionContextsCleared", lambda _: self._stopped(), dict)
        session.on("Runtime.executionContextDestroyed", lambda _: self._stopped(), dict)
        self._context.browser.watch_targets(session)
        self._context.worker_scripts.watch(self, session)
        emulation = self.page.emulation if self.page else self._context.emulation
        return [
            ("Runtime.enable", {}),
            *(
                self.page.join_worker(session)
                if self.page
                else self._context.worker_logs.join_worker(session, cast("Asker", self.kind))
            ),
            *worker_setup(emulation, self._context),
            *self._context.worker_scripts.setup(),
            ("Target.setAutoAttach", AUTO_ATTACH),
        ]

    def _again(self, session: Session) -> None:
        """Let a service worker run that has started again, as if it were new."""
        scripts = self._context.worker_scripts.setup() if self._sessions[0] is session else ()
        session.post(*scripts, _RESUME)

    def ended(self, session: Session) -> None:
        """One of its sessions is gone; with the last, the worker."""
        if session not in self._sessions:
            return
        led = self._sessions[0] is session
        self._sessions.remove(session)
        if led:
            self._world = None
            self._update()
            (self.page or self._context.worker_logs).release_worker(session)
            if self._sessions:
                self._sessions[0].post(*self._lead(self._sessions[0]))
        if self._sessions:
            return
        self._callable.set()
        self._context.worker_list.remove(self)
        if self.page is not None:
            self.page.worker_list.remove(self)
            self.page.events.emit(WorkerEnded(self))
        self._context.events.emit(WorkerEnded(self))

    def post(self, *commands: Command) -> None:
        """Tell the worker something and do not wait."""
        if self._sessions:
            self._sessions[0].post(*commands)

    def submit(
        self, commands: Sequence[Command], timeout: float
    ) -> Sequence[asyncio.Future[msgspec.Raw]]:
        """Tell the worker something; the futures are its answers."""
        if not self._sessions:
            return ()
        session = self._sessions[0]
        return session.connection.submit(session, commands, timeout)

    def lost(self) -> None:
        """The browser is gone, and all sessions with it."""
        del self._sessions[1:]
        self.ended(self._sessions[0])

    def _started(self, event: _ContextCreated) -> None:
        self._world = event.context.id
        self._update()

    def _script_loaded(self) -> None:
        self._loaded = True
        self._update()

    def _stopped(self) -> None:
        self._world = None
        self._loaded = False
        self._update()

    def _update(self) -> None:
        # Code that asks for its location before the script is there crashes the renderer.
        if self._world is not None and self._loaded:
            self._callable.set()
        else:
            self._callable.clear()

    @property
    def devtools(self) -> ChromiumDevTools:
        """The worker in the browser's own words."""
        if not self._sessions:
            raise TabClosed("the worker is gone")
        return ChromiumDevTools(self._sessions[0])

    async def call(self, function: str, *arguments: Any, timeout: float = DEADLINE) -> Any:
        """Call a function in the worker; promises are awaited."""
        ends = asyncio.get_running_loop().time() + timeout
        try:
            async with asyncio.timeout(timeout):
                await self._callable.wait()
        except TimeoutError:
            raise DeadlineExceeded(f"the worker did not start within {timeout:g} s") from None
        if not self._sessions or self._world is None:
            raise TabClosed("the worker is gone")
        left = ends - asyncio.get_running_loop().time()
        return await call_function(
            self._sessions[0], function, arguments, context=self._world, timeout=left
        )


def attach_worker(
    context: ChromiumContext,
    owner: ChromiumPage | ChromiumWorker | None,
    session: Session,
    info: TargetInfo,
) -> ChromiumWorker:
    """Take in a session with a worker, which may be known already."""
    for worker in context.worker_list:
        if worker.id == info.targetId:
            worker.join(session)
            return worker
    page = None
    if info.type == "worker":
        page = owner.page if isinstance(owner, ChromiumWorker) else owner
    worker = ChromiumWorker(context, page, info)
    context.worker_list.append(worker)
    if page is not None:
        page.worker_list.append(worker)
        page.events.emit(WorkerStarted(worker))
    context.events.emit(WorkerStarted(worker))
    worker.join(session)
    return worker
