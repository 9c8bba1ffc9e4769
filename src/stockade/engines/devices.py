"""Input devices, as every engine offers them: mouse, keyboard and touch of one tab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from stockade.engines.values import DEADLINE, MouseButton, Point

__all__ = ["Keyboard", "Mouse", "Touch"]


class Mouse(Protocol):
    """A mouse that moves, presses and turns in root coordinates of the tab."""

    @property
    def position(self) -> Point:
        """Where it was last."""

    async def move(self, point: Point, *, steps: int = 1, timeout: float = DEADLINE) -> None:
        """Move to `point`."""

    async def down(
        self, button: MouseButton = "left", *, count: int = 1, timeout: float = DEADLINE
    ) -> None:
        """Press a button here."""

    async def up(
        self, button: MouseButton = "left", *, count: int = 1, timeout: float = DEADLINE
    ) -> None:
        """Release a button here."""

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

    async def wheel(
        self, point: Point, *, dx: float = 0, dy: float = 0, timeout: float = DEADLINE
    ) -> None:
        """Turn the wheel over `point`."""

    async def drag_files(
        self,
        kind: Literal["enter", "over", "drop", "cancel"],
        point: Point,
        paths: Sequence[str],
        *,
        timeout: float = DEADLINE,
    ) -> None:
        """One step of files, named as the browser sees them, that come from outside the page."""


class Keyboard(Protocol):
    """A keyboard of US layout, with any text for what no key gives."""

    async def press(self, chord: str, *, timeout: float = DEADLINE) -> None:
        """Press and release a key or chord: `Enter`, `Control+a`, `Shift+Tab`."""

    async def type(self, text: str, *, timeout: float = DEADLINE) -> None:
        """Type `text` key by key; characters without a key are inserted."""

    async def insert(self, text: str, *, timeout: float = DEADLINE) -> None:
        """Insert `text` at once, as an input method does."""

    async def down(self, key: str, *, timeout: float = DEADLINE) -> None:
        """Press a key and hold it."""

    async def up(self, key: str, *, timeout: float = DEADLINE) -> None:
        """Release a key."""


class Touch(Protocol):
    """Fingers, in root coordinates of the tab."""

    async def tap(self, point: Point, *, timeout: float = DEADLINE) -> None:
        """Touch and lift, written in one go."""

    async def send(
        self,
        kind: Literal["start", "move", "end", "cancel"],
        points: Mapping[int, Point],
        *,
        timeout: float = DEADLINE,
    ) -> None:
        """One touch event with all fingers that are down, by identifier.

        `end` and `cancel` take the fingers that are lifted, or none for all of them.
        """
