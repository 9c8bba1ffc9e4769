"""Filming a session: one film, of the tab that is used."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from stockade.errors import Refused
from stockade.masking.masker import Masker
from stockade.media.cast import Still, Watch, watch
from stockade.media.film import Film
from stockade.media.picture import Picture
from stockade.sessions.changes import SessionEnded, TabOpened
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.sessions.work import Job

__all__ = ["Filming"]

_SHORTEST = 0.04
"""Seconds between two pictures: more would be seen by nobody."""
_MOST_WAITING = 60
_FIRST_PATIENCE = 2.0
MOST_BYTES = 256 << 20
MOST_SECONDS = 3600.0


class Filming:
    """Follows the tabs of a session; what the current one shows goes into the film.

    A page sends pictures only when it paints, and each is held until the next one. They are
    written in threads, one after another, so that nothing waits for them.
    """

    def __init__(self, session: Session, film: Film, masker: Masker) -> None:
        self.film = film
        self.started_at = time.time()
        self.dropped = 0
        self.withheld = 0
        """Pictures on which a secret might have been seen."""
        self.ended = ""
        """Why it ended by itself, if it did."""
        self._session = session
        self._masker = masker
        self._began = asyncio.get_running_loop().time()
        self._pictures: asyncio.Queue[tuple[Picture, int] | None] = asyncio.Queue()
        self._last = -_SHORTEST
        self._shown: Tab | None = None
        self._waiting: Picture | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._first = asyncio.Event()
        self._stopping = asyncio.Event()
        self._writing: Job[None] | None = None
        self._offs: list[Callable[[], None]] = []
        self._casts: list[Job[None]] = []
        self._lookers: dict[Tab, Watch] = {}

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return asyncio.get_running_loop().time() - self._began

    async def start(self) -> None:
        """Begin with the tabs there are, and with those to come; wait for the first picture."""
        self._writing = self._session.work.start(self._write)
        changes = self._session.changes
        self._offs = [
            changes.on(TabOpened, self._opened),
            changes.on(SessionEnded, self._abandoned),
        ]
        for tab in self._session.tabs:
            self._follow(tab)
        with suppress(TimeoutError):
            # One whose page cannot be pictured now begins dark.
            async with asyncio.timeout(_FIRST_PATIENCE):
                await self._first.wait()

    def _opened(self, event: TabOpened) -> None:
        if event.tab.session is self._session:
            self._follow(event.tab)

    def _abandoned(self, event: SessionEnded) -> None:
        """The session ended without a word: nobody will ask for the film any more."""
        if event.session is self._session and not self._stopping.is_set():
            self._end()
            self._session.work.start(self._forget)

    async def _forget(self) -> None:
        if self._writing is not None:
            await self._writing.ended()
        await asyncio.to_thread(self.film.discard)

    def _end(self) -> None:
        """No more pictures are taken."""
        if self._timer is not None:
            self._timer.cancel()
        for off in self._offs:
            off()
        self._stopping.set()
        self._pictures.put_nowait(None)

    def _follow(self, tab: Tab) -> None:
        self._casts = [each for each in self._casts if each.running]
        self._casts.append(self._session.work.start(lambda: self._watch(tab)))

    async def _watch(self, tab: Tab) -> None:
        """Take the pictures of one tab until it or the film ends."""
        size = self.film.width, self.film.height
        looker = Watch(tab, self._masker, partial(self._painted, tab), size)
        self._lookers[tab] = looker
        if await watch(looker, self._stopping):
            self._turn()
        self.withheld += looker.dropped

    def _painted(self, tab: Tab, still: Still) -> None:
        if tab is self._session.current:
            self._show(tab, still.picture)
        else:
            self._turn()

    def _turn(self) -> None:
        """Another tab is used now: it is shown as it stands, though it paints nothing."""
        tab = self._session.current
        if tab is not None and tab is not self._shown and tab in self._lookers:
            still = self._lookers[tab].last
            if still is not None:
                self._show(tab, still.picture)

    def _show(self, tab: Tab, picture: Picture) -> None:
        if self._stopping.is_set():
            return
        try:
            self._session.policy.check_shown(tab.url)
        except Refused:
            return
        self._shown = tab
        wait = self._last + _SHORTEST - self.seconds
        if wait <= 0:
            self._take(picture)
            return
        # The last of a flurry is the one that stays to be seen.
        self._waiting = picture
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(wait, self._flush)

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting is not None:
            self._take(self._waiting)

    def _take(self, picture: Picture) -> None:
        self._waiting = None
        self._first.set()
        if self._pictures.qsize() >= _MOST_WAITING:
            self.dropped += 1
            return
        self._last = self.seconds
        self._pictures.put_nowait((picture, round(self._last * 1000)))

    async def _write(self) -> None:
        while (item := await self._pictures.get()) is not None:
            picture, at = item
            if self.ended:
                continue
            try:
                await asyncio.to_thread(self.film.add, picture, at)
            except OSError:
                # One that cannot be read leaves the one before it in place.
                self.dropped += 1
            if self.film.size > MOST_BYTES:
                self.ended = f"it has reached {MOST_BYTES} bytes"
            elif at > MOST_SECONDS * 1000:
                self.ended = f"it has reached {MOST_SECONDS:g} seconds"

    async def stop(self) -> Film:
        """End the film; its file can be read from the beginning."""
        self._turn()
        self._flush()
        seconds = self.seconds
        self._end()
        for job in self._casts:
            await job.ended()
        if self._writing is not None:
            await self._writing.result()
        await asyncio.to_thread(self.film.finish, round(seconds * 1000))
        return self.film
