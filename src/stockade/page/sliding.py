"""Sliders: moved by keys, which all of them listen to, until they show what they are to show."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from stockade.errors import NotActionable
from stockade.page.agent import PageAgent

__all__ = ["Goal", "Position", "Slide", "Slider", "ensure_reached"]

Goal: TypeAlias = "float | str"
"""A number, or what the slider calls one of its positions."""

_OPPOSITE = {
    "ArrowRight": "ArrowLeft",
    "ArrowLeft": "ArrowRight",
    "ArrowUp": "ArrowDown",
    "ArrowDown": "ArrowUp",
}
_UP = ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown")
_DOWN = ("ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp")
"""Arrows, the likeliest first: which way they move a slider depends on how it lies."""
_FAR = 20
"""Steps from which on a key that moves it by more than one is tried."""
_MOST_STEPS = 500


@dataclass(frozen=True)
class Position:
    """Where a slider is, as a number and as it says."""

    number: float
    text: str = ""

    def is_at(self, goal: Goal) -> bool:
        """Whether this is what was wanted."""
        if isinstance(goal, str):
            return self.text.casefold() == goal.casefold()
        return abs(self.number - goal) <= 1e-9 * max(1.0, abs(goal))


class Slide:
    """One slider on its way."""

    def __init__(
        self,
        at: Position,
        press: Callable[[str], Awaitable[None]],
        look: Callable[[Position], Awaitable[Position | None]],
    ) -> None:
        self.at = at
        self._press = press
        self._look = look

    async def to(self, goal: Goal) -> None:
        """Go there, or as near as keys bring it."""
        await (self._to_text(goal) if isinstance(goal, str) else self._to_number(goal))

    async def _to_number(self, goal: float) -> None:
        for key in _UP if goal > self.at.number else _DOWN:
            if step := await self._moved(key):
                break
        else:
            return
        if abs(goal - self.at.number) > _FAR * abs(step):
            page = "PageUp" if goal > self.at.number else "PageDown"
            leap = await self._moved(page)
            if leap * (goal - self.at.number) > 0:
                await self._moved(page, int((goal - self.at.number) / leap))
        while count := round(abs(left := goal - self.at.number) / abs(step)):
            if count > _MOST_STEPS:
                return
            await self._moved(key if left * step > 0 else _OPPOSITE[key], count)
            if abs(goal - self.at.number) >= abs(left):
                return

    async def _to_text(self, goal: str) -> None:
        await self._moved("Home")
        for _ in range(_MOST_STEPS):
            if self.at.is_at(goal) or not await self._moved("ArrowRight"):
                return

    async def _moved(self, key: str, count: int = 1) -> float:
        """How far a key moves it."""
        before = self.at
        for _ in range(count):
            await self._press(key)
        if count:
            self.at = await self._look(before) or before
        return self.at.number - before.number


class Slider:
    """A slider of a tab."""

    def __init__(self, agent: PageAgent, ref: str, *, timeout: float) -> None:
        self._agent = agent
        self._frame, self._number = agent.locate(ref)
        self._timeout = timeout
        self._goal: Goal | None = None

    async def move(self, ready: dict[str, Any]) -> None:
        """Go where the page agent was told to, from where it says that the slider is."""
        self._goal = ready["goal"]
        await Slide(Position(**ready["at"]), self._press, self._look).to(ready["goal"])

    async def ensure_reached(self, target: str) -> None:
        """Raise if it was moved and does not show what it was to show."""
        if self._goal is not None:
            ensure_reached(await self._look(), self._goal, target)

    async def _press(self, key: str) -> None:
        await self._agent.page.keyboard.press(key, timeout=self._timeout)

    async def _look(self, was: Position | None = None) -> Position | None:
        said = await self._agent.call(
            self._frame,
            "slider_position",
            ref=self._number,
            was=was and asdict(was),
            timeout=self._timeout,
        )
        return Position(**said) if said else None


def ensure_reached(at: Position | None, goal: Goal, target: str) -> None:
    """Raise unless the slider shows what it was to show."""
    if at is None or at.is_at(goal):
        return
    shown = at.text or f"{at.number:g}"
    wanted = goal if isinstance(goal, str) else f"{goal:g}"
    raise NotActionable(
        f"{target} was moved by keys and shows {shown}, not {wanted}",
        reason="not-reached",
        hint="It may go in larger steps, or not by keys: `press` keys there, or `drag` it.",
        retryable=False,
        value=shown,
    )
