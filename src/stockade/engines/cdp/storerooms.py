"""Storerooms: the storage of any origin, reached through empty documents that nobody serves.

The documents stand in a target of the context that is no tab: it is never announced, and every
request it makes is answered here.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from stockade.engines.cdp.connection import Session
from stockade.engines.cdp.frames import WORLD_NAME
from stockade.engines.cdp.scripts import call_function
from stockade.engines.cdp.targets import TargetAttached
from stockade.engines.port import DEADLINE
from stockade.errors import DeadlineExceeded, NavigationFailed, TabCrashed

if TYPE_CHECKING:
    from stockade.engines.cdp.context import ChromiumContext

__all__ = ["STORED", "ChromiumStoreroom", "Storerooms"]

STORED = (
    "cache_storage",
    "file_systems",
    "indexeddb",
    "interest_groups",
    "local_storage",
    "service_workers",
    "shared_storage",
    "storage_buckets",
    "websql",
)
"""All that an origin can have stored, but its cookies."""

# The icon keeps the browser from asking for /favicon.ico.
_EMPTY = base64.b64encode(b'<!doctype html><link rel="icon" href="data:,">').decode()


class _Paused(msgspec.Struct):
    requestId: str
    resourceType: str = ""


class _Created(msgspec.Struct):
    targetId: str


class _FrameInfo(msgspec.Struct):
    id: str
    loaderId: str = ""


class _Navigated(msgspec.Struct):
    frame: _FrameInfo


class _Opening:
    """A target that was asked for: first its session comes, then its name."""

    def __init__(self) -> None:
        self.target: str | None = None
        self.session: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        self.unwanted = False
        # Whoever asked may be gone.
        self.session.add_done_callback(lambda future: future.cancelled() or future.exception())


class Storerooms:
    """Tells the targets of storerooms from the tabs of their context."""

    def __init__(self, context: ChromiumContext) -> None:
        self._context = context
        self._openings: list[_Opening] = []
        self._held: list[tuple[TargetAttached, Callable[[], None]]] = []

    def take(self, event: TargetAttached, otherwise: Callable[[], None]) -> bool:
        """Whether a new target may be a storeroom's; `otherwise` is called if it turns out not."""
        for opening in self._openings:
            if opening.target == event.targetInfo.targetId:
                self._openings.remove(opening)
                opening.session.set_result(
                    self._context.browser.connection.session(event.sessionId)
                )
                return True
        if any(opening.target is None for opening in self._openings):
            # It is paused, and nothing is lost by waiting for the name.
            self._held.append((event, otherwise))
            return True
        return False

    @asynccontextmanager
    async def open(self, *, timeout: float) -> AsyncIterator[ChromiumStoreroom]:
        """A storeroom, for as long as it is needed."""
        opening = self._ask(timeout)
        try:
            session = await asyncio.shield(opening.session)
            storeroom = ChromiumStoreroom(self._context, session, opening.target or "")
            await storeroom.begin(timeout=timeout)
            yield storeroom
        finally:
            self._end(opening)

    def _ask(self, timeout: float) -> _Opening:
        opening = _Opening()
        root = self._context.browser.connection.root
        params = {"url": "about:blank", "browserContextId": self._context.id}
        [created] = root.connection.submit(root, [("Target.createTarget", params)], timeout)
        self._openings.append(opening)

        def named(created: asyncio.Future[msgspec.Raw]) -> None:
            error = created.exception()
            if error is not None:
                self._openings.remove(opening)
                opening.session.set_exception(error)
            else:
                opening.target = msgspec.json.decode(created.result(), type=_Created).targetId
                if opening.unwanted:
                    self._end(opening)
            held, self._held = self._held, []
            for event, otherwise in held:
                if not self.take(event, otherwise):
                    otherwise()

        created.add_done_callback(named)
        return opening

    def _end(self, opening: _Opening) -> None:
        opening.unwanted = True
        if opening.target is not None:
            root = self._context.browser.connection.root
            root.post(("Target.closeTarget", {"targetId": opening.target}))


class ChromiumStoreroom:
    """One target that shows an empty document of whichever origin is asked for."""

    def __init__(self, context: ChromiumContext, session: Session, target: str) -> None:
        self._context = context
        self._session = session
        self._target = target
        self._origin = ""
        self._world = 0
        self._shown: asyncio.Queue[str] = asyncio.Queue()

    async def begin(self, *, timeout: float) -> None:
        """Answer everything the target asks for, and let it run."""
        session = self._session
        session.on("Fetch.requestPaused", self._answer, _Paused)
        session.on("Page.frameNavigated", self._navigated, _Navigated)
        session.on("Inspector.targetCrashed", self._crashed, dict)
        await session.send_all(
            [
                ("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}),
                ("Network.enable", {}),
                # A worker of the origin would answer before us.
                ("Network.setBypassServiceWorker", {"bypass": True}),
                ("Page.enable", {}),
                ("Runtime.runIfWaitingForDebugger", {}),
            ],
            timeout=timeout,
        )

    async def call(
        self, origin: str, function: str, *arguments: Any, timeout: float = DEADLINE
    ) -> Any:
        """Call a function in a document of `origin`."""
        if self._origin != origin:
            await self._enter(origin, timeout)
        return await call_function(
            self._session, function, arguments, context=self._world, timeout=timeout
        )

    async def clear(self, origin: str, *, timeout: float = DEADLINE) -> None:
        """Delete everything `origin` has stored but its cookies."""
        params = {"origin": origin, "storageTypes": ",".join(STORED)}
        await self._session.send("Storage.clearDataForOrigin", params, timeout=timeout)

    async def _enter(self, origin: str, timeout: float) -> None:
        self._origin = ""
        answer = await self._session.send("Page.navigate", {"url": f"{origin}/"}, timeout=timeout)
        if answer.get("errorText"):
            raise NavigationFailed(f"{origin} has no document", reason=answer["errorText"])
        try:
            async with asyncio.timeout(timeout):
                while await self._shown.get() != answer.get("loaderId"):
                    continue
        except TimeoutError:
            raise DeadlineExceeded(f"no document of {origin} was shown in time") from None
        made = await self._session.send(
            "Page.createIsolatedWorld",
            {"frameId": self._target, "worldName": WORLD_NAME},
            timeout=timeout,
        )
        self._world = int(made["executionContextId"])
        real = await call_function(
            self._session, "() => self.origin", (), context=self._world, timeout=timeout
        )
        if real != origin:
            raise NavigationFailed(f"{origin} has no document", reason="another origin was shown")
        self._origin = origin
        self._context.note_origin(origin)

    def _answer(self, event: _Paused) -> None:
        if event.resourceType != "Document":
            self._session.post(
                ("Fetch.failRequest", {"requestId": event.requestId, "errorReason": "Aborted"})
            )
            return
        params = {
            "requestId": event.requestId,
            "responseCode": 200,
            "responseHeaders": [{"name": "content-type", "value": "text/html"}],
            "body": _EMPTY,
        }
        self._session.post(("Fetch.fulfillRequest", params))

    def _navigated(self, event: _Navigated) -> None:
        self._shown.put_nowait(event.frame.loaderId)

    def _crashed(self, _: dict[str, Any]) -> None:
        self._session.crashed(TabCrashed("the renderer of the storeroom has crashed"))
