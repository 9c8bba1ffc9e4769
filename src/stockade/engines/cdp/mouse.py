"""The mouse of a tab."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from stockade.engines.cdp.connection import Command
from stockade.engines.cdp.keys import MODIFIERS, key_named
from stockade.engines.port import DEADLINE
from stockade.engines.values import MouseButton, Point

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["ChromiumMouse"]

_BUTTON_BITS: dict[str, int] = {"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}


class _DragIntercepted(msgspec.Struct):
    data: msgspec.Raw


class ChromiumMouse:
    """Moves, presses and turns, in root coordinates; frames below are reached by themselves."""

    def __init__(self, page: ChromiumPage) -> None:
        self._page = page
        self._pressed = 0
        self._dragged: msgspec.Raw | None = None
        self._entered = False
        self.position = Point(0, 0)
        page.session.on("Input.dragIntercepted", self._drag_started, _DragIntercepted)

    async def move(self, point: Point, *, steps: int = 1, timeout: float = DEADLINE) -> None:
        """Move to `point`, in `steps` equal parts."""
        start = self.position
        for step in range(1, steps + 1):
            part = step / steps
            # One at a time: moves written together reach the page as one.
            await self._step(
                Point(start.x + (point.x - start.x) * part, start.y + (point.y - start.y) * part),
                timeout,
            )

    async def down(
        self, button: MouseButton = "left", *, count: int = 1, timeout: float = DEADLINE
    ) -> None:
        """Press a button here.

        A page that starts an HTML drag would hand it to the window system, which there is not;
        so until the button is up the drag is intercepted, and its events are sent by us.
        """
        await self._page.ready(timeout=timeout)
        if button == "left":
            self._dragged = None
            await self._page.session.send(
                "Input.setInterceptDrags", {"enabled": True}, timeout=timeout
            )
        await self._send([self._button("mousePressed", button, count)], timeout)

    async def up(
        self, button: MouseButton = "left", *, count: int = 1, timeout: float = DEADLINE
    ) -> None:
        """Release a button here; what is being dragged is dropped."""
        try:
            if button == "left" and self._dragged is not None:
                await self._drag_event("drop", self.position, self._dragged, timeout)
            await self._send([self._button("mouseReleased", button, count)], timeout)
        finally:
            if button == "left":
                self._dragged = None
                self._page.session.post(("Input.setInterceptDrags", {"enabled": False}))

    async def click(
        self,
        point: Point,
        *,
        button: MouseButton = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        timeout: float = DEADLINE,
    ) -> None:
        """Move, press and release, `count` times, written in one go."""
        bits = sum({MODIFIERS[key_named(name).key] for name in modifiers})
        commands = [self._moved(point, bits)]
        for number in range(1, count + 1):
            commands.append(self._button("mousePressed", button, number, bits))
            commands.append(self._button("mouseReleased", button, number, bits))
        await self._send(commands, timeout)

    async def wheel(
        self, point: Point, *, dx: float = 0, dy: float = 0, timeout: float = DEADLINE
    ) -> None:
        """Turn the wheel over `point`."""
        self.position = point
        await self._send(
            [
                (
                    "Input.dispatchMouseEvent",
                    self._event("mouseWheel") | {"deltaX": dx, "deltaY": dy},
                )
            ],
            timeout,
        )

    async def drag_files(
        self,
        kind: Literal["enter", "over", "drop", "cancel"],
        point: Point,
        paths: Sequence[str],
        *,
        timeout: float = DEADLINE,
    ) -> None:
        """One step of files that come from outside the page."""
        await self._page.ready(timeout=timeout)
        step = {"enter": "dragEnter", "over": "dragOver", "drop": "drop", "cancel": "dragCancel"}
        data = {"items": [], "files": list(paths), "dragOperationsMask": 1}
        await self._drag_event(step[kind], point, data, timeout)

    async def _step(self, point: Point, timeout: float) -> None:
        """Move on: the pointer, or what is being dragged with it."""
        if self._dragged is None:
            await self._send([self._moved(point)], timeout)
            return
        # Each process must be told of the entry. Which one is at the point is not known here, and
        # a second time changes nothing for a page: it hears of elements alone.
        if not self._entered or len(self._page.sessions) > 1:
            self._entered = True
            await self._drag_event("dragEnter", point, self._dragged, timeout)
        await self._drag_event("dragOver", point, self._dragged, timeout)

    def _drag_started(self, event: _DragIntercepted) -> None:
        self._dragged = event.data.copy()
        self._entered = False

    async def _drag_event(self, kind: str, point: Point, data: Any, timeout: float) -> None:
        self.position = point
        await self._page.session.send(
            "Input.dispatchDragEvent",
            {"type": kind, "x": point.x, "y": point.y, "data": data},
            timeout=timeout,
        )

    async def _send(self, commands: Sequence[Command], timeout: float) -> None:
        await self._page.ready(timeout=timeout)
        await self._page.session.send_all(commands, timeout=timeout)

    def _event(self, kind: str, modifiers: int = 0) -> dict[str, Any]:
        return {
            "type": kind,
            "x": self.position.x,
            "y": self.position.y,
            "modifiers": modifiers | self._page.keyboard.modifiers,
            "buttons": self._pressed,
            "pointerType": "mouse",
        }

    def _moved(self, point: Point, modifiers: int = 0) -> Command:
        self.position = point
        held = next((name for name, bit in _BUTTON_BITS.items() if self._pressed & bit), "none")
        return "Input.dispatchMouseEvent", self._event("mouseMoved", modifiers) | {"button": held}

    def _button(self, kind: str, button: MouseButton, count: int, modifiers: int = 0) -> Command:
        if kind == "mousePressed":
            self._pressed |= _BUTTON_BITS[button]
        else:
            self._pressed &= ~_BUTTON_BITS[button]
        return "Input.dispatchMouseEvent", self._event(kind, modifiers) | {
            "button": button,
            "clickCount": count,
        }
