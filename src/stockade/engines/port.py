"""The engine port: what every engine offers to the rooms above it.

It is low-level on purpose. Snapshots, refs, actions and settling are built once on top of it,
so an engine only has to move bytes: documents, script worlds, input, pictures, events.
Every method that talks to the browser ends by its `timeout` with a result or a typed error.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, Protocol

from stockade.engines.devices import Keyboard, Mouse, Touch
from stockade.engines.events import (
    ConsoleMessage,
    DialogOpened,
    Download,
    Events,
    PageError,
    Request,
    ScreencastFrame,
    StreamFrame,
)
from stockade.engines.inside import (
    DevTools,
    Extensions,
    FileChooser,
    Frame,
    Handle,
    Storeroom,
    Worker,
)
from stockade.engines.routing import Gate, Route
from stockade.engines.values import (
    DEADLINE,
    Box,
    ContextOptions,
    Cookie,
    Credentials,
    Emulation,
    HistoryEntry,
    InitScript,
    LaunchOptions,
    Navigation,
    PdfOptions,
    ScreenshotOptions,
    StorageKey,
    Until,
)

__all__ = [
    "DEADLINE",
    "Browser",
    "Context",
    "DevTools",
    "Engine",
    "Extensions",
    "FileChooser",
    "Frame",
    "Handle",
    "Keyboard",
    "Mouse",
    "Page",
    "Storeroom",
    "Touch",
    "Worker",
]


class Engine(Protocol):
    """Starts browsers."""

    async def launch(self, options: LaunchOptions) -> Browser:
        """Start a browser process."""

    async def attach(self, address: str, *, timeout: float) -> Browser:
        """Join a browser that somebody else started; it is never ended by us."""


class Browser(Protocol):
    """A running browser process."""

    events: Events
    """PageOpened, PageClosed, PageCrashed, DownloadStarted, DownloadChanged of all contexts."""

    @property
    def product(self) -> str:
        """Name and version as the browser itself says."""

    @property
    def pid(self) -> int:
        """The process."""

    @property
    def alive(self) -> bool:
        """Whether it still answers."""

    @property
    def answers(self) -> int:
        """How many commands it has answered so far."""

    async def new_context(self, options: ContextOptions, *, timeout: float = DEADLINE) -> Context:
        """Make an isolated state: no cookie, storage or cache is shared with another."""

    async def own_context(self, options: ContextOptions, *, timeout: float = DEADLINE) -> Context:
        """The state that the browser has by itself, with the tabs there are in it."""

    @property
    def extensions(self) -> Extensions:
        """The extensions of that state."""

    async def ping(self, *, timeout: float = DEADLINE) -> None:
        """Make one real round trip."""

    @property
    def devtools(self) -> DevTools:
        """The whole browser in its own words; what is said there concerns every context."""

    async def wait_gone(self) -> None:
        """Wait until the process has ended, for whatever reason."""

    async def close(self, *, grace: float = 3.0) -> None:
        """End the process and everything it started; after `grace` seconds it is killed."""


class Context(Protocol):
    """One isolated browser state with its tabs."""

    events: Events
    """PageOpened, PageClosed, PageCrashed, DownloadStarted, DownloadChanged, WorkerStarted,
    WorkerEnded of this context; console and network of its shared and service workers; where
    that is wanted LocalStorageChanged and DatabasesChanged."""

    @property
    def id(self) -> str:
        """Names the context within its browser."""

    @property
    def browser(self) -> Browser:
        """The browser it lives in."""

    @property
    def pages(self) -> Sequence[Page]:
        """Its open tabs, oldest first."""

    @property
    def workers(self) -> Sequence[Worker]:
        """Its shared and service workers, and the dedicated workers of its pages."""

    @property
    def requests(self) -> Sequence[Request]:
        """The last requests of shared and service workers, which belong to no tab."""

    @property
    def stream_frames(self) -> Sequence[StreamFrame]:
        """The last WebSocket and server-sent messages of shared and service workers."""

    @property
    def console(self) -> Sequence[ConsoleMessage]:
        """The last console lines of shared and service workers."""

    @property
    def errors(self) -> Sequence[PageError]:
        """The last uncaught exceptions of shared and service workers."""

    async def response_body(self, request_id: str, *, timeout: float = DEADLINE) -> bytes:
        """The body of an answered request of theirs, while the browser still has it."""

    async def request_body(self, request_id: str, *, timeout: float = DEADLINE) -> bytes:
        """The body a request of theirs was sent with."""

    @property
    def downloads(self) -> Sequence[Download]:
        """The downloads of this context, oldest first."""

    async def new_page(self, *, timeout: float = DEADLINE) -> Page:
        """Open an empty tab."""

    async def add_script(
        self, script: InitScript, *, timeout: float = DEADLINE
    ) -> Callable[[], Awaitable[None]]:
        """Run a script at the start of every document, and in those there are now.

        What is returned takes it away again, for documents to come.
        """

    async def add_worker_script(
        self, source: str, heard: Callable[[Worker, str], None], *, timeout: float = DEADLINE
    ) -> Callable[[], Awaitable[None]]:
        """Run a function at the start of every worker, and in those there are now.

        It is given a function; `heard` is told each text that is passed to that. It may use
        `getEventListeners`. What is returned takes it away again, for workers to come.
        """

    async def set_routes(self, routes: Sequence[Route], *, timeout: float = DEADLINE) -> None:
        """Answer requests by these routes, the first that answers first; not WebSockets."""

    async def set_gate(self, gate: Gate | None, *, timeout: float = DEADLINE) -> None:
        """Ask `gate` about every request before it goes out, but for what a route answers."""

    async def clipboard_text(self, *, timeout: float = DEADLINE) -> str:
        """The text that pasting would give; what other contexts copied is never in it."""

    @property
    def emulation(self) -> Emulation:
        """What a tab that opens now is told about the device."""

    async def emulate(self, emulation: Emulation, *, timeout: float = DEADLINE) -> None:
        """Change what every tab is told about the device, those to come included.

        A value that the browser refuses changes nothing anywhere.
        """

    async def cookies(
        self, urls: Sequence[str] = (), *, timeout: float = DEADLINE
    ) -> Sequence[Cookie]:
        """The cookies that `urls` would be sent, or all."""

    async def set_cookies(self, cookies: Sequence[Cookie], *, timeout: float = DEADLINE) -> None:
        """Add or replace cookies."""

    async def delete_cookies(
        self,
        name: str,
        *,
        url: str | None = None,
        domain: str | None = None,
        path: str | None = None,
        timeout: float = DEADLINE,
    ) -> None:
        """Delete the cookies of that name."""

    async def clear_cookies(self, *, timeout: float = DEADLINE) -> None:
        """Delete all cookies."""

    async def cookie_jar(self, *, timeout: float = DEADLINE) -> bytes:
        """All cookies with everything the browser knows of them, in a form of its own.

        As long as no cookie changes, the answer stays the same; it is empty when there are none.
        """

    async def fill_cookie_jar(self, jar: bytes, *, timeout: float = DEADLINE) -> Sequence[str]:
        """Put back what `cookie_jar` gave, but for what has expired.

        The answer names those that the browser did not take.
        """

    async def clear_storage(self, origin: str, *, timeout: float = DEADLINE) -> None:
        """Delete everything `origin` has stored: storage, databases, caches, workers."""

    @property
    def origins(self) -> Sequence[str]:
        """The web origins whose documents it has shown, as far as it remembers, latest last."""

    async def storage_places(self, *, timeout: float = DEADLINE) -> Sequence[StorageKey]:
        """Where something is stored, or may be, as far as that is known.

        Of frames below another site those that are shown now, and where storage is watched, all.
        """

    def expect_storage(self, key: StorageKey) -> None:
        """Something is stored under that key: its changes are told from the first tab on."""

    def frame_storing(self, key: StorageKey) -> Frame | None:
        """A frame that uses that storage now and can be asked, where storage is watched."""

    def storeroom(self, *, timeout: float = DEADLINE) -> AbstractAsyncContextManager[Storeroom]:
        """A way to the storage of any origin that opens no tab and asks no server."""

    async def grant_permissions(
        self, permissions: Sequence[str], *, origin: str | None = None, timeout: float = DEADLINE
    ) -> None:
        """Let pages of `origin` (or all) use the permissions, by their web names."""

    async def set_permission(
        self,
        permission: str,
        state: Literal["granted", "denied", "prompt"],
        *,
        origin: str | None = None,
        timeout: float = DEADLINE,
    ) -> None:
        """Set one permission."""

    async def reset_permissions(self, *, timeout: float = DEADLINE) -> None:
        """Forget every granted or denied permission."""

    async def cancel_download(self, id: str, *, timeout: float = DEADLINE) -> None:
        """Stop a running download."""

    async def close(self, *, timeout: float = DEADLINE) -> None:
        """Close its tabs and forget its state."""


class Page(Protocol):
    """A tab."""

    events: Events
    """All that happens in the tab: frames, navigation, dialogs, console, network, ..."""

    @property
    def mouse(self) -> Mouse:
        """Its mouse."""

    @property
    def keyboard(self) -> Keyboard:
        """Its keyboard."""

    @property
    def touch(self) -> Touch:
        """Its touch screen."""

    @property
    def id(self) -> str:
        """Names the tab within its browser."""

    @property
    def context(self) -> Context:
        """The state it belongs to."""

    @property
    def opener(self) -> Page | None:
        """The tab that opened it, if a page did."""

    @property
    def main_frame(self) -> Frame:
        """The top frame."""

    @property
    def frames(self) -> Sequence[Frame]:
        """All frames, parents before children."""

    @property
    def dialog(self) -> DialogOpened | None:
        """The dialog that holds the page now."""

    @property
    def closed(self) -> bool:
        """Whether the tab is gone."""

    @property
    def crashed(self) -> bool:
        """Whether its renderer died; a navigation gives it a new one."""

    @property
    def workers(self) -> Sequence[Worker]:
        """The dedicated workers of this page."""

    @property
    def devtools(self) -> Sequence[DevTools]:
        """The tab in its browser's own words: itself first, then frames in other processes."""

    def probe(
        self,
        watch: Callable[[DevTools], None],
        commands: Sequence[tuple[str, Mapping[str, Any]]],
    ) -> Callable[[], None]:
        """Let an instrument follow the tab into every process it runs in, now and to come.

        `watch` is given each conversation before `commands` are sent there, and those come before
        the first line of a new frame. What is returned ends that for processes to come.
        """

    async def navigate(
        self,
        url: str,
        *,
        until: Until = "domcontentloaded",
        referrer: str | None = None,
        timeout: float = DEADLINE,
    ) -> Navigation:
        """Load `url` in the main frame."""

    async def reload(
        self,
        *,
        until: Until = "domcontentloaded",
        ignore_cache: bool = False,
        timeout: float = DEADLINE,
    ) -> Navigation:
        """Load the present document again."""

    async def go(
        self, delta: int, *, until: Until = "domcontentloaded", timeout: float = DEADLINE
    ) -> Navigation | None:
        """Move in the history; `None` when there is no such entry."""

    async def history(self, *, timeout: float = DEADLINE) -> Sequence[HistoryEntry]:
        """The tab's history."""

    async def stop_loading(self, *, timeout: float = DEADLINE) -> None:
        """Stop what is being loaded."""

    async def title(self, *, timeout: float = DEADLINE) -> str:
        """The document's title."""

    async def set_content(
        self, html: str, *, until: Until = "load", timeout: float = DEADLINE
    ) -> None:
        """Replace the document's content."""

    async def activate(self, *, timeout: float = DEADLINE) -> None:
        """Bring the tab to the front."""

    async def screenshot(
        self, options: ScreenshotOptions | None = None, *, timeout: float = DEADLINE
    ) -> bytes:
        """A picture of the tab."""

    async def pictured_area(self, options: ScreenshotOptions, *, timeout: float = DEADLINE) -> Box:
        """The part of the document that such a picture shows."""

    async def pdf(self, options: PdfOptions | None = None, *, timeout: float = DEADLINE) -> bytes:
        """The page as printed."""

    async def start_screencast(
        self,
        *,
        format: Literal["jpeg", "png"] = "jpeg",
        quality: int = 70,
        max_width: int = 1280,
        max_height: int = 720,
        every_nth_frame: int = 1,
        timeout: float = DEADLINE,
    ) -> None:
        """Send a ScreencastFrame whenever the page paints."""

    async def stop_screencast(self, *, timeout: float = DEADLINE) -> None:
        """End the screencast."""

    @property
    def screencast_frame(self) -> ScreencastFrame | None:
        """The last picture of the running screencast; a page that stands still sends no other."""

    async def answer_dialog(
        self, *, accept: bool, text: str | None = None, cut: bool = False, timeout: float = DEADLINE
    ) -> None:
        """Answer the open dialog; with `cut` the script that opened it is ended."""

    async def emulate(self, emulation: Emulation, *, timeout: float = DEADLINE) -> None:
        """Change what the page is told about the device; only what differs is sent."""

    @property
    def emulation(self) -> Emulation:
        """What the page is told about the device."""

    async def set_headers(self, headers: Mapping[str, str], *, timeout: float = DEADLINE) -> None:
        """Send these headers with every request of the tab."""

    async def set_credentials(
        self, credentials: Credentials | None, *, timeout: float = DEADLINE
    ) -> None:
        """Answer HTTP authentication challenges."""

    async def freeze(self, *, timeout: float = DEADLINE) -> None:
        """Stop timers and painting; any later call thaws the tab first."""

    async def thaw(self, *, timeout: float = DEADLINE) -> None:
        """Let a frozen tab go on."""

    @property
    def frozen(self) -> bool:
        """Whether the tab is frozen."""

    async def hide(self, *, timeout: float = DEADLINE) -> None:
        """Put the tab in the background: the page is told, and no longer paints."""

    async def show(self, *, timeout: float = DEADLINE) -> None:
        """Bring a tab that was hidden to the foreground again."""

    @property
    def hidden(self) -> bool:
        """Whether the tab was put in the background."""

    @property
    def console(self) -> Sequence[ConsoleMessage]:
        """The last console lines, oldest first."""

    @property
    def errors(self) -> Sequence[PageError]:
        """The last uncaught exceptions, oldest first."""

    @property
    def requests(self) -> Sequence[Request]:
        """The last requests, oldest first."""

    @property
    def stream_frames(self) -> Sequence[StreamFrame]:
        """The last WebSocket and server-sent messages, oldest first."""

    async def response_body(self, request_id: str, *, timeout: float = DEADLINE) -> bytes:
        """The body of an answered request, while the browser still has it."""

    async def request_body(self, request_id: str, *, timeout: float = DEADLINE) -> bytes:
        """The body a request was sent with."""

    async def close(self, *, run_unload: bool = False, timeout: float = DEADLINE) -> None:
        """Close the tab."""
