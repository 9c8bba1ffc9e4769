"""The Python face of the page agent: calls into each frame's script, and refs across frames."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, Final

import msgspec

from stockade.engines.events import FrameDetached
from stockade.engines.port import DEADLINE, Frame, Handle, Page
from stockade.engines.values import InitScript
from stockade.errors import (
    EngineError,
    InvalidArgument,
    NotActionable,
    ProtocolFault,
    SecretRefused,
    StaleRef,
    StockadeError,
    TargetAmbiguous,
    TargetChanged,
    TargetNotFound,
)
from stockade.page import bundle
from stockade.page.scripts import script
from stockade.page.traffic import Traffic
from stockade.page.vetting import MOST_LOOKS, UNVETTED, Vetting

__all__ = ["PageAgent", "ask_all", "init_script"]

_HERE: Final = "globalThis.stockade && globalThis.stockade.document === document"
_CALL: Final = f"(name, args) => {_HERE} ? globalThis.stockade.call(name, args) : null"
_HEAR: Final = f"(...elements) => {{ if ({_HERE}) globalThis.stockade.hear(elements); }}"
_GROWN_ROOTS: Final = f"() => {_HERE} ? globalThis.stockade.grownRoots() : []"
_CLICKS: Final = frozenset(
    {"click", "dblclick"}
    | {f"{kind}{phase}" for kind in ("mouse", "pointer") for phase in ("down", "up")}
    | {"touchstart", "touchend"}
)
_REF: Final = re.compile(r"(?:f(\d{1,9}))?e(\d{1,9})")

_ERRORS: Final[dict[str, type[StockadeError]]] = {
    kind.code: kind
    for kind in (
        InvalidArgument,
        NotActionable,
        SecretRefused,
        StaleRef,
        TargetAmbiguous,
        TargetChanged,
        TargetNotFound,
    )
}


class _Failure(msgspec.Struct):
    code: str
    message: str
    details: dict[str, Any] = {}


class _Answer(msgspec.Struct):
    ok: Any = None
    next: int = 1
    error: _Failure | None = None


_decode = msgspec.json.Decoder(_Answer).decode


@cache
def _sent(names: str) -> str:
    """A call that brings its code along: the first script, which is given the others."""
    first, *others = (f"({script(name.removesuffix('.js'))}\n)" for name in names.split())
    given = ", ".join(("given", *others))
    return (
        f"(_, args) => {_HERE} ? globalThis.stockade.run((given) => {first}({given}), args) : null"
    )


def init_script(*, attended: bool = False) -> InitScript:
    """What a context needs so that the agent is in every document from its start."""
    return InitScript(bundle.source(attended=attended))


class PageAgent:
    """One tab as the agent sees it.

    Refs read `e3` in the main frame and `f2e3` in others. Frame numbers and element numbers rise
    for the life of the tab, so neither is ever given twice.
    """

    def __init__(self, page: Page, *, attended: bool = False) -> None:
        self.page = page
        self._attended = attended
        self.traffic = Traffic(page)
        self.vetting: Vetting | None = None
        """Keeps what callers compare with content from telling secrets."""
        self._frame_numbers: dict[str, int] = {}
        self._frames: dict[int, Frame] = {}
        self._bases: dict[str, int] = {}
        self._owners: dict[str, tuple[str, int]] = {}
        page.events.on(FrameDetached, self._detached)

    def _detached(self, event: FrameDetached) -> None:
        number = self._frame_numbers.pop(event.frame.id, None)
        if number is not None:
            self._frames.pop(number, None)
        self._bases.pop(event.frame.id, None)
        self._owners.pop(event.frame.id, None)

    # --- frames and refs ------------------------------------------------------------------------

    def frames(self) -> list[Frame]:
        """All frames, parents before children."""
        return list(self.page.frames)

    def prefix(self, frame: Frame) -> str:
        """What refs of `frame` begin with."""
        if frame.parent is None:
            return ""
        number = self._frame_numbers.get(frame.id)
        if number is None:
            number = self._last_frame_number = self._last_frame_number + 1
            self._frame_numbers[frame.id] = number
            self._frames[number] = frame
        return f"f{number}"

    _last_frame_number = 0

    def locate(self, ref: str) -> tuple[Frame, int]:
        """Take a ref apart: its frame, and the element's number there."""
        parts = _REF.fullmatch(ref.strip())
        if parts is None:
            raise InvalidArgument(
                f"{ref!r} is not a ref", hint="Refs read e12, or f2e12 inside a frame."
            )
        number = int(parts[2])
        if parts[1] is None:
            return self.page.main_frame, number
        frame = self._frames.get(int(parts[1]))
        if frame is None or frame.detached:
            raise StaleRef(f"the frame of {ref} is gone", ref=ref)
        return frame, number

    # --- calls ----------------------------------------------------------------------------------

    async def call(
        self, frame: Frame, method: str, *, timeout: float = DEADLINE, **arguments: Any
    ) -> Any:
        """Call a method of the agent in `frame`, putting the agent there first if it is absent.

        `outline.js parts.js` is a method in scripts of that name, which are sent with the call.
        """
        function = _sent(method) if method.endswith(".js") else _CALL
        prefix = self.prefix(frame)
        arguments["base"] = self._bases.get(frame.id, 1)
        arguments["prefix"] = prefix
        vetting = self.vetting
        if vetting is not None and (told := vetting.start(method)):
            arguments["vetting"] = told
        answer = await self._ask(frame, function, method, arguments, timeout)
        for looks in range(1, MOST_LOOKS):
            if vetting is None or answer.error is None or answer.error.code != UNVETTED:
                break
            told = await vetting.look(answer.error.details, last=looks == MOST_LOOKS - 1)
            arguments["vetting"] = told
            answer = await self._ask(frame, function, method, arguments, timeout)
        if answer.error is not None:
            raise _error(answer.error, prefix)
        self._bases[frame.id] = max(answer.next, self._bases.get(frame.id, 1))
        return answer.ok

    async def _ask(
        self, frame: Frame, function: str, method: str, arguments: dict[str, Any], timeout: float
    ) -> _Answer:
        raw = await frame.call(function, method, arguments, timeout=timeout)
        if raw is None:
            source = bundle.source(attended=self._attended)
            await frame.call(f"() => {{ {source} }}", timeout=timeout)
            raw = await frame.call(function, method, arguments, timeout=timeout)
        if not isinstance(raw, str):
            raise ProtocolFault(f"the page agent did not answer {method}")
        return _decode(raw.encode("utf-8", "replace"))

    async def element(self, frame: Frame, number: int, *, timeout: float = DEADLINE) -> Handle:
        """A handle to the element with that number."""
        return await frame.call_handle(
            "number => globalThis.stockade.element(number)", number, timeout=timeout
        )

    async def child_frame(
        self, frame: Frame, number: int, *, timeout: float = DEADLINE
    ) -> Frame | None:
        """The frame inside the frame element with that number."""
        for child in frame.children:
            if self._owners.get(child.id) == (frame.document, number):
                return child
        handle = await self.element(frame, number, timeout=timeout)
        child_of_element = await handle.content_frame(timeout=timeout)
        await handle.dispose()
        if child_of_element is not None:
            self._owners[child_of_element.id] = (frame.document, number)
        return child_of_element

    async def owner_number(self, frame: Frame, *, timeout: float = DEADLINE) -> int:
        """The number, in the parent, of the element that holds `frame`."""
        parent = frame.parent
        if parent is None:
            raise InvalidArgument("the main frame has no owner")
        document, number = self._owners.get(frame.id, ("", 0))
        if document == parent.document:
            return number
        # Wakes the agent where it is absent, and tells it which numbers are free.
        await self.call(parent, "arm", timeout=timeout)
        handle = await frame.owner(timeout=timeout)
        number = int(
            await handle.call(
                "function () { return globalThis.stockade.modules.Refs.of(this); }",
                timeout=timeout,
            )
        )
        await handle.dispose()
        self._owners[frame.id] = (parent.document, number)
        self._bases[parent.id] = max(number + 1, self._bases.get(parent.id, 1))
        return number

    async def hear_listeners(self, frame: Frame, *, timeout: float = DEADLINE) -> None:
        """Tell the agent which elements the page's scripts listen to clicks on."""
        try:
            await frame.call_with_listeners(_HEAR, _CLICKS, timeout=timeout)
        except EngineError:
            return  # the document went away: the call that follows says so, or sees the next one

    async def hear_shadow_listeners(self, frame: Frame, *, timeout: float = DEADLINE) -> int:
        """The same of shadow roots that are new or have grown; how many elements there were."""
        try:
            grown = await frame.call_handle(_GROWN_ROOTS, timeout=timeout)
            roots = await grown.items(timeout=timeout)
            found = await frame.call_with_listeners(_HEAR, _CLICKS, roots=roots, timeout=timeout)
            await asyncio.gather(grown.dispose(), *(root.dispose() for root in roots))
        except EngineError:
            return 0
        return found

    async def adopt_closed_roots(self, frame: Frame, *, timeout: float = DEADLINE) -> int:
        """Hand the agent the closed shadow roots it suspects; the answer is how many there were."""
        suspects = await frame.call_handle("() => globalThis.stockade.suspects()", timeout=timeout)
        hosts = await suspects.items(timeout=timeout)

        async def adopt(host: Handle) -> bool:
            root = await host.closed_shadow_root(timeout=timeout)
            if root is not None:
                await host.call(
                    "function (root) { globalThis.stockade.adopt(this, root); }",
                    root,
                    timeout=timeout,
                )
                await root.dispose()
            await host.dispose()
            return root is not None

        found = await asyncio.gather(*(adopt(host) for host in hosts))
        await suspects.dispose()
        return sum(found)


def _error(failure: _Failure, prefix: str) -> StockadeError:
    details = failure.details
    if isinstance(details.get("ref"), int):
        details["ref"] = f"{prefix}e{details['ref']}"
    if replacement := details.pop("replacement", 0):
        failure.message += f"; {prefix}e{replacement} was put in its place"
    kind = _ERRORS.get(failure.code)
    if kind is None:
        if failure.code == "agent_fault":
            return ProtocolFault(f"the page agent failed: {failure.message}", **details)
        return InvalidArgument(failure.message, reason=failure.code, **details)
    if details.pop("touched", False):
        details["retryable"] = False
    return kind(failure.message, **details)


async def ask_all(
    frames: list[Frame], ask: Callable[[Frame], Awaitable[Any]]
) -> list[dict[str, Any] | StockadeError]:
    """Ask every frame at once; one that cannot answer gives its error."""

    async def one(frame: Frame) -> dict[str, Any] | StockadeError:
        try:
            answer: dict[str, Any] = await ask(frame)
        except StockadeError as error:
            return error
        return answer

    if len(frames) == 1:
        return [await one(frames[0])]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(frame)) for frame in frames]
    return [task.result() for task in tasks]
