"""What happened in a tab since its caller last heard: nothing that comes late is lost."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from stockade.engines.events import (
    ConsoleMessage,
    DialogOpened,
    Download,
    FrameNavigated,
    PageCrashed,
    PageError,
    PopupRequested,
    Request,
    RequestStarted,
    StreamFrame,
)
from stockade.engines.port import Page
from stockade.sessions.asked import Asked

__all__ = ["Happenings", "Recorder"]

_MOST = 200
_MOST_REQUESTS = 1000


def _few() -> deque[Any]:
    return deque(maxlen=_MOST)


@dataclass
class Happenings:
    """Events in the order they came, the last ones of each kind."""

    navigations: deque[FrameNavigated] = field(default_factory=_few)
    """Of the main frame alone."""
    requests: deque[Request] = field(default_factory=lambda: deque(maxlen=_MOST_REQUESTS))
    console: deque[ConsoleMessage] = field(default_factory=_few)
    """Errors and warnings alone."""
    errors: deque[PageError] = field(default_factory=_few)
    dialogs: deque[tuple[DialogOpened, str]] = field(default_factory=_few)
    """Each with how it was answered."""
    asked_for: deque[Asked] = field(default_factory=_few)
    """Permissions and files, and notifications."""
    asked: deque[str] = field(default_factory=_few)
    """Where this tab wanted other tabs to go."""
    opened: deque[Page] = field(default_factory=_few)
    """Tabs that this one opened."""
    refused: deque[str] = field(default_factory=_few)
    """Tabs that were closed at once, because too many were open: where to, as far as known."""
    closed: deque[str] = field(default_factory=_few)
    """The ids of tabs that this one had opened and that are gone."""
    downloads: deque[Download] = field(default_factory=_few)
    frames: deque[StreamFrame] = field(default_factory=_few)
    """Messages of WebSockets and event streams."""
    crashed: bool = False
    missed: dict[str, int] = field(default_factory=dict)
    """How many more of a kind there were than are kept."""

    def note(self, kind: str, event: object) -> None:
        """Keep an event of a kind; the oldest makes room, and is counted."""
        kept: deque[Any] = getattr(self, kind)
        if len(kept) == kept.maxlen:
            self.missed[kind] = self.missed.get(kind, 0) + 1
        kept.append(event)


class Recorder:
    """Listens to one tab for as long as it is open.

    What belongs to a tab but is told by its context (tabs and downloads) comes from the session.
    """

    def __init__(self, page: Page) -> None:
        self._now = Happenings()
        self.downloads: deque[Download] = _few()
        """Of this tab and of those it opened; nobody takes them away."""
        events = page.events
        self._offs = (
            events.on(FrameNavigated, self._navigated),
            events.on(RequestStarted, lambda event: self._now.note("requests", event.request)),
            events.on(ConsoleMessage, self._said),
            events.on(PageError, lambda event: self._now.note("errors", event)),
            events.on(PageCrashed, self._crashed),
            events.on(PopupRequested, lambda event: self._now.note("asked", event.url)),
            events.on(StreamFrame, lambda event: self._now.note("frames", event)),
        )

    def _navigated(self, event: FrameNavigated) -> None:
        if event.frame.parent is None:
            self._now.note("navigations", event)

    def _said(self, event: ConsoleMessage) -> None:
        if event.level in {"error", "warning"}:
            self._now.note("console", event)

    def _crashed(self, _: PageCrashed) -> None:
        self._now.crashed = True

    def opened(self, page: Page) -> None:
        """This tab opened another."""
        self._now.note("opened", page)

    def refused(self, url: str) -> None:
        """A tab that this one opened was closed at once: there are too many."""
        self._now.note("refused", url)

    def closed(self, tab: str) -> None:
        """A tab that this one had opened is gone."""
        self._now.note("closed", tab)

    def began(self, download: Download) -> None:
        """This tab began a download."""
        self._now.note("downloads", download)

    def answered(self, dialog: DialogOpened, how: str) -> None:
        """Note how a dialog was dealt with."""
        self._now.note("dialogs", (dialog, how))

    def asked_for(self, asked: Asked) -> None:
        """Note what the page asked for, and how that was dealt with."""
        self._now.note("asked_for", asked)

    def inherit(self, other: Happenings) -> None:
        """Take over what nobody heard of a tab that is gone, as far as it outlives the tab."""
        for kind in ("refused", "closed", "downloads"):
            for event in getattr(other, kind):
                self._now.note(kind, event)

    def take(self) -> Happenings:
        """All of it, and begin anew."""
        taken, self._now = self._now, Happenings()
        return taken

    def take_dialogs(self) -> list[tuple[DialogOpened, str]]:
        """The dialogs that were answered, which a result without the rest tells."""
        taken = list(self._now.dialogs)
        self._now.dialogs.clear()
        return taken

    def close(self) -> None:
        """Stop listening; what was heard can still be taken."""
        for off in self._offs:
            off()
