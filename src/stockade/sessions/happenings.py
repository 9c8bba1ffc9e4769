"""What happened in a tab since its caller last heard: nothing that comes late is lost."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from stockade.engines.events import (
    ConsoleMessage,
    DialogOpened,
    Download,
    DownloadStarted,
    FrameNavigated,
    PageCrashed,
    PageError,
    PageOpened,
    Request,
    RequestStarted,
)
from stockade.engines.port import Page

__all__ = ["Happenings", "Recorder"]

_MOST = 200
_MOST_REQUESTS = 1000


def _few() -> deque[Any]:
    return deque(maxlen=_MOST)


@dataclass
class Happenings:
    """Events in the order they came, each kind bounded."""

    navigations: deque[FrameNavigated] = field(default_factory=_few)
    """Of the main frame alone."""
    requests: deque[Request] = field(default_factory=lambda: deque(maxlen=_MOST_REQUESTS))
    console: deque[ConsoleMessage] = field(default_factory=_few)
    errors: deque[PageError] = field(default_factory=_few)
    dialogs: deque[tuple[DialogOpened, str]] = field(default_factory=_few)
    """Each with how it was answered."""
    opened: deque[Page] = field(default_factory=_few)
    downloads: deque[Download] = field(default_factory=_few)
    crashed: bool = False


class Recorder:
    """Listens to one tab for as long as it is open."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._now = Happenings()
        events, context = page.events, page.context.events
        self._offs = (
            events.on(FrameNavigated, self._navigated),
            events.on(RequestStarted, self._requested),
            events.on(ConsoleMessage, self._said),
            events.on(PageError, self._failed),
            events.on(PageCrashed, self._crashed),
            context.on(PageOpened, self._opened),
            context.on(DownloadStarted, self._downloads),
        )

    def _navigated(self, event: FrameNavigated) -> None:
        if event.frame.parent is None:
            self._now.navigations.append(event)

    def _said(self, event: ConsoleMessage) -> None:
        if event.level in {"error", "warning"}:
            self._now.console.append(event)

    def _requested(self, event: RequestStarted) -> None:
        self._now.requests.append(event.request)

    def _failed(self, event: PageError) -> None:
        self._now.errors.append(event)

    def _crashed(self, _: PageCrashed) -> None:
        self._now.crashed = True

    def _opened(self, event: PageOpened) -> None:
        if event.opener is self._page:
            self._now.opened.append(event.page)

    def _downloads(self, event: DownloadStarted) -> None:
        if event.page is self._page or event.page is None:
            self._now.downloads.append(event.download)

    def answered(self, dialog: DialogOpened, how: str) -> None:
        """Note how a dialog was dealt with."""
        self._now.dialogs.append((dialog, how))

    def take(self) -> Happenings:
        """All of it, and begin anew."""
        taken, self._now = self._now, Happenings()
        return taken

    def close(self) -> None:
        """Stop listening."""
        for off in self._offs:
            off()
