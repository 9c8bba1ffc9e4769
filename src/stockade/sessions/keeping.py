"""Keeping: what the browser of a session knows, written to its profile as it changes.

Cookies are compared with what was written before every answer of a call leaves: no event tells of
them. Of storage there are events, so only what changed is looked at.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from stockade.engines.events import (
    DatabasesChanged,
    LocalStorageChanged,
    PageOpened,
    RequestAnswered,
)
from stockade.engines.port import Context, Page
from stockade.engines.values import StorageKey
from stockade.errors import QuotaExceeded, SetupError, StockadeError
from stockade.page.kept_storage import (
    dump_databases,
    local_items,
    written_databases,
    written_items,
)
from stockade.sessions.provenance import Provenance
from stockade.sessions.restoring import COOKIES, PROVENANCE, Profile, restore
from stockade.sessions.work import Job, Work
from stockade.telemetry.logs import get_logger

__all__ = ["Keeping"]

_log = get_logger("stockade.sessions")

_PATIENCE = 5.0
"""Seconds the browser has to tell its cookies."""
_ROUNDS = 4
_LOOK_PATIENCE = 0.015
_WAIT = 0.25
"""Seconds an answer waits for databases; what takes longer is written right after."""
_DUMP_PATIENCE = 10.0
_QUIET = 1.0
"""Seconds until a change is written that no call answers for."""
_LITTLE = 50_000
"""Characters of local storage that may be looked at before every answer."""
_MOST_PARTS = 400


class Keeping:
    """Keeps one session's state in a profile."""

    def __init__(self, profile: Profile, work: Work, provenance: Provenance) -> None:
        self._profile = profile
        self._provenance = provenance
        self._work = work
        self._turn = asyncio.Lock()
        self._context: Context | None = None
        self._offs: list[Callable[[], None]] = []
        self._written: dict[str, bytes] = {}
        """What each part holds, as a digest."""
        self._writes = 0
        self._local: dict[StorageKey, dict[str, str]] = {}
        """Local storage as far as it is known, which is all of it."""
        self._items: set[StorageKey] = set()
        """Whose local storage has changed since it was written."""
        self._databases: dict[StorageKey, bool] = {}
        """Whose databases have changed, for certain or perhaps."""
        self._dumped: dict[StorageKey, bool] = {}
        """Those that are being written."""
        self._dumping: Job[None] | None = None
        self._unsaid: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def profile(self) -> str:
        """The name of the profile."""
        return self._profile.name

    def _alive(self) -> Context | None:
        context = self._context
        return context if context is not None and context.browser.alive else None

    # --- putting back ---------------------------------------------------------------------------

    async def restore(self, context: Context) -> None:
        """Give a new browser state what was kept, before anything is shown in it."""
        if self._dumping is not None:
            await self._dumping.ended()
        async with self._turn:
            # A browser that died may have told of changes that nobody has written yet.
            await self._write_items()
            self._leave()
            restored = await restore(self._profile, context)
            self._written = {name: _digest(each) for name, each in restored.parts.items()}
            self._provenance.take_over(_marks(restored.parts.get(PROVENANCE, b"")))
            self._local = restored.items
            self._items = set(restored.in_part)
            self._databases = dict.fromkeys(restored.in_part, False)
            for what, why in restored.missing:
                self._tell(what, why)
            self._follow(context)

    # --- noticing -------------------------------------------------------------------------------

    def _follow(self, context: Context) -> None:
        self._context = context
        self._offs = [
            context.events.on(LocalStorageChanged, self._item_changed),
            context.events.on(DatabasesChanged, self._databases_changed),
            context.events.on(PageOpened, self._page_opened),
            context.events.on(RequestAnswered, self._answered),
        ]

    def _leave(self) -> None:
        for off in self._offs:
            off()
        self._offs = []
        self._context = None
        self._local.clear()
        self._items.clear()
        self._databases.clear()

    def _page_opened(self, event: PageOpened) -> None:
        event.page.events.on(RequestAnswered, self._answered)

    def _answered(self, _: RequestAnswered) -> None:
        # It may have brought cookies.
        self._later()

    def _item_changed(self, event: LocalStorageChanged) -> None:
        items = self._local.setdefault(event.key, {})
        if event.name is None:
            items.clear()
        elif event.value is None:
            items.pop(event.name, None)
        else:
            items[event.name] = event.value
        self._items.add(event.key)
        self._later()

    def _databases_changed(self, event: DatabasesChanged) -> None:
        self._databases[event.key] = event.certain or self._databases.get(event.key, False)
        self._later()

    def _later(self) -> None:
        """Write in a moment what no call answers for."""
        if self._timer is None and not self._closed:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_QUIET, self._due)

    def _due(self) -> None:
        self._timer = None
        if not self._closed:
            self._work.start(self._write_unasked)

    async def _write_unasked(self) -> None:
        before = self._writes
        await self._keep((), _DUMP_PATIENCE)
        if self._writes != before:
            # A page that changes things by itself may well go on.
            self._later()

    # --- writing --------------------------------------------------------------------------------

    async def keep(self, page: Page | None = None) -> list[str]:
        """Write what differs from what was written; what could not be is said.

        A change of local storage is told a moment after it is made, so `page` is asked.
        """
        if self._closed or (self._alive() is None and not self._items):
            return []
        pages = () if page is None else (page,)
        await self._work.finish(lambda: self._keep(pages, _WAIT))
        self._later()
        said, self._unsaid = self._unsaid, []
        return said

    async def finish(self) -> None:
        """Write all there is, at the end of a session."""
        if not self._closed:
            context = self._alive()
            pages = context.pages if context is not None else ()
            await self._work.finish(lambda: self._keep(pages, _DUMP_PATIENCE))

    async def reset(self, clear: Callable[[], Awaitable[None]]) -> bool:
        """Forget everything, while `clear` makes the browser do so; whether anything was kept."""
        return await self._work.finish(lambda: self._reset(clear))

    async def _reset(self, clear: Callable[[], Awaitable[None]]) -> bool:
        async with self._turn:
            if self._dumping is not None:
                await self._dumping.ended()
            await clear()
            self._local.clear()
            self._items.clear()
            self._written.clear()
            return await asyncio.to_thread(self._profile.clear)

    def close(self) -> None:
        """Write nothing more, and let others have the profile."""
        self._closed = True
        self._leave()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._profile.close()

    async def _keep(self, pages: Sequence[Page], wait: float) -> None:
        context = None if self._closed else self._alive()
        if context is None:
            async with self._turn:
                await self._write_items()
            return
        await self._write_databases(context, wait)
        async with self._turn:
            for page in pages:
                await self._look(page)
            # What changes while it is written is written again: little time is to be left between
            # the last look and the answer.
            for _ in range(_ROUNDS):
                before = self._writes
                await self._write_items()
                await self._attempt("cookies", self._write_cookies(context))
                await self._attempt("what was altered", self._write_provenance())
                if self._writes == before:
                    return

    async def _write_provenance(self) -> None:
        marks = self._provenance.marks
        await self._write(PROVENANCE, json.dumps(marks, sort_keys=True).encode() if marks else b"")

    async def _write_cookies(self, context: Context) -> None:
        await self._write(COOKIES, await context.cookie_jar(timeout=_PATIENCE))

    async def _look(self, page: Page) -> None:
        frame = page.main_frame
        key = frame.storage_key
        if key is None or page.dialog is not None or page.frozen:
            return
        known = self._local.get(key, {})
        if sum(map(len, known.values())) > _LITTLE:
            return
        try:
            items = await local_items(frame, key, timeout=_LOOK_PATIENCE)
        except StockadeError:
            # It is busy, or gone: what it changed will be told of.
            return
        if items != known:
            self._local[key] = items
            self._items.add(key)

    async def _write_items(self) -> None:
        for key in tuple(self._items):
            self._items.discard(key)
            whose, items = f"local storage of {key.origin}", self._local.get(key, {})
            if not await self._attempt(whose, self._write(*written_items(key, items))):
                self._items.add(key)

    async def _write_databases(self, context: Context, wait: float) -> None:
        """Have changed databases written, and wait for that if any has changed for certain."""
        waits = wait > _WAIT or any((*self._databases.values(), *self._dumped.values()))
        ends = asyncio.get_running_loop().time() + wait
        while self._databases or self._dumped:
            # One that is under way may have begun before the last change.
            last = not self._dumped
            if self._dumping is None or last:
                self._dumped, self._databases = self._databases, {}
                self._dumping = self._work.start(lambda: self._dump(context))
            if not waits:
                return
            try:
                async with asyncio.timeout_at(ends):
                    await self._dumping.result()
            except TimeoutError:
                # It goes on by itself.
                return
            if last:
                return

    async def _dump(self, context: Context) -> None:
        try:
            for key in self._dumped:
                whose = f"databases of {key.origin}"
                if not await self._attempt(whose, self._dump_one(context, key, whose)):
                    # Tried again by whoever comes next, but no answer waits for it.
                    self._databases.setdefault(key, False)
        finally:
            self._dumped = {}

    async def _dump_one(self, context: Context, key: StorageKey, whose: str) -> None:
        databases, omitted = await dump_databases(context, key, timeout=_DUMP_PATIENCE)
        await self._write(*written_databases(key, databases))
        for each in omitted:
            self._tell(whose, each)

    async def _write(self, part: str, content: bytes) -> None:
        """Write a part that is other than it was; one that holds nothing is removed."""
        digest = _digest(content)
        if self._written.get(part, _digest(b"")) == digest:
            return
        if not content:
            await asyncio.to_thread(self._profile.remove, part)
            self._writes += 1
            del self._written[part]
            return
        if part not in self._written and len(self._written) >= _MOST_PARTS:
            raise QuotaExceeded(f"a profile has at most {_MOST_PARTS} parts")
        await asyncio.to_thread(self._profile.write, part, content)
        self._writes += 1
        self._written[part] = digest

    async def _attempt(self, what: str, writing: Awaitable[None]) -> bool:
        """Whether it was written; what goes wrong is told."""
        try:
            await writing
        except SetupError as error:
            # Where the files are is nothing that a caller has to know.
            _log.warning("profile not written", profile=self.profile, reason=error.message)
            self._tell(what, "it could not be written")
            return False
        except StockadeError as error:
            self._tell(what, error.message)
            return False
        return True

    def _tell(self, what: str, why: str) -> None:
        """Log what is amiss, and say it in the next answer."""
        _log.warning("profile incomplete", profile=self.profile, what=what, why=why)
        self._unsaid.append(f"profile {self.profile} is without {what}: {why}")


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()


def _marks(content: bytes) -> dict[str, str]:
    """What a profile says of it; one that says it wrongly was altered all over."""
    try:
        return msgspec.json.decode(content or b"{}", type=dict[str, str])
    except msgspec.MsgspecError:
        return {"*": "something unknown"}
