"""The frames of a page, whichever process they run in, and their script worlds."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.evaluation import evaluate, stop_script
from stockade.engines.cdp.listeners import call_with_listeners
from stockade.engines.cdp.scripts import ChromiumHandle, call_function, call_function_handle
from stockade.engines.events import (
    FrameAttached,
    FrameDetached,
    FrameNavigated,
    LifecycleReached,
    NavigationRequested,
    PopupRequested,
)
from stockade.engines.geometry import Quad
from stockade.engines.port import DEADLINE
from stockade.engines.values import Point, StorageKey, World
from stockade.errors import TabClosed

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage
    from stockade.engines.inside import Handle

__all__ = ["WORLD_NAME", "ChromiumFrame", "FrameTree"]

WORLD_NAME = "stockade"
_DOCUMENTS_KEPT = 8


class _FrameInfo(msgspec.Struct):
    id: str
    loaderId: str = ""
    parentId: str = ""
    name: str = ""
    url: str = ""
    urlFragment: str = ""
    securityOrigin: str = ""
    unreachableUrl: str = ""


class _Navigated(msgspec.Struct):
    frame: _FrameInfo


class _Attached(msgspec.Struct):
    frameId: str
    parentFrameId: str


class _Detached(msgspec.Struct):
    frameId: str
    reason: str = "remove"


class _WithinDocument(msgspec.Struct):
    frameId: str
    url: str


class _Requested(msgspec.Struct):
    frameId: str
    url: str = ""
    reason: str = ""
    navigationType: str = ""


class _Stopped(msgspec.Struct):
    frameId: str


class _WindowOpen(msgspec.Struct):
    url: str = ""


class _Lifecycle(msgspec.Struct):
    frameId: str
    loaderId: str
    name: str


class _ContextAux(msgspec.Struct):
    frameId: str = ""
    isDefault: bool = False


class _ContextInfo(msgspec.Struct):
    id: int
    name: str = ""
    auxData: _ContextAux | None = None


class _ContextCreated(msgspec.Struct):
    context: _ContextInfo


class _ContextDestroyed(msgspec.Struct):
    executionContextId: int


class _Tree(msgspec.Struct):
    frame: _FrameInfo
    childFrames: list[_Tree] = []


class ChromiumFrame:
    """One frame, for its whole life."""

    def __init__(
        self, page: ChromiumPage, frame_id: str, parent: ChromiumFrame | None, session: Session
    ) -> None:
        self.id = frame_id
        self.page = page
        self.parent = parent
        self.session = session
        self.url = ""
        self.origin = ""
        self.name = ""
        self.document = ""
        self.unreachable = ""
        self.detached = False
        self.children: list[ChromiumFrame] = []
        self.navigations = 0
        """Counts documents and states shown, so that a waiter can tell that one came."""
        self.leaving = False
        """Whether it is on its way to another document that is not there yet."""
        self.documents: deque[str] = deque(maxlen=_DOCUMENTS_KEPT)
        self.worlds: dict[World, int] = {}
        self.storage_key: StorageKey | None = None
        """Whose storage its document uses, where storage is watched."""
        self._reached: dict[str, set[str]] = {}
        self._listeners: tuple[int, set[int]] = (0, set())

    def reached(self, name: str) -> bool:
        """Whether the present document has reached that lifecycle point."""
        return name in self._reached.get(self.document, ())

    def mark(self, document: str, name: str) -> None:
        """Note that a document reached a lifecycle point."""
        self._reached.setdefault(document, set()).add(name)
        while len(self._reached) > _DOCUMENTS_KEPT:
            del self._reached[next(iter(self._reached))]

    def unmark(self, document: str, names: Sequence[str]) -> None:
        """Forget points a document will reach once more."""
        self._reached.get(document, set()).difference_update(names)

    async def call(
        self,
        function: str,
        *arguments: Any,
        world: World = World.AGENT,
        timeout: float = DEADLINE,
    ) -> Any:
        """Call a function in one of the frame's worlds."""
        context = await self.world(world, timeout=timeout)
        return await call_function(
            self.session, function, arguments, context=context, timeout=timeout
        )

    async def call_handle(
        self,
        function: str,
        *arguments: Any,
        world: World = World.AGENT,
        timeout: float = DEADLINE,
    ) -> ChromiumHandle:
        """Call a function and keep its answer in the page."""
        context = await self.world(world, timeout=timeout)
        object_id = await call_function_handle(
            self.session, function, arguments, context=context, timeout=timeout
        )
        return ChromiumHandle(self, context, object_id)

    async def evaluate(
        self,
        source: str,
        convert: str,
        *arguments: Any,
        element: Handle | None = None,
        timeout: float = DEADLINE,
    ) -> Any:
        """Run code as a person types it, in the page's own world."""
        node = element if isinstance(element, ChromiumHandle) else None
        return await evaluate(self, source, convert, arguments, element=node, timeout=timeout)

    async def call_with_listeners(
        self,
        function: str,
        types: Collection[str],
        *,
        roots: Sequence[Handle] | None = None,
        timeout: float = DEADLINE,
    ) -> int:
        """Call a function with the elements that listen to `types`, each once per document."""
        context = await self.world(World.AGENT, timeout=timeout)
        if self._listeners[0] != context:
            self._listeners = (context, set())
        handles = None if roots is None else [r for r in roots if isinstance(r, ChromiumHandle)]
        known = self._listeners[1]
        return await call_with_listeners(self, function, types, known, handles, timeout=timeout)

    async def stop_script(self, *, navigation: bool = False) -> bool:
        """End the script that keeps the frame from answering; whether there was one."""
        return await stop_script(self, navigation=navigation)

    async def world(self, world: World, *, timeout: float) -> int:
        """The number of the script context, made if the document has none yet."""
        await self.page.ready(timeout=timeout)
        if self.detached:
            raise TabClosed("the frame is gone")
        context = self.worlds.get(world)
        if context is not None:
            return context
        if world is World.MAIN:
            return await self._main_world(timeout)
        answer = await self.session.send(
            "Page.createIsolatedWorld",
            {"frameId": self.id, "worldName": WORLD_NAME},
            timeout=timeout,
        )
        return self.worlds.setdefault(world, int(answer["executionContextId"]))

    async def _main_world(self, timeout: float) -> int:
        """The default context: missing between documents, or until something runs in this one."""
        tried = ""

        def is_there() -> bool:
            nonlocal tried
            if World.MAIN not in self.worlds and tried != self.document:
                tried = self.document
                self.session.post(("Runtime.evaluate", {"expression": "0"}))
            return World.MAIN in self.worlds

        await self.page.until(is_there, timeout=timeout)
        return self.worlds[World.MAIN]

    async def owner(self, *, timeout: float = DEADLINE) -> ChromiumHandle:
        """The frame element in the parent's agent world."""
        parent = self.parent
        if parent is None:
            raise TabClosed("the top frame has no owner")
        context = await parent.world(World.AGENT, timeout=timeout)
        owner = await parent.session.send(
            "DOM.getFrameOwner", {"frameId": self.id}, timeout=timeout
        )
        resolved = await parent.session.send(
            "DOM.resolveNode",
            {"backendNodeId": owner["backendNodeId"], "executionContextId": context},
            timeout=timeout,
        )
        return ChromiumHandle(parent, context, resolved["object"]["objectId"])

    async def owner_quad(self, *, timeout: float = DEADLINE) -> Quad:
        """Where this frame's viewport lies in its parent's."""
        parent = self.parent
        if parent is None:
            raise TabClosed("the top frame has no owner")
        quad = await self.quad_in_process(parent.session, timeout)
        if parent.parent is None or parent.session is not parent.parent.session:
            return quad
        # The browser measures from the top frame of the process, not from our parent.
        around = await parent.quad_in_process(parent.session, timeout)
        width, height = await parent.call("() => [innerWidth, innerHeight]", timeout=timeout)
        parts = [around.locate(corner) for corner in quad]
        return Quad(*(Point(part.x * width, part.y * height) for part in parts))

    async def quad_in_process(self, session: Session, timeout: float) -> Quad:
        """Where this frame's viewport lies in the top frame of its parent's process."""
        owner = await session.send("DOM.getFrameOwner", {"frameId": self.id}, timeout=timeout)
        box = await session.send(
            "DOM.getBoxModel", {"backendNodeId": owner["backendNodeId"]}, timeout=timeout
        )
        return Quad.from_numbers(box["model"]["content"])


