"""News: what happens on the server, told to those who listen.

To publish never waits and never fails, and costs next to nothing while nobody listens. Each
listener has room for so many notices; one that does not keep up loses the oldest, and is told so.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from stockade.engines.events import DialogOpened, FrameNavigated, PageCrashed
from stockade.errors import InvalidArgument, LimitReached, MaskingFailed, Stopping
from stockade.kernel.instant import instant
from stockade.masking.masker import Masker
from stockade.masking.scopes import SERVER, of_tenant
from stockade.policy.principal import Principal
from stockade.sessions.changes import (
    DownloadEnded,
    SessionEnded,
    SessionOpened,
    TabGone,
    TabOpened,
)
from stockade.sessions.manager import Sessions, may_see
from stockade.sessions.secret_places import scopes_of_places
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab

__all__ = ["KINDS", "Listener", "News", "Notice"]

KINDS = (
    "session.opened",
    "session.closed",
    "tab.opened",
    "tab.closed",
    "tab.navigated",
    "tab.crashed",
    "dialog.opened",
    "download.finished",
    "call.started",
    "call.finished",
    "approval.asked",
    "approval.answered",
    "secret.guessed",
)
"""What there is to hear. A page's console is not among it: one page could drown all the rest."""

_KEPT = 1000
_WAKEFUL_SECONDS = 600.0
"""How long notices are kept after the last listener left: it may come back."""
_MOST_LISTENERS = 20
_LONGEST = {"url": 2000, "text": 500, "filename": 500}
"""What pages have a say in is told no longer than that."""
_ID = re.compile(r"([0-9a-f]{8})-([0-9]{1,15})")


@dataclass(frozen=True)
class Notice:
    """One thing that happened."""

    id: str
    number: int
    kind: str
    owner: Principal
    """Whose session it happened in, or who called."""
    session: str
    """The id of that session, if any."""
    facts: dict[str, Any]
    """Masked, and fit to be shown."""


@dataclass(eq=False)
class Listener:
    """Somebody who wants to hear of what they may see, in one session or in all."""

    principal: Principal
    session: str
    gap: bool = False
    """Something between what was taken last and what is pending was lost."""
    ended: bool = False
    pending: deque[Notice] = field(default_factory=deque)
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def hears(self, notice: Notice) -> bool:
        """Whether a notice is for this one."""
        if self.session and notice.session != self.session:
            return False
        return may_see(self.principal, notice.owner)

    def put(self, notice: Notice) -> None:
        """Add a notice, in place of the oldest if there is no room."""
        if len(self.pending) >= _KEPT:
            self.pending.popleft()
            self.gap = True
        self.pending.append(notice)
        self._woken.set()

    def lose(self) -> None:
        """Something is missing before what is pending."""
        self.gap = True
        self._woken.set()

    def end(self) -> None:
        """There will be no more."""
        self.ended = True
        self._woken.set()

    async def take(self, patience: float) -> tuple[bool, list[Notice]]:
        """Whether something was lost, and what came after that; nothing if it takes too long."""
        try:
            async with asyncio.timeout(patience):
                await self._woken.wait()
        except TimeoutError:
            return False, []
        if not self.ended:
            self._woken.clear()
        gap, taken = self.gap, list(self.pending)
        self.gap = False
        self.pending.clear()
        return gap, taken


