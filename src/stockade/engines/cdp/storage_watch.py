"""Changes of local storage and databases, told for every tab, frame and storeroom of a context.

Chromium tells of local storage in each process that shows the origin, and of databases wherever
one session asked for them by their key, whoever changes them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.events import DatabasesChanged, LocalStorageChanged
from stockade.engines.port import DEADLINE
from stockade.engines.values import StorageKey
from stockade.errors import StockadeError
from stockade.urls import origin_of

if TYPE_CHECKING:
    from stockade.engines.cdp.context import ChromiumContext
    from stockade.engines.cdp.frames import ChromiumFrame

__all__ = ["StorageWatch", "key_of", "name_of"]

_KEY = re.compile(r"(https?://[^/^]+)/(?:\^0(https?://[^/^]+))?")
"""Keys with a nonce, or of a frame below its own site within another, are of no lasting use."""
_MOST_KEYS = 500
_ASKED = 20
_ASK_AGAIN = 0.02


def key_of(name: str) -> StorageKey | None:
    """A key as Chromium writes it, if what it stands for can be reached again."""
    found = _KEY.fullmatch(name)
    return StorageKey(found[1], found[2] or "") if found else None


def name_of(key: StorageKey) -> str:
    """A key as Chromium writes it."""
    return f"{key.origin}/^0{key.site}" if key.site else f"{key.origin}/"


class _StorageId(msgspec.Struct):
    storageKey: str = ""
    isLocalStorage: bool = False


class _Item(msgspec.Struct):
    storageId: _StorageId
    key: str | None = None
    newValue: str | None = None


class _Databases(msgspec.Struct):
    storageKey: str = ""


class _Frame(msgspec.Struct):
    id: str


class _Starting(msgspec.Struct):
    frameId: str
    url: str = ""


class _Navigated(msgspec.Struct):
    frame: _Frame


class _Named(msgspec.Struct):
    storageKey: str = ""


class StorageWatch:
    """Passes changes on to the events of its context; does nothing where nobody wants them."""

    def __init__(self, context: ChromiumContext) -> None:
        self._context = context
        self._keys: dict[StorageKey, None] = {}
        self._teller: Session | None = None
        """The one session that tells of databases."""

    @property
    def _wanted(self) -> bool:
        return self._context.options.watch_storage

    def watch(self, session: Session) -> None:
        """Hear of changes, and of documents that could make some."""
        if self._wanted:
            self.watch_storage(session)
            session.on("Page.frameStartedNavigating", self._starting, _Starting)
            session.on("Page.frameNavigated", lambda e: self._navigated(session, e), _Navigated)

    def watch_storage(self, session: Session) -> None:
        """Hear of changes alone."""
        if self._wanted:
            for change in ("ItemAdded", "ItemUpdated", "ItemRemoved", "ItemsCleared"):
                session.on(f"DOMStorage.domStorage{change}", self._item, _Item)
            for change in ("ContentUpdated", "ListUpdated"):
                session.on(f"Storage.indexedDB{change}", self._databases, _Databases)

    def setup(self, session: Session) -> Sequence[Command]:
        """What to send before the first line runs."""
        if not self._wanted:
            return ()
        if self._teller is not None:
            return (("DOMStorage.enable", {}),)
        self._teller = session
        return (("DOMStorage.enable", {}), *map(_follow, self._keys))

    def setup_storeroom(self, key: StorageKey) -> Sequence[Command]:
        """What a storeroom sends when it shows a document of that key."""
        if not self._wanted:
            return ()
        told = self._note(key)
        return (("DOMStorage.enable", {}), *(() if told else (_follow(key),)))

    def released(self, session: Session) -> None:
        """A session has ended; another takes its place."""
        if session is not self._teller:
            return
        others = [each.session for each in self._context.pages if each.session is not session]
        self._teller = next((each for each in others if each.failure is None), None)
        if self._teller is not None:
            self._teller.post(*map(_follow, self._keys))
            for key in self._keys:
                self._context.events.emit(DatabasesChanged(key, certain=False))

    def expect(self, key: StorageKey) -> None:
        """Something is stored under that key already; its databases are followed from now on."""
        self._keys[key] = None

    def frame_of(self, key: StorageKey) -> ChromiumFrame | None:
        """A frame that uses that storage now and can be asked."""
        for page in self._context.pages:
            if page.crashed or page.frozen or page.dialog is not None:
                continue
            for frame in page.frames:
                if frame.storage_key == key:
                    return frame
        return None

    async def places(self, timeout: float) -> Sequence[StorageKey]:
        """Where something is stored, or may be, as far as that is known."""
        found = dict.fromkeys([*map(StorageKey, self._context.origins), *self._keys])
        for page in self._context.pages:
            for frame in page.frames:
                if frame.storage_key is None and frame.parent is not None:
                    [answer] = await frame.session.gather([_question(frame)], timeout=timeout)
                    name = "" if isinstance(answer, StockadeError) else answer["storageKey"]
                    key = key_of(name)
                    if key is not None:
                        found[key] = None
        return tuple(found)

    def cleared(self, key: StorageKey) -> None:
        """All that was stored there was deleted from outside."""
        if self._wanted:
            self._context.events.emit(LocalStorageChanged(key))
            self._context.events.emit(DatabasesChanged(key))

    def _note(self, key: StorageKey) -> bool:
        """Follow the databases of a key; whether somebody is there to tell of them."""
        if key not in self._keys and len(self._keys) < _MOST_KEYS:
            self._keys[key] = None
            if self._teller is not None:
                self._teller.post(_follow(key))
            # What came about before this is told by nobody.
            self._context.events.emit(DatabasesChanged(key, certain=False))
        return self._teller is not None

    def _starting(self, event: _Starting) -> None:
        """A document is asked for: its first line may already use a database."""
        frame = self._find(event.frameId)
        key = key_of(f"{origin_of(event.url)}/")
        if frame is not None and frame.parent is None and key is not None:
            self._note(key)

    def _navigated(self, session: Session, event: _Navigated) -> None:
        frame = self._find(event.frame.id)
        if frame is None or frame.session is not session:
            return
        if frame.parent is None:
            self._shown(frame, key_of(f"{frame.origin}/"))
        else:
            self._ask(frame, frame.document, _ASKED)

    def _ask(self, frame: ChromiumFrame, document: str, times: int) -> None:
        """Find out below which site a frame stands; the browser may not know at once."""
        session = frame.session
        if frame.document != document or session.failure is not None or not times:
            return
        [asked] = session.connection.submit(session, [_question(frame)], DEADLINE)

        def answered(answer: asyncio.Future[msgspec.Raw]) -> None:
            if answer.cancelled() or frame.document != document:
                return
            key = None
            if answer.exception() is None:
                key = key_of(msgspec.json.decode(answer.result(), type=_Named).storageKey)
            if key is not None and key.origin == frame.origin:
                self._shown(frame, key)
            elif frame.origin.startswith("http"):
                loop = asyncio.get_running_loop()
                loop.call_later(_ASK_AGAIN, self._ask, frame, document, times - 1)

        asked.add_done_callback(answered)

    def _shown(self, frame: ChromiumFrame, key: StorageKey | None) -> None:
        if key is not None:
            frame.storage_key = key
            self._note(key)

    def _find(self, frame_id: str) -> ChromiumFrame | None:
        for page in self._context.pages:
            frame = page.frame_tree.by_id.get(frame_id)
            if frame is not None:
                return frame
        return None

    def _item(self, event: _Item) -> None:
        key = key_of(event.storageId.storageKey)
        if event.storageId.isLocalStorage and key is not None:
            self._context.events.emit(LocalStorageChanged(key, event.key, event.newValue))

    def _databases(self, event: _Databases) -> None:
        key = key_of(event.storageKey)
        if key is not None:
            self._context.events.emit(DatabasesChanged(key))


def _question(frame: ChromiumFrame) -> Command:
    return "Storage.getStorageKeyForFrame", {"frameId": frame.id}


def _follow(key: StorageKey) -> Command:
    params: dict[str, Any] = {"storageKey": name_of(key)}
    return "Storage.trackIndexedDBForStorageKey", params