class FrameTree:
    """Keeps the frames of one page true to what its sessions tell."""

    def __init__(self, page: ChromiumPage, main_id: str) -> None:
        self._page = page
        self.main = ChromiumFrame(page, main_id, None, page.session)
        self.by_id: dict[str, ChromiumFrame] = {main_id: self.main}

    def ordered(self) -> list[ChromiumFrame]:
        """All frames, parents before children, in document order as far as it is known."""
        found: list[ChromiumFrame] = []
        stack = [self.main]
        while stack:
            frame = stack.pop()
            found.append(frame)
            stack.extend(reversed(frame.children))
        return found

    def setup(self, session: Session) -> Sequence[Command]:
        """Hear of frames, documents and worlds."""
        del session
        return [
            ("Page.enable", {}),
            ("Page.setLifecycleEventsEnabled", {"enabled": True}),
            ("Runtime.enable", {}),
        ]

    def watch(self, session: Session) -> None:
        """Follow the events of one session."""
        session.on("Page.frameAttached", lambda e: self._attached(session, e), _Attached)
        session.on("Page.frameNavigated", lambda e: self._navigated(session, e), _Navigated)
        session.on("Page.frameDetached", self._detached, _Detached)
        session.on("Page.navigatedWithinDocument", self._within_document, _WithinDocument)
        session.on("Page.frameRequestedNavigation", self._asked, _Requested)
        session.on("Page.frameStartedNavigating", self._started, _Requested)
        session.on("Page.frameStoppedLoading", self._stopped, _Stopped)
        session.on("Page.windowOpen", self._popup, _WindowOpen)
        session.on("Page.lifecycleEvent", self._lifecycle, _Lifecycle)
        session.on(
            "Runtime.executionContextCreated",
            lambda e: self._context_created(session, e),
            _ContextCreated,
        )
        session.on(
            "Runtime.executionContextDestroyed",
            lambda e: self._context_destroyed(session, e),
            _ContextDestroyed,
        )
        session.on(
            "Runtime.executionContextsCleared", lambda _: self._contexts_cleared(session), dict
        )

    def load(self, session: Session, tree: msgspec.Raw) -> None:
        """Take in a whole tree, as `Page.getFrameTree` gives it."""
        stack = [msgspec.json.decode(tree, type=dict[str, _Tree])["frameTree"]]
        while stack:
            node = stack.pop()
            frame = self._ensure(session, node.frame.id, node.frame.parentId)
            if not frame.document:
                self._describe(frame, node.frame)
            stack.extend(reversed(node.childFrames))

    def adopt(self, session: Session, frame_id: str, parent_id: str) -> None:
        """A frame now lives in another process, behind a session of its own."""
        frame = self.by_id.get(frame_id)
        if frame is None:
            self._ensure(session, frame_id, parent_id)
            return
        frame.session = session
        frame.worlds.clear()
        # Its children went with the old document.
        for child in tuple(frame.children):
            self._remove(child)

    def release(self, session: Session) -> None:
        """A session has ended: its frame comes back to its parent's process, or is gone.

        If it is gone the parent's session says so; what was in it is gone either way.
        """
        for frame in self.ordered():
            if frame.session is not session or frame.parent is None or frame.detached:
                continue
            if frame.parent.session is session:
                self._remove(frame)
                continue
            frame.session = frame.parent.session
            frame.worlds.clear()
            for child in tuple(frame.children):
                self._remove(child)

    def _ensure(self, session: Session, frame_id: str, parent_id: str) -> ChromiumFrame:
        frame = self.by_id.get(frame_id)
        if frame is not None:
            return frame
        parent = self.by_id.get(parent_id, self.main)
        frame = ChromiumFrame(self._page, frame_id, parent, session)
        self.by_id[frame_id] = frame
        parent.children.append(frame)
        self._page.events.emit(FrameAttached(frame))
        return frame

    def _describe(self, frame: ChromiumFrame, info: _FrameInfo) -> None:
        frame.url = info.url + info.urlFragment
        frame.origin = info.securityOrigin
        frame.name = info.name
        frame.document = info.loaderId
        frame.documents.append(info.loaderId)
        frame.unreachable = info.unreachableUrl
        frame.storage_key = None
        self._page.context.note_origin(info.securityOrigin)

    def _attached(self, session: Session, event: _Attached) -> None:
        frame = self._ensure(session, event.frameId, event.parentFrameId)
        if frame.session is not session:
            frame.session = session
            frame.worlds.clear()

    def _navigated(self, session: Session, event: _Navigated) -> None:
        info = event.frame
        frame = self._ensure(session, info.id, info.parentId)
        if frame.session is not session:
            return
        for child in tuple(frame.children):
            self._remove(child)
        self._describe(frame, info)
        frame.leaving = False
        frame.navigations += 1
        frame.mark(info.loaderId, "commit")
        self._page.revived(session)
        self._page.events.emit(FrameNavigated(frame, frame.url, same_document=False))
        self._page.changed()

    def _within_document(self, event: _WithinDocument) -> None:
        frame = self.by_id.get(event.frameId)
        if frame is None:
            return
        frame.url = event.url
        frame.navigations += 1
        self._page.events.emit(FrameNavigated(frame, event.url, same_document=True))
        self._page.changed()

    def _asked(self, event: _Requested) -> None:
        self._page.context.navigation_reasons.note(event.frameId, event.url, event.reason)
        self._requested(event)

    def _requested(self, event: _Requested) -> None:
        frame = self.by_id.get(event.frameId)
        if frame is not None:
            reason = event.reason or event.navigationType
            self._page.events.emit(NavigationRequested(frame, event.url, reason))

    def _started(self, event: _Requested) -> None:
        frame = self.by_id.get(event.frameId)
        if frame is not None:
            frame.leaving = not event.navigationType.startswith("sameDocument")
        self._requested(event)

    def _stopped(self, event: _Stopped) -> None:
        frame = self.by_id.get(event.frameId)
        if frame is not None:
            frame.leaving = False
            self._page.changed()

    def _popup(self, event: _WindowOpen) -> None:
        self._page.events.emit(PopupRequested(self._page, event.url))

    def _lifecycle(self, event: _Lifecycle) -> None:
        frame = self.by_id.get(event.frameId)
        if frame is None:
            return
        frame.mark(event.loaderId, event.name)
        self._page.events.emit(LifecycleReached(frame, event.loaderId, event.name))
        self._page.changed()

    def _detached(self, event: _Detached) -> None:
        frame = self.by_id.get(event.frameId)
        if frame is None or event.reason == "swap":
            return
        self._remove(frame)
        self._page.changed()

    def _remove(self, frame: ChromiumFrame) -> None:
        for child in tuple(frame.children):
            self._remove(child)
        frame.detached = True
        frame.worlds.clear()
        self.by_id.pop(frame.id, None)
        if frame.parent is not None and frame in frame.parent.children:
            frame.parent.children.remove(frame)
        self._page.events.emit(FrameDetached(frame))

    def _context_created(self, session: Session, event: _ContextCreated) -> None:
        aux = event.context.auxData
        frame = self.by_id.get(aux.frameId) if aux is not None else None
        if aux is None or frame is None or frame.session is not session:
            return
        if aux.isDefault:
            frame.worlds[World.MAIN] = event.context.id
        elif event.context.name == WORLD_NAME:
            frame.worlds[World.AGENT] = event.context.id
        self._page.changed()

    def _context_destroyed(self, session: Session, event: _ContextDestroyed) -> None:
        session.context_gone(event.executionContextId)
        for frame in self.by_id.values():
            if frame.session is session:
                for world, context in tuple(frame.worlds.items()):
                    if context == event.executionContextId:
                        del frame.worlds[world]

    def _contexts_cleared(self, session: Session) -> None:
        session.context_gone()
        for frame in self.by_id.values():
            if frame.session is session:
                frame.worlds.clear()
