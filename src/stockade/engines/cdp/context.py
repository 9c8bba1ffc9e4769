"""A browser context: one isolated state and its tabs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Literal

from stockade.engines.cdp.clipboard import Clipboard
from stockade.engines.cdp.cookies import Cookies
from stockade.engines.cdp.device import Device
from stockade.engines.cdp.init_scripts import InitScripts
from stockade.engines.cdp.navigation_reasons import NavigationReasons
from stockade.engines.cdp.permissions import Permissions, origin_of
from stockade.engines.cdp.routes import Routes
from stockade.engines.cdp.storage_watch import StorageWatch
from stockade.engines.cdp.storerooms import STORED, ChromiumStoreroom, Storerooms
from stockade.engines.cdp.worker_scripts import WorkerScripts
from stockade.engines.cdp.workers import ChromiumWorker, WorkerLogs
from stockade.engines.events import (
    ConsoleMessage,
    Download,
    Events,
    PageClosed,
    PageCrashed,
    PageError,
    PageOpened,
    Request,
    StreamFrame,
)
from stockade.engines.port import DEADLINE, Worker
from stockade.engines.routing import Gate, Route
from stockade.engines.values import ContextOptions, Cookie, Emulation, InitScript, StorageKey
from stockade.errors import BrowserGone, DeadlineExceeded, ProtocolFault, TabClosed, TabCrashed

if TYPE_CHECKING:
    from stockade.engines.cdp.browser import ChromiumBrowser
    from stockade.engines.cdp.frames import ChromiumFrame
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["ChromiumContext"]

_CLOSE_AGAIN = 0.5

_MOST_ORIGINS = 500


class ChromiumContext:
    """Cookies, storage, cache and way out that no other context shares."""

    def __init__(self, browser: ChromiumBrowser, context_id: str, options: ContextOptions) -> None:
        self.browser = browser
        self.id = context_id
        self.options = options
        self.events = Events()
        self.download_list: list[Download] = []
        self.worker_list: list[ChromiumWorker] = []
        self.routes = Routes()
        self.navigation_reasons = NavigationReasons()
        self.worker_logs = WorkerLogs(self)
        self.worker_scripts = WorkerScripts(self)
        self.scripts = InitScripts(self)
        self.clipboard = Clipboard(self)
        self._device = Device(self, options.emulation)
        self._cookies = Cookies(self)
        self._permissions = Permissions(self)
        self.storage_watch = StorageWatch(self)
        self.storerooms = Storerooms(self)
        self._origins: dict[str, None] = {}
        self._arrivals: dict[str, asyncio.Future[None]] = {}
        self._closed = False

    @property
    def pages(self) -> Sequence[ChromiumPage]:
        """Its open tabs, oldest first."""
        return [page for page in self.browser.pages.values() if page.context is self]

    @property
    def workers(self) -> Sequence[ChromiumWorker]:
        """All workers of this context."""
        return tuple(self.worker_list)

    @property
    def requests(self) -> Sequence[Request]:
        """The last requests of shared and service workers."""
        return self.worker_logs.traffic.requests

    @property
    def console(self) -> Sequence[ConsoleMessage]:
        """The last console lines of shared and service workers."""
        return self.worker_logs.console.messages

    @property
    def errors(self) -> Sequence[PageError]:
        """The last uncaught exceptions of shared and service workers."""
        return self.worker_logs.console.errors

    @property
    def stream_frames(self) -> Sequence[StreamFrame]:
        """The last WebSocket and server-sent messages of shared and service workers."""
        return self.worker_logs.traffic.stream_frames

    async def response_body(self, request_id: str, *, timeout: float = DEADLINE) -> bytes:
        """The body of an answered request of theirs."""
        return await self.worker_logs.traffic.response_body(request_id, timeout)

    async def request_body(self, request_id: str, *, timeout: float = DEADLINE) -> bytes:
        """The body a request of theirs was sent with."""
        return await self.worker_logs.traffic.request_body(request_id, timeout)

    @property
    def downloads(self) -> Sequence[Download]:
        """The downloads of this context."""
        return tuple(self.download_list)

    # --- tabs ---------------------------------------------------------------------------------

    async def new_page(self, *, timeout: float = DEADLINE) -> ChromiumPage:
        """Open an empty tab."""
        if self._closed:
            raise TabClosed("the context is closed")
        ends = asyncio.get_running_loop().time() + timeout
        try:
            answer = await self.browser.connection.root.send(
                "Target.createTarget",
                {"url": "about:blank", "browserContextId": self.id},
                timeout=timeout,
            )
        except ProtocolFault:
            if self._closed:
                raise TabClosed("the context was closed meanwhile") from None
            raise
        target: str = answer["targetId"]
        if target not in self.browser.pages:
            await self._arrival(target, ends - asyncio.get_running_loop().time())
        page = self.browser.pages.get(target)
        if page is None:
            raise TabClosed("the tab closed before it was ready")
        try:
            await page.ready(timeout=ends - asyncio.get_running_loop().time())
        except TabCrashed:
            # The browser keeps a spare renderer, which may have died unnoticed.
            await page.close(timeout=ends - asyncio.get_running_loop().time())
            return await self.new_page(timeout=ends - asyncio.get_running_loop().time())
        return page

    async def _arrival(self, target: str, timeout: float) -> None:
        """Wait for a target that was made but not announced yet."""
        if self._closed:
            raise TabClosed("the context was closed meanwhile")
        future = self._arrivals[target] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(timeout):
                await future
        except TimeoutError:
            raise DeadlineExceeded("the new tab was not announced in time") from None
        finally:
            del self._arrivals[target]

    async def close(self, *, timeout: float = DEADLINE) -> None:
        """Close its tabs and forget its state; what they were doing fails at once."""
        if self._closed:
            return
        self._closed = True
        error = TabClosed("the context was closed")
        for page in self.pages:
            page.leave()
            for session in page.sessions:
                session.fail(error)
            page.changed()
        for future in self._arrivals.values():
            if not future.done():
                future.set_exception(error)
        try:
            await self._dispose(timeout)
        except BrowserGone:
            # It took the context with it.
            return
        finally:
            self.browser.downloads.forget(self)
            self.browser.contexts.pop(self.id, None)

    async def _dispose(self, timeout: float) -> None:
        root = self.browser.connection.root
        command = ("Target.disposeBrowserContext", {"browserContextId": self.id})
        [disposed] = self.browser.connection.submit(root, [command], timeout)
        while not disposed.done():
            await asyncio.wait([disposed], timeout=_CLOSE_AGAIN)
            if not disposed.done():
                # A close that meets a navigation at its end is forgotten by the browser.
                root.post(*(("Target.closeTarget", {"targetId": page.id}) for page in self.pages))
        await disposed

    def opened(self, event: PageOpened) -> None:
        """A tab is ready."""
        future = self._arrivals.get(event.page.id)
        if future is not None and not future.done():
            future.set_result(None)
        self.events.emit(event)
        self.browser.events.emit(event)

    def released(self, event: PageClosed) -> None:
        """A tab is gone."""
        self.events.emit(event)
        self.browser.events.emit(event)

    def crashed(self, event: PageCrashed) -> None:
        """A tab's renderer died."""
        self.events.emit(event)
        self.browser.events.emit(event)

    async def add_script(
        self, script: InitScript, *, timeout: float = DEADLINE
    ) -> Callable[[], Awaitable[None]]:
        """Run a script at the start of every document; the answer takes it away again."""
        return await self.scripts.add(script, timeout)

    async def add_worker_script(
        self, source: str, heard: Callable[[Worker, str], None], *, timeout: float = DEADLINE
    ) -> Callable[[], Awaitable[None]]:
        """Run a function at the start of every worker, and in those there are."""
        return await self.worker_scripts.add(source, heard, timeout)

    async def set_routes(self, routes: Sequence[Route], *, timeout: float = DEADLINE) -> None:
        """Answer requests by these routes, and by no others."""
        self.routes.current = tuple(routes)
        await self._refresh_interception(timeout)

    async def set_gate(self, gate: Gate | None, *, timeout: float = DEADLINE) -> None:
        """Ask about every request of every tab and worker before it goes out."""
        self.routes.gate = gate
        await self._refresh_interception(timeout)

    async def _refresh_interception(self, timeout: float) -> None:
        async with asyncio.TaskGroup() as group:
            for each in (self.worker_logs.traffic, *(page.network for page in self.pages)):
                group.create_task(each.interceptor.refresh(timeout=timeout))

    async def clipboard_text(self, *, timeout: float = DEADLINE) -> str:
        """The text that pasting would give."""
        return await self.clipboard.text(timeout)

    @property
    def emulation(self) -> Emulation:
        """What a tab that opens now is told about the device."""
        return self._device.emulation

    async def emulate(self, emulation: Emulation, *, timeout: float = DEADLINE) -> None:
        """Change what every tab is told about the device, those to come included."""
        await self._device.change(emulation, timeout)

    # --- state --------------------------------------------------------------------------------

    async def cookies(
        self, urls: Sequence[str] = (), *, timeout: float = DEADLINE
    ) -> Sequence[Cookie]:
        """The cookies that `urls` would be sent, or all."""
        return await self._cookies.get(urls, timeout)

    async def set_cookies(self, cookies: Sequence[Cookie], *, timeout: float = DEADLINE) -> None:
        """Add or replace cookies."""
        await self._cookies.set(cookies, timeout)

    async def delete_cookies(
        self,
        name: str,
        *,
        url: str | None = None,
        domain: str | None = None,
        path: str | None = None,
        timeout: float = DEADLINE,
    ) -> None:
        """Delete the cookies of that name."""
        await self._cookies.delete(name, url, domain, path, timeout)

    async def clear_cookies(self, *, timeout: float = DEADLINE) -> None:
        """Delete all cookies."""
        await self._cookies.clear(timeout)

    async def cookie_jar(self, *, timeout: float = DEADLINE) -> bytes:
        """All cookies with everything the browser knows of them."""
        return await self._cookies.jar(timeout)

    async def fill_cookie_jar(self, jar: bytes, *, timeout: float = DEADLINE) -> Sequence[str]:
        """Put back what `cookie_jar` gave."""
        return await self._cookies.fill(jar, timeout)

    async def clear_storage(self, origin: str, *, timeout: float = DEADLINE) -> None:
        """Delete everything `origin` has stored but its cookies."""
        params = {"origin": origin_of(origin), "storageTypes": ",".join(STORED)}
        # The browser finds the right storage through a tab of the context alone.
        pages = self.pages
        page = pages[0] if pages else await self.new_page(timeout=timeout)
        try:
            await page.session.send("Storage.clearDataForOrigin", params, timeout=timeout)
            self.storage_watch.cleared(StorageKey(params["origin"]))
        finally:
            if not pages:
                await page.close(timeout=timeout)

    @property
    def origins(self) -> Sequence[str]:
        """The origins whose documents it has shown, the latest last."""
        return tuple(self._origins)

    def note_origin(self, origin: str) -> None:
        """A document of that origin is shown."""
        if origin.startswith(("http://", "https://")):
            self._origins.pop(origin, None)
            self._origins[origin] = None
            if len(self._origins) > _MOST_ORIGINS:
                del self._origins[next(iter(self._origins))]

    async def storage_places(self, *, timeout: float = DEADLINE) -> Sequence[StorageKey]:
        """Where something is stored, or may be."""
        return await self.storage_watch.places(timeout)

    def expect_storage(self, key: StorageKey) -> None:
        """Databases of that key are followed from the first tab on."""
        self.storage_watch.expect(key)

    def frame_storing(self, key: StorageKey) -> ChromiumFrame | None:
        """A frame that uses that storage now."""
        return self.storage_watch.frame_of(key)

    def storeroom(
        self, *, timeout: float = DEADLINE
    ) -> AbstractAsyncContextManager[ChromiumStoreroom]:
        """A way to the storage of any origin."""
        return self.storerooms.open(timeout=timeout)

    async def grant_permissions(
        self, permissions: Sequence[str], *, origin: str | None = None, timeout: float = DEADLINE
    ) -> None:
        """Let pages of `origin` (or all) use the permissions."""
        await self._permissions.set(permissions, "granted", origin, timeout)

    async def set_permission(
        self,
        permission: str,
        state: Literal["granted", "denied", "prompt"],
        *,
        origin: str | None = None,
        timeout: float = DEADLINE,
    ) -> None:
        """Set one permission."""
        await self._permissions.set([permission], state, origin, timeout)

    async def reset_permissions(self, *, timeout: float = DEADLINE) -> None:
        """Forget every granted or denied permission."""
        await self._permissions.reset(timeout)

    async def cancel_download(self, id: str, *, timeout: float = DEADLINE) -> None:
        """Stop a running download."""
        await self.browser.downloads.cancel(self, id, timeout)
