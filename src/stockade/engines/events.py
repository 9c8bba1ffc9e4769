"""What an engine tells of, and the hub that passes it on."""

from __future__ import annotations

import asyncio
import builtins
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from stockade.errors import DeadlineExceeded

if TYPE_CHECKING:
    from stockade.engines.port import FileChooser, Frame, Page, Worker
    from stockade.engines.values import StorageKey

__all__ = [
    "ConsoleMessage",
    "DatabasesChanged",
    "DialogClosed",
    "DialogOpened",
    "Download",
    "DownloadChanged",
    "DownloadStarted",
    "Event",
    "Events",
    "FileChooserOpened",
    "FrameAttached",
    "FrameDetached",
    "FrameNavigated",
    "LifecycleReached",
    "LocalStorageChanged",
    "NavigationRequested",
    "PageClosed",
    "PageCrashed",
    "PageError",
    "PageOpened",
    "PopupRequested",
    "Request",
    "RequestAnswered",
    "RequestFinished",
    "RequestHeld",
    "RequestReleased",
    "RequestStarted",
    "ScreencastFrame",
    "StreamFrame",
    "Timing",
    "WorkerEnded",
    "WorkerStarted",
]


@dataclass(frozen=True)
class Event:
    """Base of everything an engine tells of."""


@dataclass(frozen=True)
class PageOpened(Event):
    """A tab exists now: opened by us, or by a page as a popup."""

    page: Page
    opener: Page | None


@dataclass(frozen=True)
class PopupRequested(Event):
    """A page is opening a tab; PageOpened tells when it is there, if the browser lets it."""

    page: Page
    url: str


@dataclass(frozen=True)
class PageClosed(Event):
    """A tab is gone."""

    page: Page


@dataclass(frozen=True)
class PageCrashed(Event):
    """A tab's renderer died."""

    page: Page


@dataclass(frozen=True)
class FrameAttached(Event):
    """A frame was added to the page."""

    frame: Frame


@dataclass(frozen=True)
class FrameDetached(Event):
    """A frame was removed from the page."""

    frame: Frame


@dataclass(frozen=True)
class NavigationRequested(Event):
    """A frame is about to go elsewhere: a link, a form, a script or a redirect asked for it."""

    frame: Frame
    url: str
    reason: str


@dataclass(frozen=True)
class FrameNavigated(Event):
    """A frame shows another document, or another state of the same one."""

    frame: Frame
    url: str
    same_document: bool


@dataclass(frozen=True)
class LifecycleReached(Event):
    """A document reached `init`, `commit`, `DOMContentLoaded`, `load` or `networkIdle`."""

    frame: Frame
    document: str
    name: str


@dataclass(frozen=True)
class DialogOpened(Event):
    """A JavaScript dialog holds the page."""

    page: Page
    kind: Literal["alert", "confirm", "prompt", "beforeunload"]
    message: str
    default_value: str
    url: str


@dataclass(frozen=True)
class DialogClosed(Event):
    """The dialog was answered."""

    page: Page
    accepted: bool


@dataclass
class Download:
    """A download and how far it is."""

    id: str
    url: str
    filename: str
    state: Literal["running", "completed", "canceled", "failed", "denied"] = "running"
    received: int = 0
    total: int = 0
    began: float = field(default_factory=time.time)
    """Seconds since 1970."""


@dataclass(frozen=True)
class DownloadStarted(Event):
    """A page began a download."""

    download: Download
    page: Page | None


@dataclass(frozen=True)
class DownloadChanged(Event):
    """A download made progress, or ended."""

    download: Download


@dataclass(frozen=True)
class FileChooserOpened(Event):
    """A page asked for files; answer through the chooser, or not at all."""

    page: Page
    chooser: FileChooser


@dataclass(frozen=True)
class ConsoleMessage(Event):
    """A line a page or worker wrote to its console."""

    level: str
    text: str
    url: str
    line: int
    at: float
    source: str = "page"
    top_document: str = ""
    """The document that the tab showed when the line came."""


@dataclass(frozen=True)
class PageError(Event):
    """An exception nobody caught."""

    text: str
    url: str
    line: int
    at: float
    source: str = "page"
    top_document: str = ""
    """The document that the tab showed when it was thrown."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds that each phase of a request took; -1 where there was none."""

    blocked: float
    dns: float
    connect: float
    ssl: float
    send: float
    wait: float


