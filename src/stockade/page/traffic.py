"""What a tab asks of the network, as far as it says something about an action's effect."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from urllib.parse import urlsplit

from stockade.engines.events import FrameNavigated, Request, RequestStarted
from stockade.engines.port import Page

__all__ = ["EFFECTS", "Traffic", "path_of"]

_POLLING_SECONDS = 10.0
_POLLING_TIMES = 2
_REMEMBERED = 256

EFFECTS = frozenset({"Document", "XHR", "Fetch", "Script", "Stylesheet"})
"""The kinds of request whose answer an agent waits for."""


class Traffic:
    """Knows which addresses a page asks for again and again by itself."""

    def __init__(self, page: Page) -> None:
        self._seen: deque[tuple[float, str]] = deque(maxlen=_REMEMBERED)
        self._windows = 0
        self.silent: set[str] = set()
        """Streams that did not answer when the page asked."""
        page.events.on(RequestStarted, self._started)
        page.events.on(FrameNavigated, self._navigated)

    def _started(self, event: RequestStarted) -> None:
        if not self._windows and event.request.type in EFFECTS:
            self._seen.append((monotonic(), path_of(event.request)))

    def _navigated(self, event: FrameNavigated) -> None:
        if event.frame.parent is None and not event.same_document:
            self._seen.clear()
            self.silent.clear()

    @contextmanager
    def window(self) -> Iterator[frozenset[str]]:
        """What begins in here is taken for an action's doing; the answer is what is polled now."""
        self._windows += 1
        try:
            yield self.polled()
        finally:
            self._windows -= 1

    def polled(self) -> frozenset[str]:
        """The paths asked for at least twice in the last ten seconds, with no action under way."""
        now = monotonic()
        counts: dict[str, int] = {}
        for at, path in self._seen:
            if at > now - _POLLING_SECONDS:
                counts[path] = counts.get(path, 0) + 1
        return frozenset(path for path, count in counts.items() if count >= _POLLING_TIMES)


def path_of(request: Request) -> str:
    """Where a request goes, without what changes from one poll to the next."""
    parts = urlsplit(request.url)
    return f"{request.method} {parts.scheme}://{parts.netloc}{parts.path}"
