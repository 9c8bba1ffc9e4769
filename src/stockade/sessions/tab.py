"""A tab: one page with everything a caller can do to it."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from stockade.engines.events import DialogOpened
from stockade.engines.port import Page
from stockade.errors import (
    DeadlineExceeded,
    EngineError,
    StockadeError,
    TabClosed,
)
from stockade.page.actions import Actions
from stockade.page.agent import PageAgent
from stockade.page.snapshot import Snapshots
from stockade.sessions.clock import NEVER
from stockade.sessions.dialogs import Dialogs
from stockade.sessions.happenings import Recorder
from stockade.sessions.lease import Lease
from stockade.sessions.notices import closed_tab
from stockade.sessions.parts import Parts
from stockade.sessions.work import Job

if TYPE_CHECKING:
    from stockade.sessions.session import Session

__all__ = ["Replaced", "Tab"]

_TITLE_PATIENCE = 2.0
_FREEZE_PATIENCE = 2.0
_CLOSE_PATIENCE = 10.0
_MOST_VISITED = 1000
_UNBLOCK_PATIENCE = 2.0
_MOST_FRAMES = 20


class Replaced(NamedTuple):
    """A tab that was closed to make room for another."""

    uuid: str
    url: str


class Tab:
    """One tab of a session; a caller holds its lease while it works in it."""

    def __init__(self, id: str, session: Session, page: Page, group: str = "") -> None:
        self.id = id
        self.uuid = str(uuid.uuid4())
        """A name that no other tab of any session has or will have."""
        self.group = group
        """Which of a session's tabs it belongs with; a popup belongs with its opener."""
        self.visited: dict[str, None] = {}
        """The addresses it was sent to, as they were given, each once."""
        self.calls = 0
        """How many calls have worked in it."""
        self.replaced: Replaced | None = None
        """The tab that made room for it."""
        self.session = session
        self.page = page
        self.agent = PageAgent(page, attended=session.isolation == "attached")
        self.actions = Actions(self.agent)
        self.snapshots = Snapshots(self.agent)
        self.recorder = Recorder(page)
        self.parts = Parts()
        self.lease = Lease(f"tab {id}", released=lambda _: self._released())
        self.opened_at = time.time()
        self.told_url = ""
        """Where the last result said it was."""
        self.last_used = session.agenda.now()
        self.turn = 0
        """Rises with every use of a tab of the session; 0 is a tab nobody has used."""
        self.dialogs = Dialogs(self)
        self._watchers = 0
        self._closing: Job[None] | None = None
        self._idle_since = self.last_used
        self._expect()

    @property
    def url(self) -> str:
        """The address of what it shows."""
        return self.page.main_frame.url or "about:blank"

    async def title(self) -> str:
        """The document's title; empty while the page cannot be asked."""
        try:
            if self.page.frozen or self.page.dialog is not None or self.page.crashed:
                # The page need not be woken for it.
                history = await self.page.history(timeout=_TITLE_PATIENCE)
                return next((entry.title for entry in history if entry.current), "")
            return await self.page.title(timeout=_TITLE_PATIENCE)
        except (EngineError, DeadlineExceeded):
            return ""

    def touch(self) -> None:
        """The tab is in use."""
        self.last_used = self._idle_since = self.session.agenda.now()
        self.turn = self.session.next_turn()
        self._expect()

    def _released(self) -> None:
        self.touch()
        self.dialogs.left_alone()

    def sent_to(self, url: str) -> None:
        """Note an address as it was given."""
        self.visited.setdefault(url)
        if len(self.visited) > _MOST_VISITED:
            del self.visited[next(iter(self.visited))]

    def ensure_open(self) -> None:
        """Refuse to work in a tab that is gone."""
        if self.page.closed:
            raise TabClosed(f"tab {self.id} is closed", tab=self.id)

    # --- rest -----------------------------------------------------------------------------------

    def _expect(self) -> None:
        self.session.agenda.expect(min(self.rest_at, self.idle_at))

    @property
    def busy(self) -> bool:
        """Whether somebody works in it, waits for it or looks on."""
        return bool(self.lease.users or self._watchers)

    @property
    def idle_for(self) -> float:
        """Seconds since it was last used; none while it is."""
        return 0.0 if self.busy else self.session.agenda.now() - self.last_used

    @property
    def idle_at(self) -> float:
        """When it is to be closed, if nobody uses it before."""
        idle = self.session.limits.tab_idle
        return self.last_used + idle if idle and not self.busy and not self.page.closed else NEVER

    async def leave(self) -> None:
        """Close it, unless somebody has come meanwhile."""
        if self.idle_at <= self.session.agenda.now() and await self.session.retire_tab(self):
            idle = f"it was unused for {self.session.limits.tab_idle:g} s"
            self.session.notices.add(closed_tab(self.id, self.url, idle))

    @property
    def rest_at(self) -> float:
        """When it is to be frozen, if nobody uses it before."""
        page, idle = self.page, self.session.limits.freeze
        if not idle or page.frozen or page.closed or page.crashed or page.dialog is not None:
            return NEVER
        return NEVER if self.busy else self._idle_since + idle

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Somebody looks on without holding it: it is not frozen meanwhile."""
        self._watchers += 1
        try:
            yield
        finally:
            self._watchers -= 1
            self.last_used = self._idle_since = self.session.agenda.now()
            self._expect()

    async def rest(self) -> None:
        """Freeze it, unless somebody has come meanwhile; the next call thaws it."""
        if self.rest_at > self.session.agenda.now():
            return
        try:
            await self.page.freeze(timeout=_FREEZE_PATIENCE)
        except (EngineError, DeadlineExceeded):
            # It is asked again when it has been idle as long once more.
            self._idle_since = self.session.agenda.now()
            self.session.agenda.expect(self.rest_at)

    async def unblock(self, *, navigation: bool) -> None:
        """End a script that keeps the page from answering, and a `navigation` that does."""
        try:
            async with asyncio.timeout(_UNBLOCK_PATIENCE):
                for frame in tuple(self.page.frames)[:_MOST_FRAMES]:
                    await frame.stop_script(navigation=navigation)
        except TimeoutError:
            return

    # --- dialogs --------------------------------------------------------------------------------

    async def clear_dialog(self, *, timeout: float, reads: bool = False) -> None:
        """Answer open dialogs as the session's policy says, or refuse to go on."""
        await self.dialogs.clear(timeout=timeout, reads=reads)

    async def settle_dialog(self, dialog: DialogOpened, *, timeout: float) -> bool:
        """Answer `dialog` if there is an answer to it by now; whether it is out of the way."""
        return await self.dialogs.settle(dialog, timeout=timeout)

    async def answer_dialog(
        self, *, accept: bool, text: str | None, timeout: float
    ) -> DialogOpened:
        """Answer the open dialog as the caller says."""
        return await self.dialogs.answer(accept=accept, text=text, timeout=timeout)

    # --- end ------------------------------------------------------------------------------------

    async def close(self) -> None:
        """Close it; a page is not asked whether it wants to, and one that is gone is no error."""
        if self._closing is None or self._closing.done:
            self._closing = self.session.work.start(self._close)
        await self._closing.result()

    async def _close(self) -> None:
        if not self.page.closed and self.page.context.browser.alive:
            await self.page.close(timeout=_CLOSE_PATIENCE)

    def gone(self, error: StockadeError) -> None:
        """The page is no more: stop listening, and tell those who wait."""
        self.dialogs.close()
        self.recorder.close()
        self.lease.end(error)
