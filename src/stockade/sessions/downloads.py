"""Downloads of a session: where the browser writes them, and what became of each."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

from stockade.engines.events import Download, DownloadChanged, DownloadStarted
from stockade.engines.port import Context
from stockade.errors import (
    ArtifactNotFound,
    DeadlineExceeded,
    DiskLimit,
    DownloadFailed,
    QuotaExceeded,
    StockadeError,
)
from stockade.sessions.arrivals import Arrivals
from stockade.sessions.work import Work

__all__ = ["Allowance", "Downloads", "Place"]

_MOST_RUNNING = 20
_MOST_KEPT = 200
_CANCEL_PATIENCE = 5.0
_ANNOUNCEMENT_PATIENCE = 1.0
_UNFINISHED = ".crdownload"

_ENDS = {
    "canceled": "the download was canceled",
    "failed": "the download broke off",
    "denied": "this session may not download",
}


@dataclass
class Allowance:
    """How many bytes the downloads of a session may take, as long as they are kept."""

    most: int
    spent: int = 0
    """By downloads that have ended well."""


@dataclass(eq=False)
class _Entry:
    download: Download
    done: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    refusal: StockadeError | None = None

    @property
    def running(self) -> bool:
        return not self.done.done()


class Place(Protocol):
    """Where a browser writes downloads."""

    path: Path
    """As the browser knows it."""

    @property
    def descriptor(self) -> int:
        """The open directory."""

    @property
    def room(self) -> int | None:
        """The bytes that still fit into it, where that is limited."""

    def open_file(self, name: str) -> int:
        """Open a file in it for reading: a real one, never a link elsewhere."""

    def discard(self, name: str) -> None:
        """Delete a file in it, if it is there."""

    def remove(self) -> None:
        """Let go of all of it."""


class Downloads:
    """The downloads of one browser state, in a directory of their own."""

    def __init__(self, place: Place, allowance: Allowance, work: Work, arrivals: Arrivals) -> None:
        self._place = place
        self._allowance = allowance
        self._work = work
        self._arrivals = arrivals
        self._suspects: dict[str, asyncio.TimerHandle] = {}
        self._entries: dict[str, _Entry] = {}
        self._context: Context | None = None
        self._offs: tuple[Callable[[], None], ...] = ()

    @property
    def path(self) -> Path:
        """The directory; what is in it belongs to the browser and is not to be trusted."""
        return self._place.path

    def follow(self, context: Context) -> None:
        """Watch what a context downloads."""
        self._context = context
        self._offs = (
            context.events.on(DownloadStarted, self._started),
            context.events.on(DownloadChanged, self._changed),
            self._arrivals.watch(self._place.descriptor, self._arrived),
        )

    # --- watching -------------------------------------------------------------------------------

    def _started(self, event: DownloadStarted) -> None:
        entry = _Entry(event.download)
        self._entries[event.download.id] = entry
        if sum(each.running for each in self._entries.values()) > _MOST_RUNNING:
            self._stop(entry, QuotaExceeded(f"{_MOST_RUNNING} downloads are under way already"))
        self._forget_oldest()

    def _changed(self, event: DownloadChanged) -> None:
        entry = self._entries.get(event.download.id)
        if entry is None or not entry.running:
            return
        if event.download.state == "running":
            self._check()
            return
        if event.download.state == "completed" and entry.refusal is None:
            self._allowance.spent += event.download.received
            if self._allowance.spent > self._allowance.most:
                # The last bytes came at once, before anything could be said.
                entry.refusal = self._over()
        if entry.refusal is not None:
            self._place.discard(event.download.id)
        entry.done.set_result(None)

    def _arrived(self, name: str) -> None:
        """A file is there; the browser says nothing of downloads whose page is gone already."""
        named = name.removesuffix(_UNFINISHED)
        if named not in self._entries and named not in self._suspects:
            later = asyncio.get_running_loop().call_later
            self._suspects[named] = later(_ANNOUNCEMENT_PATIENCE, self._unannounced, named)

    def _unannounced(self, named: str) -> None:
        """Nobody would see how far it is, or that it ended: it ends now."""
        del self._suspects[named]
        if named in self._entries or self._context is None:
            return
        download = Download(named, "", "download")
        self._context.events.emit(DownloadStarted(download, None))
        self._stop(
            self._entries[named],
            DownloadFailed("its page was left before the download began", reason="canceled"),
        )
        download.state = "canceled"
        self._context.events.emit(DownloadChanged(download))

    def _check(self) -> None:
        """Stop the newest download when all take, or say they will take, more than is left."""
        running = [each for each in self._entries.values() if each.running and not each.refusal]
        expected = sum(max(each.download.received, each.download.total) for each in running)
        if running and self._allowance.spent + expected > self._allowance.most:
            self._stop(running[-1], self._over())

    def _over(self) -> QuotaExceeded:
        return QuotaExceeded(
            f"the downloads of this session may take {self._allowance.most} bytes in all",
            hint="The operator can set STOCKADE_DOWNLOAD_QUOTA.",
            quota=self._allowance.most,
        )

    def _stop(self, entry: _Entry, reason: StockadeError) -> None:
        context = self._context
        if entry.refusal is not None or context is None:
            return
        entry.refusal = reason
        self._work.start(
            lambda: context.cancel_download(entry.download.id, timeout=_CANCEL_PATIENCE)
        )

    def _forget_oldest(self) -> None:
        ended = [each.download.id for each in self._entries.values() if not each.running]
        for old in ended[: max(len(self._entries) - _MOST_KEPT, 0)]:
            del self._entries[old]
            self._place.discard(old)

    # --- asking ---------------------------------------------------------------------------------

    async def finished(self, id: str, *, timeout: float) -> Path:
        """The file of a download, once it is whole; why there is none otherwise."""
        entry = self._entries.get(id)
        if entry is None:
            raise ArtifactNotFound("this session has no such download")
        try:
            async with asyncio.timeout(timeout):
                await asyncio.shield(entry.done)
        except TimeoutError:
            raise DeadlineExceeded(
                "the download is still under way",
                hint="Ask again later.",
                received=entry.download.received,
                total=entry.download.total,
            ) from None
        self.open(id).close()
        return self._place.path / id

    def open(self, id: str) -> BinaryIO:
        """The content of a finished download, read past whatever the browser put in its place."""
        entry = self._entries.get(id)
        if entry is None:
            raise ArtifactNotFound("this session has no such download")
        if entry.refusal is not None:
            raise entry.refusal
        state = entry.download.state
        if state == "failed" and self._too_large(entry.download):
            raise DiskLimit("the download does not fit into its jail", reason=state)
        if state != "completed":
            raise DownloadFailed(_ENDS.get(state, "the download is still under way"), reason=state)
        try:
            return os.fdopen(self._place.open_file(id), "rb")
        except OSError:
            raise DownloadFailed("the downloaded file is gone", reason="gone") from None

    def _too_large(self, download: Download) -> bool:
        room = self._place.room
        return room is not None and max(download.total, download.received) > room

    def discard(self, id: str) -> None:
        """Delete a download that has ended; one that runs, or is gone, is left alone."""
        entry = self._entries.get(id)
        if entry is None or entry.running:
            return
        del self._entries[id]
        self._place.discard(id)
        if entry.download.state == "completed":
            self._allowance.spent = max(self._allowance.spent - entry.download.received, 0)

    def end(self, error: StockadeError) -> None:
        """No more will come: whoever waits for one is told."""
        for off in self._offs:
            off()
        for timer in self._suspects.values():
            timer.cancel()
        for entry in self._entries.values():
            if entry.running:
                entry.done.set_exception(error)
                entry.done.exception()

    def remove(self) -> None:
        """Delete the directory."""
        self._place.remove()
