"""What a page has loaded, from the browser's own memory: nothing is asked for again."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import Any

from stockade.engines.events import Request
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
    """The files of one tab, of all its frames.

    The log of requests has the bodies of the last ten megabytes. What is not there any more is
    looked for in the browser's cache; that comes second because the browser, when it is asked
    so, loads stylesheets that forbade caching once more.
    """

    def __init__(self, page: Page, *, timeout: float) -> None:
        self._page = page
        self._ends = asyncio.get_running_loop().time() + timeout
        self._logged: dict[str, list[Request]] = {}
        self._known: dict[str, Resource | None] = {}
        self._cached: dict[str, tuple[DevTools, str, str]] | None = None
        for request in reversed(page.requests):
            if not request.failure and not request.redirected_to and request.status is not None:
                self._logged.setdefault(_plain(request.url), []).append(request)

    @property
    def urls(self) -> list[str]:
        """What may still be there."""
        return list(self._logged)

    async def get(self, url: str) -> Resource | None:
        """A file by its address, or nothing when the browser does not have it any more."""
        url = _plain(url)
        if url not in self._known:
            self._known[url] = await self._found(url)
        return self._known[url]

    def _left(self) -> float:
        left = self._ends - asyncio.get_running_loop().time()
        if left <= 0:
            raise DeadlineExceeded("there was no time to gather what the page is made of")
        return min(left, _PATIENCE)

    async def _found(self, url: str) -> Resource | None:
        for request in self._logged.get(url, ()):
            try:
                content = await self._page.response_body(request.id, timeout=self._left())
            except (ContentGone, EngineError):
                continue
            return Resource(url, request.mime_type, content)
        return await self._in_cache(url)

    async def _in_cache(self, url: str) -> Resource | None:
        if self._cached is None:
            self._cached = await self._look()
        if url not in self._cached:
            return None
        devtools, frame, mime_type = self._cached[url]
        try:
            said = await devtools.send(
                "Page.getResourceContent", {"frameId": frame, "url": url}, timeout=self._left()
            )
        except EngineError:
            return None
        content = said["content"]
        raw = base64.b64decode(content) if said["base64Encoded"] else content.encode()
        return Resource(url, mime_type, raw)

    async def _look(self) -> dict[str, tuple[DevTools, str, str]]:
        """Which frame has loaded what; stylesheets are not among it."""
        found: dict[str, tuple[DevTools, str, str]] = {}
        for devtools in self._page.devtools:
            try:
                tree = await devtools.send("Page.getResourceTree", timeout=self._left())
            except EngineError:
                # A frame that has gone meanwhile is not in the page any more.
                continue
            pending: list[dict[str, Any]] = [tree["frameTree"]]
            while pending:
                part = pending.pop()
                for each in part.get("resources", ()):
                    if each["type"] != "Stylesheet":
                        place = (devtools, part["frame"]["id"], each.get("mimeType", ""))
                        found[_plain(each["url"])] = place
                pending += part.get("childFrames", ())
        return found


def _plain(url: str) -> str:
    return url.partition("#")[0]
