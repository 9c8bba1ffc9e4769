"""A recorded flow as a Playwright test that runs by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from stockade.flows.playwright_steps import Line, Page, lines_of, literal
from stockade.flows.recording import Recording, Step

__all__ = ["Script", "as_playwright"]

_CLOSING = re.compile(r"[\r\n\u2028\u2029]+")


@dataclass(frozen=True)
class Script:
    """A program, and how much of the flow is in it."""

    source: str
    steps: int
    handled: int
    unhandled: int
    fragile: int


@dataclass
class _Pages:
    """Which variable each tab is."""

    names: dict[str, str] = field(default_factory=dict)

    def of(self, tab: str) -> str:
        """The variable of a tab; the first is `page`, and so is one that nobody knows of."""
        if tab and not self.names:
            self.names[tab] = "page"
        return self.names.get(tab, "page")

    def new(self, tab: str) -> str:
        """A variable for another tab."""
        return self.names.setdefault(tab, f"page{max(len(self.names), 1) + 1}")


def as_playwright(recording: Recording) -> Script:
    """The flow as a test in JavaScript."""
    pages = _Pages()
    body: list[str] = []
    handled = fragile = 0
    if recording.url and not _goes_first(recording.steps):
        body.append(f"await page.goto({literal(recording.url)});")
    for index, step in enumerate(recording.steps):
        variable = pages.of(step.tab)
        if step.note is not None:
            body.append(f"// {_in_one_line(step.note.copy)}")
        lines = list(lines_of(step, Page(variable, pages.new)))
        done = [line for line in lines if line.code]
        handled += bool(done)
        fragile += any(line.fragile for line in lines)
        body += [
            *_dialog_before(recording.steps[index + 1 :], variable, step.tab),
            *_popups_before(step, variable, pages),
            *(_written(line) for line in lines),
            *_popups_after(step, pages),
        ]
    steps = len(recording.steps)
    return Script(_program(recording.name, body), steps, handled, steps - handled, fragile)


def _program(name: str, body: list[str]) -> str:
    inner = "\n".join(f"  {line}" for part in body for line in part.split("\n"))
    return (
        "const { test, expect } = require('@playwright/test');\n\n"
        f"test({literal(name)}, async ({{ page }}) => {{\n{inner}\n}});\n"
    )


def _written(line: Line) -> str:
    if not line.code:
        return f"// left out: {_in_one_line(line.comment)}"
    return f"{line.code} // {_in_one_line(line.comment)}" if line.comment else line.code


def _in_one_line(text: str) -> str:
    return _CLOSING.sub(" ", text)


def _goes_first(steps: list[Step]) -> bool:
    return bool(steps) and steps[0].tool == "navigate"


def _dialog_before(following: list[Step], variable: str, tab: str) -> Iterator[str]:
    """A dialog is answered by whoever was there before it opened."""
    for step in following:
        if step.tool != "answer_dialog" or step.tab != tab:
            return
        given: dict[str, Any] = step.arguments
        text = literal(given["text"]) if given.get("text") else ""
        answer = f"accept({text})" if given.get("accept") else "dismiss()"
        yield f"{variable}.once('dialog', dialog => dialog.{answer});"


def _popups_before(step: Step, variable: str, pages: _Pages) -> Iterator[str]:
    if step.tool != "tabs":
        for tab in step.opened:
            yield f"const {pages.new(tab)}Opens = {variable}.waitForEvent('popup');"


def _popups_after(step: Step, pages: _Pages) -> Iterator[str]:
    if step.tool != "tabs":
        for tab in step.opened:
            name = pages.new(tab)
            yield f"const {name} = await {name}Opens;"
