"""What lives in a page, as engines offer it: frames, handles, file choosers, workers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from stockade.engines.geometry import Quad
from stockade.engines.values import DEADLINE, ExtensionInfo, StorageKey, World

if TYPE_CHECKING:
    from stockade.engines.port import Page

__all__ = ["DevTools", "Extensions", "FileChooser", "Frame", "Handle", "Storeroom", "Worker"]


class Frame(Protocol):
    """A frame of a page, in whatever process it runs."""

    @property
    def id(self) -> str:
        """Names the frame for its whole life, across documents and processes."""

    @property
    def page(self) -> Page:
        """The tab it belongs to."""

    @property
    def parent(self) -> Frame | None:
        """The frame around it."""

    @property
    def children(self) -> Sequence[Frame]:
        """The frames in it."""

    @property
    def url(self) -> str:
        """The document's address."""

    @property
    def origin(self) -> str:
        """The document's security origin, `null` when opaque."""

    @property
    def name(self) -> str:
        """The frame's name."""

    @property
    def document(self) -> str:
        """Names the present document; changes with every new one."""

    @property
    def unreachable(self) -> str:
        """The address that could not be loaded, where the document only says so."""

    @property
    def detached(self) -> bool:
        """Whether it has been removed."""

    @property
    def storage_key(self) -> StorageKey | None:
        """Whose storage its document uses, where storage is watched."""

    def reached(self, name: str) -> bool:
        """Whether the present document has reached that lifecycle point."""

    async def call(
        self,
        function: str,
        *arguments: Any,
        world: World = World.AGENT,
        timeout: float = DEADLINE,
    ) -> Any:
        """Call a JavaScript function with JSON arguments; promises are awaited."""

    async def call_handle(
        self,
        function: str,
        *arguments: Any,
        world: World = World.AGENT,
        timeout: float = DEADLINE,
    ) -> Handle:
        """The same, but keep the answer in the page and return a handle to it."""

    async def evaluate(
        self,
        source: str,
        convert: str,
        *arguments: Any,
        element: Handle | None = None,
        timeout: float = DEADLINE,
    ) -> Any:
        """Run code as a person types it into a console: an expression or statements.

        It runs in the page's own world, and promises are awaited. What comes out is what the
        function `convert` makes of the value and the `arguments`. With an element, the code knows
        it as `element`.
        """

    async def call_with_listeners(
        self,
        function: str,
        types: Collection[str],
        *,
        roots: Sequence[Handle] | None = None,
        timeout: float = DEADLINE,
    ) -> int:
        """Call a function in the agent's world with the elements that listen to one of `types`.

        Without `roots` these are elements of the document, else of those shadow roots.

        Only those are given that were not before, in the same document. The answer says how many.
        """

    async def stop_script(self, *, navigation: bool = False) -> bool:
        """End the script that keeps the frame from answering; whether there was one.

        A frame that waits for its next document does not answer either. It is left to that, or,
        with `navigation`, made to stay where it is.
        """

    async def owner(self, *, timeout: float = DEADLINE) -> Handle:
        """The frame element, as a handle in the parent frame's agent world."""

    async def owner_quad(self, *, timeout: float = DEADLINE) -> Quad:
        """Where this frame's viewport lies in its parent's, any transform included."""


class Handle(Protocol):
    """Something that lives in a frame's script world."""

    @property
    def frame(self) -> Frame:
        """The frame whose world it lives in."""

    async def call(self, function: str, *arguments: Any, timeout: float = DEADLINE) -> Any:
        """Call a function with this object as `this` and JSON arguments."""

    async def items(self, *, timeout: float = DEADLINE) -> Sequence[Handle]:
        """The elements of an array, as handles."""

    async def instances(self, *, timeout: float = DEADLINE) -> Handle:
        """All live objects whose prototype this is, as a handle to an array."""

    async def closed_shadow_root(self, *, timeout: float = DEADLINE) -> Handle | None:
        """The closed shadow root of this element, as a handle in the same world."""

    async def content_frame(self, *, timeout: float = DEADLINE) -> Frame | None:
        """The frame inside this frame element."""

    async def set_files(self, paths: Sequence[str], *, timeout: float = DEADLINE) -> None:
        """Put files, named as the browser sees them, into this file input."""

    async def dispose(self) -> None:
        """Let the page forget it."""


class FileChooser(Protocol):
    """A page's open request for files."""

    @property
    def multiple(self) -> bool:
        """Whether more than one file may be given."""

    @property
    def frame(self) -> Frame:
        """The frame that asked."""

    async def set_files(self, paths: Sequence[str], *, timeout: float = DEADLINE) -> None:
        """Give files, named as the browser sees them; none at all cancels."""

    async def cancel(self, *, timeout: float = DEADLINE) -> None:
        """Tell the page that nothing was chosen."""


class Worker(Protocol):
    """A dedicated, shared or service worker."""

    @property
    def id(self) -> str:
        """Names the worker within its browser."""

    @property
    def kind(self) -> Literal["worker", "shared_worker", "service_worker"]:
        """What sort of worker it is."""

    @property
    def url(self) -> str:
        """Its script."""

    async def call(self, function: str, *arguments: Any, timeout: float = DEADLINE) -> Any:
        """Call a function in the worker."""

    @property
    def devtools(self) -> DevTools:
        """The worker in its browser's own words."""


class Extensions(Protocol):
    """The extensions of a browser's own state."""

    async def load(self, path: str, *, timeout: float = DEADLINE) -> str:
        """Load the extension in that directory, anew if it is loaded already; its id."""

    async def all(self, *, timeout: float = DEADLINE) -> Sequence[ExtensionInfo]:
        """Those that are loaded."""

    async def remove(self, id: str, *, timeout: float = DEADLINE) -> None:
        """Take one away."""

    async def press(self, id: str, page: Page, *, timeout: float = DEADLINE) -> None:
        """Press the button of an extension while `page` is shown."""


class Storeroom(Protocol):
    """A way to the storage of origins, through empty documents that no server is asked for."""

    async def call(
        self,
        place: str | StorageKey,
        function: str,
        *arguments: Any,
        timeout: float = DEADLINE,
    ) -> Any:
        """Call a function in a document of that place; an origin is a place by itself."""

    async def clear(self, place: str | StorageKey, *, timeout: float = DEADLINE) -> None:
        """Delete everything that is stored in a place but cookies."""


class DevTools(Protocol):
    """A conversation in Chromium's own protocol, for what only Chromium can do."""

    async def send(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float = DEADLINE
    ) -> dict[str, Any]:
        """Send a command and wait for its answer."""

    def on(self, method: str, handler: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        """Call `handler` with every such event until the returned function is called."""
