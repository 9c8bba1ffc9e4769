"""Storerooms: the storage of any origin, reached through empty documents that nobody serves.

The documents stand in a target of the context that is no tab: it is never announced, and every
request it makes is answered here.
"""

from __future__ import annotations

import asyncio
import base64
import html
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.frames import WORLD_NAME
from stockade.engines.cdp.scripts import call_function
from stockade.engines.cdp.storage_watch import name_of
from stockade.engines.cdp.targets import AUTO_ATTACH, TargetAttached, TargetDetached, TargetInfo
from stockade.engines.port import DEADLINE
from stockade.engines.values import StorageKey
from stockade.errors import DeadlineExceeded, NavigationFailed, TabClosed, TabCrashed

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
_EMPTY = '<!doctype html><link rel="icon" href="data:,">'


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


class _Attached(msgspec.Struct):
    sessionId: str
    targetInfo: TargetInfo


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
        self._here: _Document | None = None
        self._content = _EMPTY
        self._shown: asyncio.Queue[str] = asyncio.Queue()
        self._frames: asyncio.Queue[_Attached] = asyncio.Queue()

    async def begin(self, *, timeout: float) -> None:
        """Answer everything the target asks for, and let it run."""
        session = self._session
        session.on("Page.frameNavigated", self._navigated, _Navigated)
        session.on("Inspector.targetCrashed", self._crashed, dict)
        session.on("Target.attachedToTarget", self._frames.put_nowait, _Attached)
        session.on("Target.detachedFromTarget", self._frame_gone, TargetDetached)
        await session.send_all(self._set_up(session), timeout=timeout)

    def _set_up(self, session: Session) -> list[Command]:
        session.on("Fetch.requestPaused", lambda event: self._answer(session, event), _Paused)
        self._context.storage_watch.watch_storage(session)
        return [
            ("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}),
            ("Network.enable", {}),
            # A worker of the origin would answer before us.
            ("Network.setBypassServiceWorker", {"bypass": True}),
            ("Page.enable", {}),
            ("Target.setAutoAttach", AUTO_ATTACH),
            ("Runtime.runIfWaitingForDebugger", {}),
        ]

    async def call(
        self,
        place: str | StorageKey,
        function: str,
        *arguments: Any,
        timeout: float = DEADLINE,
    ) -> Any:
        """Call a function in a document of that place; an origin is a place by itself."""
        key = place if isinstance(place, StorageKey) else StorageKey(place)
        here = self._here
        if here is None or here.key != key:
            here = await self._enter(key, timeout)
        return await call_function(
            here.session, function, arguments, context=here.world, timeout=timeout
        )

    async def clear(self, place: str | StorageKey, *, timeout: float = DEADLINE) -> None:
        """Delete everything that is stored in a place but cookies."""
        key = place if isinstance(place, StorageKey) else StorageKey(place)
        params = {"storageKey": name_of(key), "storageTypes": ",".join(STORED)}
        await self._session.send("Storage.clearDataForStorageKey", params, timeout=timeout)
        self._context.storage_watch.cleared(key)

    async def _enter(self, key: StorageKey, timeout: float) -> _Document:
        self._here = None
        self._content = _EMPTY
        if key.site:
            self._content += f'<iframe src="{html.escape(key.origin)}/"></iframe>'
        await self._show(f"{key.site or key.origin}/", timeout)
        session, frame = self._session, self._target
        if key.site:
            session, frame = await self._frame(timeout)
        here = _Document(key, session, await _world(session, frame, timeout))
        await self._check(here, timeout)
        commands = self._context.storage_watch.setup_storeroom(key)
        if commands:
            await session.send_all(commands, timeout=timeout)
        self._here = here
        if not key.site:
            self._context.note_origin(key.origin)
        return here

    async def _show(self, url: str, timeout: float) -> None:
        answer = await self._session.send("Page.navigate", {"url": url}, timeout=timeout)
        if answer.get("errorText"):
            raise NavigationFailed(f"{url} has no document", reason=answer["errorText"])
        try:
            async with asyncio.timeout(timeout):
                while await self._shown.get() != answer.get("loaderId"):
                    continue
        except TimeoutError:
            raise DeadlineExceeded(f"no document of {url} was shown in time") from None

    async def _frame(self, timeout: float) -> tuple[Session, str]:
        """The frame in the document, which runs in a process of its own."""
        shown: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def navigated(_: dict[str, Any]) -> None:
            if not shown.done():
                shown.set_result(None)

        try:
            async with asyncio.timeout(timeout):
                attached = await self._frames.get()
                session = self._context.browser.connection.session(attached.sessionId)
                session.on("Page.frameNavigated", navigated, dict)
                await session.send_all(self._set_up(session), timeout=timeout)
                await shown
        except TimeoutError:
            raise DeadlineExceeded("no frame was shown in time") from None
        return session, attached.targetInfo.targetId

    async def _check(self, here: _Document, timeout: float) -> None:
        real = await call_function(
            here.session, "() => self.origin", (), context=here.world, timeout=timeout
        )
        if real != here.key.origin:
            raise NavigationFailed(
                f"{here.key.origin} has no document", reason="another origin was shown"
            )

    def _answer(self, session: Session, event: _Paused) -> None:
        if event.resourceType != "Document":
            session.post(
                ("Fetch.failRequest", {"requestId": event.requestId, "errorReason": "Aborted"})
            )
            return
        content, self._content = self._content, _EMPTY
        params = {
            "requestId": event.requestId,
            "responseCode": 200,
            "responseHeaders": [{"name": "content-type", "value": "text/html"}],
            "body": base64.b64encode(content.encode()).decode(),
        }
        session.post(("Fetch.fulfillRequest", params))

    def _frame_gone(self, event: TargetDetached) -> None:
        connection = self._context.browser.connection
        session = connection.find(event.sessionId)
        if session is not None:
            connection.forget(session, TabClosed("the frame is gone"))

    def _navigated(self, event: _Navigated) -> None:
        self._shown.put_nowait(event.frame.loaderId)

    def _crashed(self, _: dict[str, Any]) -> None:
        self._session.crashed(TabCrashed("the renderer of the storeroom has crashed"))


@dataclass(frozen=True)
class _Document:
    """What is shown now, and where code in it runs."""

    key: StorageKey
    session: Session
    world: int


async def _world(session: Session, frame: str, timeout: float) -> int:
    made = await session.send(
        "Page.createIsolatedWorld", {"frameId": frame, "worldName": WORLD_NAME}, timeout=timeout
    )
    return int(made["executionContextId"])
