"""The document that a tab shows, when it is a file: a PDF or a text."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from stockade.engines.port import Page
from stockade.errors import ContentGone, InvalidArgument
from stockade.page.scripts import script

__all__ = ["Shown", "shown_document"]

_PDF = b"%PDF-"
_WEB = frozenset({"text/html", "application/xhtml+xml"})


@dataclass(frozen=True)
class Shown:
    """A file's bytes and what is said about them."""

    name: str
    content: bytes
    mime_type: str
    charset: str = ""
    source: str = ""


async def shown_document(page: Page, *, timeout: float) -> Shown:
    """What the tab shows, from the browser's own memory and not asked for again."""
    frame = page.main_frame
    kind = await frame.call("() => document.contentType", timeout=timeout)
    if kind in _WEB:
        raise InvalidArgument(
            "the tab shows a web page, not a file",
            hint="Use `snapshot` for pages, or give the name of a file or download.",
            reason="web-page",
        )
    if kind == "application/pdf":
        return Shown(frame.url, await _pdf(page, timeout), kind)
    # The browser has decoded it as a reader would.
    text = await frame.call(
        "() => (document.body || document.documentElement).textContent", timeout=timeout
    )
    return Shown(frame.url, text.encode("utf-8", "replace"), kind, "utf-8")


async def _pdf(page: Page, timeout: float) -> bytes:
    """The viewer reads the file under an address of its own."""
    for request in reversed(page.requests):
        if request.mime_type != "application/pdf" or request.failure:
            continue
        try:
            content = await page.response_body(request.id, timeout=timeout)
        except ContentGone:
            continue
        if content.lstrip()[:5] == _PDF:
            return content
    cached = await page.main_frame.call(script("cached_copy"), timeout=timeout)
    content = base64.b64decode(cached or "")
    if content.lstrip()[:5] == _PDF:
        return content
    raise ContentGone(
        "the browser no longer has the PDF", hint="Load it again with `navigate`, then read it."
    )
