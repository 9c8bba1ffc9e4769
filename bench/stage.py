"""The pages that contenders are measured on. Each tells the site, when it is left, what was done.

It tells nothing before that: a click that is measured causes no request.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bench.errands import ERRAND_PAGES
from bench.pages import DOCUMENT, FORM
from tests.support.site import Request, Response, Site

__all__ = ["Stage"]

_PATIENCE = 5.0
_TELL = """<script>(() => {
const told = { clicks: 0 };
addEventListener('click', () => { told.clicks += 1; }, true);
addEventListener('pagehide', () => {
  const timing = performance.getEntriesByType('navigation')[0];
  const field = document.querySelector('[name=first]');
  navigator.sendBeacon('/told' + location.search, JSON.stringify(
    { ...told, value: field && field.value, loaded: timing.domContentLoadedEventEnd }));
});
})();</script>"""
_GO = "<button onclick=\"out.textContent = 'Clicked ' + (window.n = (window.n || 0) + 1)\">Go</button>"

_PAGES = {
    "/form": _TELL + FORM,
    "/quiet": f"<title>Quiet</title>{_TELL}<h1>A quiet page</h1>{_GO}<p id=out role=status></p>",
    "/inert": f"<title>Inert</title>{_TELL}<h1>A page that does nothing</h1><button>Go</button>",
    "/plain": FORM,
    "/away": "<title>Away</title><p>Nothing here.</p>",
}


_LARGE = "/doc/library/large.html"
_TELLING = {"/form", "/quiet", "/inert", _LARGE}


class Stage:
    """The site with the pages, and what they told."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._visits: dict[tuple[str, str], str] = {}
        self._told: dict[str, dict[str, Any]] = {}
        self._news = asyncio.Condition()

    @classmethod
    @asynccontextmanager
    async def serve(cls) -> AsyncIterator[Stage]:
        async with Site.serve() as site:
            stage = cls(site)
            site.route("/told", stage._hear)
            for path, html in {**_PAGES, **ERRAND_PAGES}.items():
                site.page(path, html)
            if Path(DOCUMENT).is_file():
                site.files("/doc", Path(DOCUMENT).parent.parent)
                document = Path(DOCUMENT).read_text(encoding="utf-8")
                head, body, rest = document.partition("<body>")
                button = f"{_TELL}{_GO}<p id=out role=status></p>"
                site.page(_LARGE, head + body + button + rest)
            yield stage

    @property
    def allowed(self) -> str:
        """Host and port, as an egress rule names them."""
        return f"127.0.0.1:{self.site.port}"

    def url(self, path: str, *, who: str, visit: str) -> str:
        """An address that makes what the page tells known as this contender's, on this visit."""
        if path not in _TELLING:
            return self.site.url(path)
        number = self._visits.setdefault((who, visit), str(len(self._visits)))
        return self.site.url(f"{path}?visit={number}")

    async def told(self, *, who: str, visit: str) -> dict[str, Any]:
        """What a page told when it was left; nothing if it never did."""
        number = self._visits[who, visit]
        try:
            async with asyncio.timeout(_PATIENCE), self._news:
                await self._news.wait_for(lambda: number in self._told)
        except TimeoutError:
            return {}
        return self._told[number]

    async def _hear(self, request: Request) -> Response:
        async with self._news:
            self._told[request.params["visit"]] = json.loads(request.body)
            self._news.notify_all()
        return Response(status=204)
