"""A tab: one page target, its frames' sessions, and the parts that make it whole."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

import msgspec

from stockade.engines.cdp.capture import Capture
from stockade.engines.cdp.choosers import FileChoosers
from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.console import Console
from stockade.engines.cdp.devtools import ChromiumDevTools
from stockade.engines.cdp.dialogs import Dialogs
from stockade.engines.cdp.emulation import Emulator
from stockade.engines.cdp.frames import ChromiumFrame, FrameTree
from stockade.engines.cdp.keyboard import ChromiumKeyboard
from stockade.engines.cdp.mouse import ChromiumMouse
from stockade.engines.cdp.navigation import Navigator
from stockade.engines.cdp.network import Network
from stockade.engines.cdp.probes import Probes
from stockade.engines.cdp.requests import RequestLog
from stockade.engines.cdp.targets import AUTO_ATTACH, Feature, TargetInfo
from stockade.engines.cdp.touch import ChromiumTouch
from stockade.engines.cdp.visibility import Visibility
from stockade.engines.cdp.waiter import Waiter
from stockade.engines.events import (
    ConsoleMessage,
    DialogOpened,
    Events,
    PageClosed,
    PageCrashed,
    PageError,
    PageOpened,
    Request,
    ScreencastFrame,
    StreamFrame,
)
from stockade.engines.port import DEADLINE
from stockade.engines.values import (
    Box,
    Credentials,
    Emulation,
    HistoryEntry,
    Navigation,
    PdfOptions,
    ScreenshotOptions,
    Until,
)
from stockade.errors import DeadlineExceeded, StockadeError, TabClosed, TabCrashed

if TYPE_CHECKING:
    from stockade.engines.cdp.context import ChromiumContext
    from stockade.engines.cdp.workers import ChromiumWorker

__all__ = ["ChromiumPage"]

_CLOSE_AGAIN = 0.5


class ChromiumPage:
    """One tab of a context."""

    def __init__(
        self,
        context: ChromiumContext,
        session: Session,
        info: TargetInfo,
        opener: ChromiumPage | None,
    ) -> None:
        self.id = info.targetId
        self.context = context
        self.session = session
        self.opener = opener
        self.events = Events()
        self.closed = False
        self.crashed = False
        self.frame_tree = FrameTree(self, info.targetId)
        self.mouse = ChromiumMouse(self)
        self.keyboard = ChromiumKeyboard(self)
        self.touch = ChromiumTouch(self)
        self.worker_list: list[ChromiumWorker] = []
        self._dialogs = Dialogs(self)
        self._console = Console(self.events, lambda: self.main_frame.document)
        self.network = Network(self)
        self.emulator = Emulator(self)
        self._visibility = Visibility(self)
        self._choosers = FileChoosers(self)
        self._capture = Capture(self)
        self._navigator = Navigator(self)
        self._probes = Probes(self)
        self._features: tuple[Feature, ...] = (
            self.frame_tree,
            self._dialogs,
            self._console,
            self.network,
            self.emulator,
            self._choosers,
            self._capture,
            self._probes,
            context.storage_watch,
        )
        self._sessions: dict[str, Session] = {}
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters: set[Waiter] = set()

    # --- life ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """Set the new target up and let it run."""
        tree = self._join(self.session)

        def loaded(future: asyncio.Future[msgspec.Raw]) -> None:
            if self._ready.done():
                return
            error = None if future.cancelled() else future.exception()
            if future.cancelled() or error is not None:
                closed = TabClosed("the tab closed before it was ready")
                self._fail(error if isinstance(error, StockadeError) else closed)
                return
            self.frame_tree.load(self.session, future.result())
            self._ready.set_result(None)
            self.context.opened(PageOpened(self, self.opener))

        tree.add_done_callback(loaded)

    def adopt(self, session: Session, info: TargetInfo) -> None:
        """A frame of this page runs in another process now."""
        self.frame_tree.adopt(session, info.targetId, info.parentFrameId)
        tree = self._join(session)

        def loaded(future: asyncio.Future[msgspec.Raw]) -> None:
            if not future.cancelled() and future.exception() is None:
                self.frame_tree.load(session, future.result())
                self.changed()

        tree.add_done_callback(loaded)

    def _join(self, session: Session) -> asyncio.Future[msgspec.Raw]:
        """Prepare a session in one write that ends by letting the target run.

        A target opened without an opener answers nothing before that, so waiting for any of the
        answers first would wait for ever.
        """
        self._sessions[session.id] = session
        session.dialog_open = lambda: self._dialogs.current is not None
        session.on("Inspector.targetCrashed", lambda _: self._crashed(session), dict)
        self.context.browser.watch_targets(session)
        for feature in self._features:
            feature.watch(session)
        commands: list[Command] = []
        for feature in self._features:
            commands.extend(feature.setup(session))
        scripts = self.context.scripts
        scripts.watch(session, self)
        last = [
            ("Target.setAutoAttach", AUTO_ATTACH),
            ("Runtime.runIfWaitingForDebugger", {}),
            ("Page.getFrameTree", {}),
        ]
        answers = session.connection.submit(session, [*commands, *scripts.setup(), *last], DEADLINE)
        scripts.installed(session, answers[len(commands) :])
        return answers[-1]

    def released(self, session: Session) -> None:
        """A session of this page has ended."""
        self._sessions.pop(session.id, None)
        self.context.scripts.released(session)
        self.context.storage_watch.released(session)
        self.network.released(session)
        if session is not self.session:
            self.frame_tree.release(session)
            self.changed()
            return
        self.closed = True
        self._fail(session.failure or TabClosed("the tab is gone"))
        self.context.released(PageClosed(self))
        self.events.emit(PageClosed(self))

    def _crashed(self, session: Session) -> None:
        error = TabCrashed("the tab's renderer has crashed")
        session.crashed(error)
        if session is not self.session:
            return
        self.crashed = True
        self._dialogs.forget()
        self.changed()
        self.context.crashed(PageCrashed(self))
        self.events.emit(PageCrashed(self))

    def revived(self, session: Session) -> None:
        """A document was shown, so its renderer lives."""
        session.revived()
        if session is self.session:
            self.crashed = False

    def _fail(self, error: StockadeError) -> None:
        if not self._ready.done():
            self._ready.set_exception(error)
            self._ready.exception()
        self.changed()

    async def ready(self, *, timeout: float = DEADLINE) -> None:
        """Wait until the tab is set up, thawing it if it is frozen."""
        if not self._ready.done():
            try:
                async with asyncio.timeout(timeout):
                    await asyncio.shield(self._ready)
            except TimeoutError:
                raise DeadlineExceeded("the tab was not ready in time") from None
        if self.emulator.frozen:
            await self.thaw(timeout=timeout)

    @property
    def sessions(self) -> Sequence[Session]:
        """All sessions of the page: the tab's own first, then its frames'."""
        return tuple(self._sessions.values())

    @property
    def devtools(self) -> Sequence[ChromiumDevTools]:
        """The tab in the browser's own words: itself first, then frames in other processes."""
        return tuple(map(ChromiumDevTools, self.sessions))

    def probe(
        self, watch: Callable[[ChromiumDevTools], None], commands: Sequence[Command]
    ) -> Callable[[], None]:
        """Let an instrument follow the tab into every process it runs in."""
        return self._probes.add(watch, commands)

    async def close(self, *, run_unload: bool = False, timeout: float = DEADLINE) -> None:
        """Close the tab."""
        if self.closed:
            return
        if run_unload:
            await self.session.send("Page.close", timeout=timeout)
            await self.until(lambda: self.closed, timeout=timeout, even_if_closed=True)
            return
        self.leave()
        ends = asyncio.get_running_loop().time() + timeout
        while not self.closed:
            left = ends - asyncio.get_running_loop().time()
            with suppress(TabClosed):
                await self.context.browser.connection.root.send(
                    "Target.closeTarget", {"targetId": self.id}, timeout=left
                )
            # A close that meets a navigation at its end is forgotten by the browser.
            with suppress(DeadlineExceeded):
                await self.until(
                    lambda: self.closed, timeout=min(_CLOSE_AGAIN, left), even_if_closed=True
                )

    def leave(self) -> None:
        """Let no dialog keep the tab from closing."""
        self._dialogs.leave()

    # --- waiting ------------------------------------------------------------------------------

    def changed(self) -> None:
        """Something a waiter may wait for has happened."""
        for waiter in tuple(self._waiters):
            waiter.check()

    async def until(
        self, predicate: Callable[[], bool], *, timeout: float, even_if_closed: bool = False
    ) -> None:
        """Wait until `predicate` holds; a dialog, a crash or the tab's end ends the wait too."""
        waiter = Waiter(self, predicate, even_if_closed=even_if_closed)
        self._waiters.add(waiter)
        try:
            waiter.check()
            async with asyncio.timeout(timeout):
                await waiter.future
        except TimeoutError:
            raise DeadlineExceeded(f"the page did not get there within {timeout:g} s") from None
        finally:
            self._waiters.discard(waiter)

    def obstacle(self) -> StockadeError | None:
        """What keeps the page from going on by itself."""
        if self.closed or self.session.failure is not None:
            return self.session.failure or TabClosed("the tab is gone")
        if self.crashed:
            return TabCrashed("the tab's renderer has crashed")
        return self._dialogs.error()

    # --- frames and navigation ----------------------------------------------------------------

    @property
    def main_frame(self) -> ChromiumFrame:
        """The top frame."""
        return self.frame_tree.main

    @property
    def frames(self) -> Sequence[ChromiumFrame]:
        """All frames, parents before children."""
        return self.frame_tree.ordered()

    @property
    def workers(self) -> Sequence[ChromiumWorker]:
        """The dedicated workers of this page."""
        return tuple(self.worker_list)

    def join_worker(self, session: Session) -> Sequence[Command]:
        """Hear a dedicated worker: what it asks and says is the page's. Returns what to send it."""
        self._console.watch(session, "worker")
        self.network.watch_worker(session)
        return [*self._console.setup(session), *self.network.setup_worker()]

    def release_worker(self, session: Session) -> None:
        """A dedicated worker is gone."""
        self.network.released(session)

    async def navigate(
        self,
        url: str,
        *,
        until: Until = "domcontentloaded",
        referrer: str | None = None,
        timeout: float = DEADLINE,
    ) -> Navigation:
        """Load `url` in the main frame."""
        return await self._navigator.navigate(url, until, referrer, timeout)

    async def reload(
        self,
        *,
        until: Until = "domcontentloaded",
        ignore_cache: bool = False,
        timeout: float = DEADLINE,
    ) -> Navigation:
        """Load the present document again."""
        return await self._navigator.reload(until, ignore_cache, timeout)

    async def go(
        self, delta: int, *, until: Until = "domcontentloaded", timeout: float = DEADLINE
    ) -> Navigation | None:
        """Move in the history."""
        return await self._navigator.go(delta, until, timeout)

    async def history(self, *, timeout: float = DEADLINE) -> Sequence[HistoryEntry]:
        """The tab's history."""
        return await self._navigator.history(timeout)

    async def stop_loading(self, *, timeout: float = DEADLINE) -> None:
        """Stop what is being loaded."""
        await self.session.send("Page.stopLoading", timeout=timeout)

    async def title(self, *, timeout: float = DEADLINE) -> str:
        """The document's title."""
        return str(await self.main_frame.call("() => document.title", timeout=timeout))

    async def set_content(
        self, html: str, *, until: Until = "load", timeout: float = DEADLINE
    ) -> None:
        """Replace the document's content."""
        await self._navigator.set_content(html, until, timeout)

    async def activate(self, *, timeout: float = DEADLINE) -> None:
        """Bring the tab to the front."""
        await self.session.send("Page.bringToFront", timeout=timeout)

    # --- dialogs ------------------------------------------------------------------------------

    @property
    def dialog(self) -> DialogOpened | None:
        """The dialog that holds the page now."""
        return self._dialogs.current

    async def answer_dialog(
        self, *, accept: bool, text: str | None = None, cut: bool = False, timeout: float = DEADLINE
    ) -> None:
        """Answer the open dialog; with `cut` the script that opened it is ended."""
        await self._dialogs.answer(accept, text, timeout, cut=cut)

    # --- pictures -----------------------------------------------------------------------------

    async def screenshot(
        self, options: ScreenshotOptions | None = None, *, timeout: float = DEADLINE
    ) -> bytes:
        """A picture of the tab."""
        return await self._capture.screenshot(options or ScreenshotOptions(), timeout)

    async def pictured_area(self, options: ScreenshotOptions, *, timeout: float = DEADLINE) -> Box:
        """The part of the document that such a picture shows."""
        return await self._capture.area(options, timeout)

    async def pdf(self, options: PdfOptions | None = None, *, timeout: float = DEADLINE) -> bytes:
        """The page as printed."""
        return await self._capture.pdf(options or PdfOptions(), timeout)

    async def start_screencast(
        self,
        *,
        format: Literal["jpeg", "png"] = "jpeg",
        quality: int = 70,
        max_width: int = 1280,
        max_height: int = 720,
        every_nth_frame: int = 1,
        timeout: float = DEADLINE,
    ) -> None:
        """Send a ScreencastFrame whenever the page paints."""
        await self._capture.start_screencast(
            format, quality, max_width, max_height, every_nth_frame, timeout
        )

    async def stop_screencast(self, *, timeout: float = DEADLINE) -> None:
        """End the screencast."""
        await self._capture.stop_screencast(timeout)

    @property
    def screencast_frame(self) -> ScreencastFrame | None:
        """The last picture of the running screencast."""
        return self._capture.last_frame

    # --- device and network -------------------------------------------------------------------

    @property
    def emulation(self) -> Emulation:
        """What the page is told about the device."""
        return self.emulator.current

    async def emulate(self, emulation: Emulation, *, timeout: float = DEADLINE) -> None:
        """Change what the page is told about the device."""
        await self.emulator.apply(emulation, timeout)

    async def freeze(self, *, timeout: float = DEADLINE) -> None:
        """Stop timers and painting."""
        await self.emulator.freeze(timeout)

    async def thaw(self, *, timeout: float = DEADLINE) -> None:
        """Let a frozen tab go on."""
        await self.emulator.thaw(timeout)

    @property
    def frozen(self) -> bool:
        """Whether the tab is frozen."""
        return self.emulator.frozen

    async def hide(self, *, timeout: float = DEADLINE) -> None:
        """Put the tab in the background."""
        await self._visibility.hide(timeout)

    async def show(self, *, timeout: float = DEADLINE) -> None:
        """Bring the tab to the foreground again."""
        await self._visibility.show(timeout)

    @property
    def hidden(self) -> bool:
        """Whether the tab was put in the background."""
        return self._visibility.hidden

    async def set_headers(self, headers: Mapping[str, str], *, timeout: float = DEADLINE) -> None:
        """Send these headers with every request of the tab."""
        await self.network.set_headers(headers, timeout)

    async def set_credentials(
        self, credentials: Credentials | None, *, timeout: float = DEADLINE
    ) -> None:
        """Answer HTTP authentication challenges."""
        await self.network.set_credentials(credentials, timeout)

    @property
    def console(self) -> Sequence[ConsoleMessage]:
        """The last console lines."""
        return self._console.messages

    @property
    def errors(self) -> Sequence[PageError]:
        """The last uncaught exceptions."""
        return self._console.errors

    @property
    def requests(self) -> Sequence[Request]:
        """The last requests."""
        return self.network.requests

    @property
    def stream_frames(self) -> Sequence[StreamFrame]:
        """The last WebSocket and server-sent messages."""
        return self.network.stream_frames

    @property
    def request_log(self) -> RequestLog:
        """The log behind `requests`."""
        return self.network.log

    def document_status(self, document: str) -> int | None:
        """The HTTP status a document came with."""
        return self.network.document_status(document)

    async def response_body(self, request_id: str, *, timeout: float = DEADLINE) -> bytes:
        """The body of an answered request."""
        return await self.network.response_body(request_id, timeout)

    async def request_body(self, request_id: str, *, timeout: float = DEADLINE) -> bytes:
        """The body a request was sent with."""
        return await self.network.request_body(request_id, timeout)