@dataclass(slots=True)
class Request:
    """One request as the network log keeps it."""

    id: str
    url: str
    method: str
    type: str
    started: float
    frame: str = ""
    document: str = ""
    top_document: str = ""
    """The document that the tab showed when it began; a navigation's own is `document`."""
    status: int | None = None
    mime_type: str = ""
    answered: float | None = None
    """When the head of the answer came; a body nobody reads may never end."""
    ended: float | None = None
    bytes: int = 0
    failure: str = ""
    canceled: bool = False
    """Whether the page or the browser gave it up; with an answer by then, that is no failure."""
    request_headers: dict[str, str] = field(default_factory=dict)
    response_headers: dict[str, str] = field(default_factory=dict)
    redirected_to: str = ""
    from_cache: bool = False
    from_service_worker: bool = False
    has_post_data: bool = False
    routed: bool = False
    """Whether a route answered it, and not the network."""
    routed_body: builtins.bytes | None = None
    """What the route answered; the browser keeps no copy."""
    status_text: str = ""
    protocol: str = ""
    server: str = ""
    """The address that answered."""
    server_port: int = 0
    timing: Timing | None = None
    session: str = field(default="", repr=False)


@dataclass(frozen=True)
class RequestStarted(Event):
    """A page or worker began a request."""

    request: Request


@dataclass(frozen=True)
class RequestAnswered(Event):
    """The head of an answer came.

    That is the last that is heard of a `fetch` whose body the page does not read.
    """

    request: Request


@dataclass(frozen=True)
class RequestFinished(Event):
    """A request was answered in full, redirected, or failed."""

    request: Request


@dataclass(frozen=True)
class RequestHeld(Event):
    """A request waits until somebody says whether it may go out."""

    url: str


@dataclass(frozen=True)
class RequestReleased(Event):
    """A request that waited goes out."""

    type: str
    frame: str
    request: Request | None
    """Unknown where the browser has not told of it yet."""


@dataclass(frozen=True)
class StreamFrame(Event):
    """One message of a WebSocket or of a server-sent event stream."""

    kind: Literal["ws", "sse"]
    url: str
    direction: Literal["sent", "received"]
    payload: str
    at: float
    request: str
    opcode: int | None = None
    event: str | None = None
    truncated: bool = False


@dataclass(frozen=True)
class ScreencastFrame(Event):
    """One picture of a running screencast."""

    data: bytes
    at: float
    width: float
    height: float


@dataclass(frozen=True)
class WorkerStarted(Event):
    """A dedicated, shared or service worker runs."""

    worker: Worker


@dataclass(frozen=True)
class WorkerEnded(Event):
    """A worker is gone."""

    worker: Worker


@dataclass(frozen=True)
class LocalStorageChanged(Event):
    """An item of local storage was set; without a value it was removed, without a name all were."""

    key: StorageKey
    name: str | None = None
    value: str | None = None


@dataclass(frozen=True)
class DatabasesChanged(Event):
    """Databases have changed, or it is not known whether they have."""

    key: StorageKey
    certain: bool = True


E = TypeVar("E", bound=Event)
Handler = Callable[[Any], None]


class Events:
    """Passes events to those who asked for their kind, at once and in order."""

    def __init__(self) -> None:
        self._handlers: dict[type[Event], list[Handler]] = {}

    def on(self, kind: type[E], handler: Callable[[E], None]) -> Callable[[], None]:
        """Call `handler` for every event of `kind`; the returned function ends that."""
        handlers = self._handlers.setdefault(kind, [])
        handlers.append(handler)

        def off() -> None:
            if handler in handlers:
                handlers.remove(handler)

        return off

    def wanted(self, kind: type[Event]) -> bool:
        """Whether anybody listens for `kind`."""
        return bool(self._handlers.get(kind))

    def emit(self, event: Event) -> None:
        """Pass `event` on."""
        for handler in tuple(self._handlers.get(type(event), ())):
            handler(event)

    async def wait(
        self,
        kind: type[E],
        *,
        where: Callable[[E], bool] = lambda _: True,
        timeout: float = 30.0,
    ) -> E:
        """Wait for the next event of `kind` that satisfies `where`."""
        future: asyncio.Future[E] = asyncio.get_running_loop().create_future()

        def seen(event: E) -> None:
            if not future.done() and where(event):
                future.set_result(event)

        off = self.on(kind, seen)
        try:
            async with asyncio.timeout(timeout):
                return await future
        except TimeoutError:
            raise DeadlineExceeded(f"no {kind.__name__} within {timeout:g} s") from None
        finally:
            off()
