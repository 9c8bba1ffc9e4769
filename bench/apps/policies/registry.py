"""Policies by the name of their task, and what many of them do."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

from bench.apps.driver import Driver, Target
from bench.apps.lines import Line, View

T = TypeVar("T")

__all__ = [
    "POLICIES",
    "Policy",
    "field_after",
    "first",
    "named",
    "nth",
    "number_of",
    "parse",
    "policy",
    "shown",
    "submit",
]

Policy: TypeAlias = Callable[[Driver], Awaitable[None]]
POLICIES: dict[str, Policy] = {}

_LOOKS = 2
FIELDS = ("textbox", "searchbox", "spinbutton", "combobox")


def policy(*tasks: str) -> Callable[[Policy], Policy]:
    """Register a policy for tasks."""

    def register(function: Policy) -> Policy:
        POLICIES.update(dict.fromkeys(tasks, function))
        return function

    return register


def parse(view: View, pattern: str) -> re.Match[str]:
    """Read the task out of what is shown; `LookupError` where it is not shown."""
    found = re.search(pattern, view.text)
    if found is None:
        raise LookupError(f"{pattern!r} is not in {view.text[:200]!r}")
    return found


def named(view: View, words: str) -> Target:
    """What reads exactly like this: a line to act on, or else a selector by its text."""
    fitting = [line for line in view if words in {line.name, line.value}]
    for line in fitting:
        if line.ref:
            return line
    return f'text="{words}"'


def submit(view: View, *names: str) -> Line:
    """The button that ends a form."""
    wanted = re.compile(rf"^(?:{'|'.join(names) or 'submit'})$", re.IGNORECASE)
    fitting = [line for line in view.all(name=wanted) if line.ref]
    return fitting[-1] if fitting else view.one("button")


def field_after(view: View, label: str) -> Line:
    """The field that comes after a label."""
    pattern = re.compile(label, re.IGNORECASE)
    own = [line for line in view.all(*FIELDS) if pattern.search(line.name)]
    if own:
        return own[0]
    # The first words are the task's, and not a label.
    below = view.after(first(line for line in view if line.text))
    for line in below:
        if line.role not in FIELDS and pattern.search(line.text):
            return below.after(line).one(*FIELDS)
    raise LookupError(f"no label {label!r} is shown")


async def shown(driver: Driver, find: Callable[[View], Sequence[Line]]) -> list[Line]:
    """What is looked for in what has been told; looked for again while it is not there yet."""
    found = list(find(await driver.see()))
    for _ in range(_LOOKS):
        if found:
            return found
        found = list(find(await driver.look()))
    if not found:
        raise LookupError("what is looked for never came")
    return found


def first(lines: Iterable[T]) -> T:
    """The first of them; `LookupError` where there is none."""
    for line in lines:
        return line
    raise LookupError("what is looked for is not shown")


def nth(word: str) -> int:
    """`2nd` or `second` as an index from 0."""
    words = ["first", "second", "third", "fourth", "fifth", "sixth"]
    if word.lower() in words:
        return words.index(word.lower())
    return number_of(word) - 1


def number_of(text: str) -> int:
    found = re.search(r"-?\d+", text)
    if found is None:
        raise LookupError(f"no number in {text!r}")
    return int(found[0])
