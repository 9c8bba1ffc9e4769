"""Going to documents, and knowing when they are there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stockade.engines.cdp.connection import PROCESS_CHANGES
from stockade.engines.values import HistoryEntry, Navigation, Until, World
from stockade.errors import NavigationFailed, NavigationRace, StockadeError

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["Navigator"]

_MOST_CHANGES = 5
"""How often a page may change processes while one command is sent."""
_LIFECYCLE = {"commit": "commit", "domcontentloaded": "DOMContentLoaded", "load": "load"}


class Navigator:
    """Moves the main frame of a page."""

    def __init__(self, page: ChromiumPage) -> None:
        self._page = page

    async def navigate(
        self, url: str, until: Until, referrer: str | None, timeout: float
    ) -> Navigation:
        """Load an address."""
        ends = asyncio.get_running_loop().time() + timeout
        await self._prepare(timeout)
        params: dict[str, Any] = {"url": url}
        if referrer:
            params["referrer"] = referrer
        # Nothing that a page wanted to load before is the reason for this.
        self._page.context.navigation_reasons.take([self._page.main_frame.id], url)
        answer = await self._send("Page.navigate", params, timeout=timeout)
        if answer.get("isDownload"):
            raise NavigationFailed(
                "the address is a download, not a page", reason="download", url=url
            )
        if answer.get("errorText"):
            raise self._failed(answer["errorText"], url, answer.get("loaderId", ""))
        loader = answer.get("loaderId", "")
        frame = self._page.main_frame
        if not loader:
            return Navigation(frame.url, frame.document, same_document=True)
        # A script may have sent the page on before we look: any later document counts.
        await self._page.until(
            lambda: loader in frame.documents and self._is_there(until),
            timeout=ends - asyncio.get_running_loop().time(),
        )
        return self._arrived()

    async def reload(self, until: Until, ignore_cache: bool, timeout: float) -> Navigation:  # noqa: FBT001
        """Load the present document again."""
        await self._prepare(timeout)
        before = self._page.main_frame.document
        await self._send("Page.reload", {"ignoreCache": ignore_cache}, timeout=timeout)
        frame = self._page.main_frame
        await self._page.until(
            lambda: frame.document != before and self._is_there(until), timeout=timeout
        )
        return self._arrived()

    async def go(self, delta: int, until: Until, timeout: float) -> Navigation | None:
        """Move in the history by `delta` entries."""
        await self._prepare(timeout)
        answer = await self._send("Page.getNavigationHistory", {}, timeout=timeout)
        index = answer["currentIndex"] + delta
        if not 0 <= index < len(answer["entries"]):
            return None
        frame = self._page.main_frame
        count, document = frame.navigations, frame.document
        await self._send(
            "Page.navigateToHistoryEntry",
            {"entryId": answer["entries"][index]["id"]},
            timeout=timeout,
        )
        await self._page.until(
            lambda: (
                frame.navigations > count and (frame.document == document or self._is_there(until))
            ),
            timeout=timeout,
        )
        arrived = self._arrived()
        if frame.document == document:
            return Navigation(frame.url, frame.document, same_document=True)
        return arrived

    async def history(self, timeout: float) -> Sequence[HistoryEntry]:
        """The tab's entries."""
        answer = await self._send("Page.getNavigationHistory", {}, timeout=timeout)
        return [
            HistoryEntry(entry["url"], entry["title"], index == answer["currentIndex"])
            for index, entry in enumerate(answer["entries"])
        ]

    async def set_content(self, html: str, until: Until, timeout: float) -> None:
        """Replace the document's content, as `document.write` does."""
        frame = self._page.main_frame
        # `document.open` keeps the document's name, so the points it reached must be forgotten.
        frame.unmark(frame.document, ("DOMContentLoaded", "load"))
        await frame.call(
            "html => { document.open(); document.write(html); document.close(); }",
            html,
            world=World.MAIN,
            timeout=timeout,
        )
        if until != "commit":
            await self._page.until(lambda: frame.reached(_LIFECYCLE[until]), timeout=timeout)

    async def _send(
        self, method: str, params: Mapping[str, Any], *, timeout: float
    ) -> dict[str, Any]:
        """Send a command that the browser refuses while the page changes processes."""
        session = self._page.session
        for _ in range(_MOST_CHANGES):
            try:
                return await session.send(method, params, timeout=timeout)
            except NavigationRace as race:
                if race.details.get("reason") != PROCESS_CHANGES:
                    raise
            # Answered by the new process, as soon as it is there.
            await session.send("Page.getLayoutMetrics", timeout=timeout)
        return await session.send(method, params, timeout=timeout)

    async def _prepare(self, timeout: float) -> None:
        await self._page.ready(timeout=timeout)
        # A crashed tab gets a new renderer; until that dies too, it counts as alive.
        self._page.revived(self._page.session)
        # The headless shell wedges for good when it navigates under an open dialog.
        if (obstacle := self._page.obstacle()) is not None:
            raise obstacle

    def _is_there(self, until: Until) -> bool:
        return self._page.main_frame.reached(_LIFECYCLE[until])

    def _arrived(self) -> Navigation:
        frame = self._page.main_frame
        if frame.unreachable:
            raise self._failed("net::ERR_FAILED", frame.unreachable, frame.document)
        return Navigation(
            frame.url, frame.document, status=self._page.document_status(frame.document)
        )

    def _failed(self, reason: str, url: str, document: str) -> StockadeError:
        """What to say of a document that did not come; it may have failed on another's address."""
        asked = self._page.network.document_request(document)
        proxy = self._page.context.options.proxy
        if proxy is not None and proxy.explain is not None:
            reason, error = proxy.explain(asked.url if asked is not None else url, reason)
            if error is not None:
                return error
        return NavigationFailed(f"the page could not be loaded: {reason}", reason=reason, url=url)