class News:
    """The listeners, and the last notices for those who were away for a moment."""

    def __init__(self, masker: Masker, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._masker = masker
        self._clock = clock
        self._epoch = secrets.token_hex(4)
        self._number = 0
        self._kept: deque[Notice] = deque(maxlen=_KEPT)
        self._listeners: list[Listener] = []
        self._awake_until = 0.0
        self._slept = False
        self._ended = False
        self._all_gone = asyncio.Event()

    # --- telling --------------------------------------------------------------------------------

    def publish(
        self, kind: str, owner: Principal, session: Session | None, /, **facts: Any
    ) -> None:
        """Tell of something that happened."""
        if not self._listeners and self._clock() >= self._awake_until:
            self._slept = True
            return
        self._number += 1
        shown: dict[str, Any] = {"type": kind, "at": instant()}
        if session is not None:
            shown |= {"session": session.name, "session_id": session.id}
        try:
            masker = self._masked(owner, session)
            told = masker.value({**shown, **_cut(masker, facts)})
        except MaskingFailed:
            # That something happened is told, but not what.
            told = {"type": kind, "at": shown["at"], "withheld": MaskingFailed.code}
        notice = Notice(
            id=f"{self._epoch}-{self._number}",
            number=self._number,
            kind=kind,
            owner=owner,
            session=session.id if session is not None else "",
            facts=told,
        )
        self._kept.append(notice)
        for listener in self._listeners:
            if listener.hears(notice):
                listener.put(notice)

    def _masked(self, owner: Principal, session: Session | None) -> Masker:
        """Takes out what those who hear of it must not be told."""
        places = scopes_of_places(session) if session is not None else ()
        return self._masker.within(SERVER, of_tenant(owner.tenant), *places)

    def follow(self, sessions: Sessions) -> None:
        """Tell of what becomes of sessions, and of what happens in their tabs."""
        changes = sessions.changes
        changes.on(SessionOpened, lambda event: self._of("session.opened", event.session))
        changes.on(
            SessionEnded,
            lambda event: self._of("session.closed", event.session, reason=event.reason),
        )
        changes.on(TabOpened, lambda event: self._tab_opened(event.tab))
        changes.on(TabGone, lambda event: self._in("tab.closed", event.tab))
        changes.on(DownloadEnded, self._download_ended)

    def _of(self, kind: str, session: Session, /, **facts: Any) -> None:
        self.publish(kind, session.owner, session, **facts)

    def _in(self, kind: str, tab: Tab, /, **facts: Any) -> None:
        self._of(kind, tab.session, tab=tab.id, **facts)

    def _tab_opened(self, tab: Tab) -> None:
        self._in("tab.opened", tab)
        # The page's hub goes with the page, and these with it.
        events = tab.page.events
        events.on(FrameNavigated, lambda event: self._navigated(tab, event))
        events.on(PageCrashed, lambda _: self._in("tab.crashed", tab))
        events.on(
            DialogOpened,
            lambda event: self._in("dialog.opened", tab, kind=event.kind, text=event.message),
        )

    def _navigated(self, tab: Tab, event: FrameNavigated) -> None:
        if event.frame.parent is None:
            self._in(
                "tab.navigated",
                tab,
                url=event.url,
                sameDocument=event.same_document,
            )

    def _download_ended(self, event: DownloadEnded) -> None:
        download = event.download
        self._of(
            "download.finished",
            event.session,
            id=download.id,
            filename=download.filename,
            ok=download.state == "completed",
            state=download.state,
            sizeBytes=download.received,
        )

    # --- listening ------------------------------------------------------------------------------

    @contextmanager
    def listen(
        self, principal: Principal, session: Session | None = None, *, after: str | None = None
    ) -> Iterator[Listener]:
        """A listener for what the caller may see; `after` is the id of the last it heard of."""
        if self._ended:
            raise Stopping("the server is stopping")
        if Counter(each.principal.id for each in self._listeners)[principal.id] >= _MOST_LISTENERS:
            raise LimitReached(
                f"{_MOST_LISTENERS} streams of events are open with this token",
                hint="Close one first.",
            )
        if self._slept:
            # Whoever asks for what came before is to learn that something is missing.
            self._slept = False
            self._number += 1
            self._kept.clear()
        listener = Listener(principal, session.id if session is not None else "")
        if after is not None:
            self._catch_up(listener, after)
        self._listeners.append(listener)
        try:
            yield listener
        finally:
            self._listeners.remove(listener)
            self._awake_until = self._clock() + _WAKEFUL_SECONDS
            if not self._listeners:
                self._all_gone.set()

    def _catch_up(self, listener: Listener, after: str) -> None:
        found = _ID.fullmatch(after)
        if found is None:
            raise InvalidArgument(
                "Last-Event-ID is not the id of an event", hint="Send the last one you got."
            )
        last = int(found[2])
        known = found[1] == self._epoch and last <= self._number
        missed = [each for each in self._kept if not known or each.number > last]
        oldest = missed[0].number if missed else self._number + 1
        for notice in missed:
            if listener.hears(notice):
                listener.put(notice)
        if not known or last + 1 < oldest:
            listener.lose()

    @property
    def listeners(self) -> int:
        """How many listen now."""
        return len(self._listeners)

    def dismiss(self, principal_id: str) -> None:
        """End the listeners of a key that opens nothing any more."""
        for listener in self._listeners:
            if listener.principal.id == principal_id:
                listener.end()

    async def end(self, patience: float = 1.0) -> None:
        """Let every listener go, so that none is cut off in the middle of a word."""
        self._ended = True
        for listener in self._listeners:
            listener.end()
        if not self._listeners:
            return
        self._all_gone.clear()
        try:
            async with asyncio.timeout(patience):
                await self._all_gone.wait()
        except TimeoutError:
            return


def _cut(masker: Masker, facts: dict[str, Any]) -> dict[str, Any]:
    """What pages have said, short; of a secret at its end nothing is left over."""
    return {
        key: masker.text(each)[: _LONGEST[key]] if key in _LONGEST else each
        for key, each in facts.items()
    }
