"""What a page has loaded, from the browser's own memory: nothing is asked for again."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from stockade.engines.port import DevTools, Page
from stockade.errors import ContentGone, DeadlineExceeded, EngineError

__all__ = ["Resource", "Resources"]

_PATIENCE = 5.0


@dataclass(frozen=True)
class Resource:
    """A file that a page loaded."""

    url: str
    mime_type: str
    content: bytes


class Resources:
    """The files of one tab, of all its frames."""

    def __init__(self, page: Page, *, timeout: float) -> None:
        self._page = page
        self._ends = asyncio.get_running_loop().time() + timeout
        self._places: dict[str, list[tuple[DevTools, str, str]]] = {}
        self._known: dict[str, Resource | None] = {}

    def _left(self) -> float:
        left = self._ends - asyncio.get_running_loop().time()
        if left <= 0:
            raise DeadlineExceeded("there was no time to gather what the page is made of")
        return min(left, _PATIENCE)

    async def look(self) -> None:
        """Learn which frame has loaded what."""
        for devtools in self._page.devtools:
            try:
                tree = await devtools.send("Page.getResourceTree", timeout=self._left())
            except EngineError:
                # A frame that has gone meanwhile is not in the page any more.
                continue
            pending: list[dict[str, Any]] = [tree["frameTree"]]
            while pending:
                part = pending.pop()
                frame = part["frame"]
                for each in (frame, *part.get("resources", ())):
                    place = (devtools, frame["id"], each.get("mimeType", ""))
                    self._places.setdefault(each["url"].partition("#")[0], []).append(place)
                pending += part.get("childFrames", ())

    async def get(self, url: str) -> Resource | None:
        """A file by its address, or nothing when the browser does not have it any more."""
        if url not in self._known:
            self._known[url] = await self._kept(url) or await self._logged(url)
        return self._known[url]

    async def _kept(self, url: str) -> Resource | None:
        for devtools, frame, mime_type in self._places.get(url, ()):
            try:
                said = await devtools.send(
                    "Page.getResourceContent", {"frameId": frame, "url": url}, timeout=self._left()
                )
            except EngineError:
                continue
            content = said["content"]
            raw = base64.b64decode(content) if said["base64Encoded"] else content.encode()
            return Resource(url, mime_type, raw)
        return None

    async def _logged(self, url: str) -> Resource | None:
        requests: Iterable[Any] = reversed(self._page.requests)
        for request in requests:
            if request.url.partition("#")[0] != url or request.failure or request.ended is None:
                continue
            try:
                content = await self._page.response_body(request.id, timeout=self._left())
            except (ContentGone, EngineError):
                continue
            return Resource(url, request.mime_type, content)
        return None
