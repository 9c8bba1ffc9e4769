"""Downloads of all contexts, named by the browser and never by the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from stockade.engines.cdp.connection import Session
from stockade.engines.events import Download, DownloadChanged, DownloadStarted
from stockade.errors import InvalidArgument, ProtocolFault

if TYPE_CHECKING:
    from stockade.engines.cdp.browser import ChromiumBrowser
    from stockade.engines.cdp.context import ChromiumContext
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["Downloads", "safe_filename"]

_KEPT = 200
_LONGEST_NAME = 200
_UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f/\\:*?\"<>|\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+"
)


class _Began(msgspec.Struct):
    guid: str
    url: str
    frameId: str = ""
    suggestedFilename: str = ""


class _Progress(msgspec.Struct):
    guid: str
    state: str
    totalBytes: float = 0
    receivedBytes: float = 0


def safe_filename(suggested: str) -> str:
    """A name that stays in its directory and shows what it is."""
    name = _UNSAFE.sub("_", suggested).strip(" .")
    if len(name.encode()) > _LONGEST_NAME:
        stem, dot, ending = name.rpartition(".")
        ending = dot + ending if dot and len(ending) <= 10 else ""  # noqa: PLR2004
        room = _LONGEST_NAME - len(ending.encode())
        name = (stem if ending else name).encode()[:room].decode(errors="ignore") + ending
    return name or "download"


class Downloads:
    """Follows the downloads of a browser."""

    def __init__(self, browser: ChromiumBrowser) -> None:
        self._browser = browser
        self._running: dict[str, tuple[Download, ChromiumContext]] = {}
        self._to_cancel: set[str] = set()

    def watch(self, session: Session) -> None:
        """Hear of downloads; the browser tells of those of all contexts in one place."""
        session.on("Browser.downloadWillBegin", self._began, _Began)
        session.on("Browser.downloadProgress", self._progress, _Progress)

    async def configure(self, context: ChromiumContext, *, timeout: float) -> None:
        """Say where a context's downloads go, or that it has none."""
        # Events are one switch for the whole browser: leaving it out here would silence all.
        params: dict[str, Any] = {"browserContextId": context.id, "eventsEnabled": True}
        if context.options.attended:
            # They go where the person wants them.
            params["behavior"] = "default"
        elif context.options.downloads is None:
            params["behavior"] = "deny"
        else:
            params["behavior"] = "allowAndName"
            params["downloadPath"] = str(context.options.downloads)
        await self._browser.connection.root.send(
            "Browser.setDownloadBehavior", params, timeout=timeout
        )

    async def cancel(self, context: ChromiumContext, download_id: str, timeout: float) -> None:
        """Stop a running download; one that has ended stays as it is."""
        known = any(download.id == download_id for download in context.download_list)
        if known and download_id not in self._running:
            return
        if known:
            self._to_cancel.add(download_id)
        # The browser also knows some that it never told of: their page was gone too soon.
        try:
            await self._browser.connection.root.send(
                "Browser.cancelDownload",
                {"guid": download_id, "browserContextId": context.id},
                timeout=timeout,
            )
        except ProtocolFault:
            # It ended by itself between our look and our order, or it never was.
            self._to_cancel.discard(download_id)
            if not known:
                raise InvalidArgument("this session has no such download", field="id") from None

    def forget(self, context: ChromiumContext) -> None:
        """A context is gone, and its downloads with it."""
        for guid, (_, owner) in tuple(self._running.items()):
            if owner is context:
                del self._running[guid]
                self._to_cancel.discard(guid)

    def _began(self, event: _Began) -> None:
        page = self._page_of(event.frameId)
        if page is None:
            return
        context = page.context
        download = Download(event.guid, event.url, safe_filename(event.suggestedFilename))
        self._running[event.guid] = (download, context)
        context.download_list.append(download)
        # One that runs is never forgotten: nobody could stop it any more.
        ended = [each for each in context.download_list if each.state != "running"]
        for old in ended[: max(len(context.download_list) - _KEPT, 0)]:
            context.download_list.remove(old)
        started = DownloadStarted(download, page)
        for events in (page.events, context.events, self._browser.events):
            events.emit(started)
        if not page.main_frame.url:
            # A tab opened for the download alone; only full Chromium closes it by itself.
            self._browser.connection.root.post(("Target.closeTarget", {"targetId": page.id}))

    def _progress(self, event: _Progress) -> None:
        download, context = self._running.get(event.guid, (None, None))
        if download is None or context is None:
            return
        download.received = int(event.receivedBytes)
        download.total = int(event.totalBytes)
        if event.state == "completed":
            download.state = "completed"
        elif event.state == "canceled":
            # The browser has one word for all ends but the good one.
            if context.options.downloads is None:
                download.state = "denied"
            else:
                download.state = "canceled" if event.guid in self._to_cancel else "failed"
        if download.state != "running":
            del self._running[event.guid]
            self._to_cancel.discard(event.guid)
        for events in (context.events, self._browser.events):
            events.emit(DownloadChanged(download))

    def _page_of(self, frame_id: str) -> ChromiumPage | None:
        for page in self._browser.pages.values():
            if frame_id in page.frame_tree.by_id:
                return page
        return None
