"""Loading: a new document, until it has what it asks for and shows something to read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from stockade.engines.events import FrameNavigated, Request
from stockade.engines.port import Frame
from stockade.errors import StockadeError
from stockade.page.agent import PageAgent, ask_all

__all__ = ["RESERVE", "Loading"]

LOAD_CAP = 5.0
"""Seconds in which a document that can be read already may go on to load."""
LONGEST_LOOK = 2.0
LATE_START = 0.15
"""Seconds in which a document that asks for nothing may begin to build itself."""
RESERVE = 2.0
"""Seconds before the deadline that are kept for looking at the page."""
_MOST_PENDING = 5
_ENDLESS = frozenset({"WebSocket", "EventSource", "Ping"})


class _Window(Protocol):
    """What is known of an action under way."""

    def requests(self) -> list[Request]:
        """Everything that was asked for since it began."""
        ...

    def frames(self) -> list[Frame]:
        """The frames that answer."""
        ...

    def is_arriving(self) -> bool:
        """Whether a frame is on its way to another document."""
        ...

    async def until(self, predicate: Callable[[], bool], end: float) -> bool:
        """Wait for something; whether it came in time."""
        ...


class Loading:
    """The documents that came since an action began."""

    def __init__(self, agent: PageAgent, window: _Window) -> None:
        self._agent = agent
        self._window = window
        self._frames: dict[str, Frame] = {}
        self._new_page = False
        self._looked = False

    @property
    def is_new_page(self) -> bool:
        """Whether the tab itself has gone to another document."""
        return self._new_page

    def note(self, event: FrameNavigated) -> None:
        """A frame has another document."""
        self._frames[event.frame.id] = event.frame
        if event.frame.parent is None:
            self._new_page = True

    def unloaded(self) -> list[Frame]:
        """Frames whose document has not loaded all it asks for."""
        for frame_id, frame in tuple(self._frames.items()):
            if frame.detached or frame.reached("load"):
                del self._frames[frame_id]
        return list(self._frames.values())

    async def load(self, deadline: float) -> tuple[str, ...]:
        """Wait for documents to load; the answer is what they still wait for.

        One that has neither script nor frame is complete without its pictures. One that shows
        something to read is given a while, one that shows nothing all the time there is.
        """
        loop = asyncio.get_running_loop()
        states = await self._states(self.unloaded())
        if all(isinstance(each, dict) and not each["builds"] for each in states):
            self._frames.clear()
            return ()

        def is_over() -> bool:
            return not self.unloaded() or self._window.is_arriving()

        loaded = await self._window.until(is_over, min(loop.time() + LOAD_CAP, deadline))
        if not loaded and not await self._has_content():
            loaded = await self._window.until(is_over, deadline - RESERVE)
        if loaded:
            return ()
        self._frames.clear()
        return self._unanswered() or ("load",)

    async def first_content(self, end: float) -> bool:
        """Wait for a new page to show something, once; whether it then did.

        One that has asked for nothing but itself is not given long.
        """
        if self._looked or not self._new_page:
            return False
        self._looked = True
        loop = asyncio.get_running_loop()
        if await self._has_content():
            return False
        if all(request.type == "Document" for request in self._window.requests()):
            end = min(end, loop.time() + LATE_START)
        left = max(end - loop.time(), 0.0)
        (report,) = await ask_all(
            [self._agent.page.main_frame],
            lambda frame: self._agent.call(
                frame, "first_content", cap=left * 1000, timeout=left + 1.0
            ),
        )
        return isinstance(report, dict) and bool(report["content"])

    async def is_blank(self, deadline: float) -> bool:
        """Whether a new page shows nothing yet, and there is time to wait for it."""
        in_time = asyncio.get_running_loop().time() < deadline - RESERVE
        return self._new_page and in_time and not await self._has_content()

    async def _has_content(self) -> bool:
        """Whether any frame shows something to read or to act on."""
        states = await self._states(self._window.frames())
        return any(isinstance(each, dict) and each["content"] for each in states)

    async def _states(self, frames: list[Frame]) -> list[dict[str, Any] | StockadeError]:
        return await ask_all(
            frames,
            lambda frame: self._agent.call(frame, "document_state", timeout=LONGEST_LOOK),
        )

    def _unanswered(self) -> tuple[str, ...]:
        """What was asked for and is not there yet."""
        return tuple(
            f"{request.method} {request.url}"
            for request in self._window.requests()
            if request.ended is None and request.type not in _ENDLESS
        )[:_MOST_PENDING]
