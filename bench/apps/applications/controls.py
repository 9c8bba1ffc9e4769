"""Operating a control in a few words: what is clicked, filled or pressed, as results show it.

A control is named by role and name: `button Save`, `* Green` for any role, `checkbox|radio Large` for
either, `button /^Help/` for a pattern, `gridcell 20 @-1` for the last of several, `button << row Ada`
for one that stands under another, `button >> button Right` for one after it. What has no ref is named by a selector, `text=Here`.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from bench.apps.applications.flow import Hands
from bench.apps.driver import ActionFailed, Target
from bench.apps.lines import Line

__all__ = [
    "Operation",
    "click",
    "denied",
    "drag",
    "fill",
    "hover",
    "press",
    "read",
    "select",
    "shows",
    "then",
    "type_into",
    "upload",
]

Operation: TypeAlias = "Callable[[Hands], Awaitable[None]]"

_NAMED = re.compile(r"(?P<roles>\S+)(?: (?P<name>(?!@).*?))?(?: @(?P<nth>-?\d+))?$")


def _which(control: str) -> tuple[Sequence[str], dict[str, Any]]:
    said = _NAMED.match(control)
    assert said is not None, control
    roles = () if said["roles"] == "*" else said["roles"].split("|")
    name = said["name"] or None
    if name and name[0] == name[-1] == "/":
        return roles, {"name": re.compile(name[1:-1]), "nth": int(said["nth"] or 0)}
    return roles, {"name": name, "nth": int(said["nth"] or 0)}


async def _line(hands: Hands, control: str) -> Target:
    if control.startswith("text="):
        return control
    for sign in (" << ", " >> "):
        wanted, found, other = control.partition(sign)
        if not found:
            continue
        beside = await _line(hands, other)
        assert isinstance(beside, Line)
        view = await hands.driver.see()
        part = view.below(beside) if sign == " << " else view.after(beside)
        roles, which = _which(wanted)
        lines: list[Line] = [each for each in part.all(*roles, name=which["name"]) if each.ref]
        return lines[int(which["nth"])]
    roles, which = _which(control)
    line: Line = await hands.line(*roles, **which, fresh=True)
    return line


def then(*operations: Operation) -> Operation:
    """One after the other."""

    async def operate(hands: Hands) -> None:
        for each in operations:
            await each(hands)

    return operate


def click(*controls: str, button: str = "left", count: int = 1) -> Operation:
    async def operate(hands: Hands) -> None:
        for each in controls:
            await hands.driver.click(await _line(hands, each), button=button, count=count)

    return operate


def hover(control: str) -> Operation:
    async def operate(hands: Hands) -> None:
        await hands.driver.hover(await _line(hands, control))

    return operate


def fill(control: str, text: str, *, submit: bool = False) -> Operation:
    async def operate(hands: Hands) -> None:
        await hands.driver.fill(await _line(hands, control), text, submit=submit)

    return operate


def type_into(control: str, text: str, *, submit: bool = False) -> Operation:
    async def operate(hands: Hands) -> None:
        await hands.driver.type(await _line(hands, control), text, submit=submit)

    return operate


def press(*keys: str, on: str | None = None) -> Operation:
    async def operate(hands: Hands) -> None:
        await hands.driver.press(*keys, target=await _line(hands, on) if on else None)

    return operate


def select(control: str, *labels: str) -> Operation:
    async def operate(hands: Hands) -> None:
        await hands.driver.select(await _line(hands, control), *labels)

    return operate


def drag(source: str, to: str) -> Operation:
    async def operate(hands: Hands) -> None:
        await hands.driver.drag(await _line(hands, source), await _line(hands, to))

    return operate


def upload(control: str, name: str) -> Operation:
    async def operate(hands: Hands) -> None:
        await hands.driver.upload(await _line(hands, control), name, "What the file says.")

    return operate


def denied(operation: Operation) -> Operation:
    """One after which the page asks for what it is not allowed, as the result has to tell."""

    async def operate(hands: Hands) -> None:
        try:
            await operation(hands)
        except ActionFailed as error:
            if "page_asked" not in str(error):
                raise
        else:
            raise LookupError("no result says what the page asked for")

    return operate


def read(text: str) -> Operation:
    """See a text, or one that fits `/a pattern/`."""
    wanted = re.compile(text[1:-1]) if text[0] == text[-1] == "/" else text

    async def operate(hands: Hands) -> None:
        await hands.read(wanted)

    return operate


def shows(state: str, control: str) -> Operation:
    """See that a control is in a state."""
    roles, which = _which(control)

    async def operate(hands: Hands) -> None:
        await hands.has_state(state, *roles, **which)

    return operate
