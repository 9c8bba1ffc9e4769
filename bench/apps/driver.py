"""A driver: one contender, as a policy uses it, with everything it answers metered.

A policy asks for what is shown (`see`) and acts on lines of it. `see` is free where results have
already told how the page looks now, and a call where they have not: what a contender's results
tell of an action decides how often one has to look.
"""

from __future__ import annotations

import asyncio
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from bench.apps.lines import Line, View
from bench.contenders import Contender, Result

__all__ = ["THOUGHT_SECONDS", "ActionFailed", "Call", "Driver", "Field", "Spent", "Step", "Target"]

Target: TypeAlias = "Line | str"
"""A line of a view, or a selector that both contenders understand (`text="…"`, CSS)."""

THOUGHT_SECONDS = 0.3


class ActionFailed(Exception):
    """A result that says that the call failed."""


@dataclass(frozen=True)
class Field:
    """A field of a form and what it is to hold: text, the label of an option, or on and off."""

    line: Line
    value: str | bool


@dataclass(frozen=True)
class Step:
    """One of several actions that are all decided before the first."""

    kind: Literal["click", "hover", "press", "fill", "type", "select"]
    target: Target | None = None
    value: str = ""
    """The key, the text or the label."""


@dataclass(frozen=True)
class Call:
    """One call of an episode."""

    tool: str
    arguments: Mapping[str, Any]
    result: Result
    started: float
    """Seconds since the epoch, as pages count them too."""
    ended: float


@dataclass
class Spent:
    """What an episode has cost."""

    calls: int = 0
    size: int = 0
    """Bytes of the texts that a model is given, errors as well."""
    sent: int = 0
    """Bytes of the calls that a model writes."""
    seconds: float = 0.0


class Driver(ABC):
    """What policies may do; each contender does it in its best way."""

    def __init__(self, who: Contender) -> None:
        self.who = who
        self.spent = Spent()
        self.log: list[Call] = []
        """Every call of the episode with its result, to find out what went wrong."""
        self.view = View()
        """The page as far as it is known."""
        self.news = View()
        """What the last result showed: the whole page, or what changed."""
        self.thought = THOUGHT_SECONDS
        """Seconds between calls: a model takes its time, and pages go on meanwhile."""
        self._current = False

    @property
    def name(self) -> str:
        return self.who.name

    def begin(self) -> None:
        """A new episode: nothing is known and nothing spent."""
        self.spent = Spent()
        self.log = []
        self.view = self.news = View()
        self._current = False

    async def see(self) -> View:
        """The page as it is now: what results have told, or else what a look shows."""
        return self.view if self._current else await self.look()

    async def answer(self, tool: str, /, **arguments: Any) -> Result:
        """One metered call; a result that says it failed is raised."""
        await asyncio.sleep(self.thought)
        started = time.time()
        result = await self.who.ask(tool, arguments)
        self.spent.calls += 1
        self.spent.size += result.size
        self.spent.sent += len(json.dumps({"name": tool, "arguments": arguments}).encode())
        self.spent.seconds += result.seconds
        self.log.append(Call(tool, arguments, result, started, time.time()))
        if result.is_error:
            self._current = False
            raise ActionFailed(f"{tool}: {result.text[:1000]}")
        return result

    # --- what each contender does in its own way --------------------------------------------------

    @abstractmethod
    async def open(self, url: str) -> None: ...

    @abstractmethod
    async def look(self) -> View:
        """Ask for the page."""

    @abstractmethod
    async def find(self, words: str) -> View:
        """Ask for what reads like this, without asking for the whole page."""

    @abstractmethod
    async def click(
        self, target: Target, *, button: str = "left", count: int = 1, modifiers: Sequence[str] = ()
    ) -> None:
        """Click, double-click, click with keys held."""

    @abstractmethod
    async def run(self, steps: Sequence[Step]) -> None:
        """One step after the other, in as few calls as there is a way for."""

    async def click_all(self, targets: Sequence[Target]) -> None:
        """Click one after the other; all of them are known before the first."""
        await self.run([Step("click", each) for each in targets])

    @abstractmethod
    async def hover(self, target: Target) -> None: ...

    @abstractmethod
    async def fill(self, target: Target, text: str, *, submit: bool = False) -> None:
        """Replace what a field holds; then Enter, if it is to be submitted."""

    @abstractmethod
    async def type(self, target: Target, text: str, *, submit: bool = False) -> None:
        """Type key by key, into what a field holds; then Enter, if it is to be submitted."""

    async def press(self, *keys: str, target: Target | None = None) -> None:
        """Press keys one after the other, where the focus is or in an element."""
        await self.run(
            [Step("press", target if not at else None, key) for at, key in enumerate(keys)]
        )

    @abstractmethod
    async def select(self, target: Target, *labels: str) -> None: ...

    @abstractmethod
    async def fill_form(self, fields: Sequence[Field], submit: Target | None = None) -> None:
        """Fill fields, then click a button."""

    @abstractmethod
    async def drag(self, source: Target, to: Target, *, after: bool | None = None) -> None:
        """Drag one onto another, or to its place in an order: before it or after it."""

    async def upload(self, target: Target, name: str, content: str) -> None:
        """Give a file to a file input, or to the button that asks for it."""
        raise NotImplementedError(f"{self.name} is not asked to: {name} {content} {target}")

    @abstractmethod
    async def scroll(self, target: Target, *, to: str) -> None:
        """Scroll an element to its top or bottom."""

    @abstractmethod
    async def wait_for(self, text: str, *, gone: bool = False) -> None: ...
