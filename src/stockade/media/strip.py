"""A film strip: pictures of every tab of a session, in the order in which they were painted."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

from stockade.errors import Refused
from stockade.masking.masker import Masker
from stockade.media.cast import Still, Watch, watch
from stockade.sessions.changes import SessionEnded, TabOpened
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.sessions.work import Job

__all__ = ["Kept", "Strip"]

_SHORTEST = 0.1
"""Seconds between two pictures of a tab, while there is much room."""
_DOUBLINGS = 10
"""How often that doubles until there is none, so that a film in a page leaves some."""
_WIDTH, _HEIGHT = 1024, 768


@dataclass(frozen=True)
class Kept:
    """A JPEG, and what it shows."""

    tab: str
    at: float
    width: int
    height: int
    digest: str


class Strip:
    """Takes pictures until it is stopped; they are kept in a file without a name."""

    def __init__(self, session: Session, most_bytes: int, masker: Masker) -> None:
        self.pictures: list[Kept] = []
        self.dropped = 0
        """How many there was no room for."""
        self._session = session
        self._masker = masker
        self._most = most_bytes
        self._file: BinaryIO = tempfile.TemporaryFile(dir=session.limits.scratch)  # noqa: SIM115
        self._places: dict[str, tuple[int, int]] = {}
        """Where each picture is in the file, and how long it is."""
        self._size = 0
        self._last: dict[str, float] = {}
        self._waiting: dict[Tab, tuple[Still, float]] = {}
        self._stopping = asyncio.Event()
        self._offs: list[Callable[[], None]] = []
        self._casts: list[Job[None]] = []

    def start(self) -> None:
        """Begin with the tabs there are, and with those to come."""
        changes = self._session.changes
        self._offs = [changes.on(TabOpened, self._opened), changes.on(SessionEnded, self._ended)]
        for tab in self._session.tabs:
            self._follow(tab)

    def _opened(self, event: TabOpened) -> None:
        if event.tab.session is self._session:
            self._follow(event.tab)

    def _ended(self, event: SessionEnded) -> None:
        if event.session is self._session:
            self._stopping.set()

    def _follow(self, tab: Tab) -> None:
        self._casts = [each for each in self._casts if each.running]
        self._casts.append(self._session.work.start(lambda: self._watch(tab)))

    async def _watch(self, tab: Tab) -> None:
        """Take the pictures of one tab until it or the strip ends."""
        looker = Watch(tab, self._masker, partial(self._painted, tab), (_WIDTH, _HEIGHT))
        if await watch(looker, self._stopping):
            self._flush(tab)

    def _painted(self, tab: Tab, still: Still) -> None:
        # The last of a flurry is the one that stays to be seen: it is taken with the next, or at
        # the end.
        now = time.time()
        self._waiting[tab] = (still, now)
        wait = _SHORTEST * 2.0 ** (_DOUBLINGS * self._size / max(self._most, 1))
        if now - self._last.get(tab.id, 0) >= wait:
            self._flush(tab)

    def _flush(self, tab: Tab) -> None:
        still, at = self._waiting.pop(tab, (None, 0.0))
        if still is None or self._file.closed:
            return
        try:
            self._session.policy.check_shown(tab.url)
        except Refused:
            return
        content = still.picture.data
        digest = hashlib.sha1(content, usedforsecurity=False).hexdigest()
        if digest not in self._places:
            if self._size + len(content) > self._most:
                self.dropped += 1
                return
            self._places[digest] = (self._size, len(content))
            self._file.write(content)
            self._size += len(content)
        self._last[tab.id] = at
        width, height = round(still.width), round(still.height)
        self.pictures.append(Kept(tab.id, at, width, height, digest))

    async def stop(self) -> None:
        """Take no more."""
        for off in self._offs:
            off()
        self._stopping.set()
        for job in self._casts:
            await job.ended()
        for tab in list(self._waiting):
            self._flush(tab)

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """Every picture once, by its digest."""
        for digest, (start, size) in self._places.items():
            self._file.seek(start)
            yield digest, self._file.read(size)

    def discard(self) -> None:
        """Forget them all."""
        self._file.close()
