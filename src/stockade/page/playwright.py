"""Locators in the words of Playwright, for JavaScript and for Python."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

import msgspec

__all__ = ["Component", "in_javascript", "in_python"]


class Component(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a locator."""

    kind: Literal[
        "testid", "role", "label", "placeholder", "alt", "title", "text", "css", "nth", "frame"
    ]
    value: str
    name: str = ""
    attribute: str = ""
    text: str = ""
    exact: bool = False


class _Call(NamedTuple):
    method: str
    argument: str | int | None = None
    options: dict[str, str | bool] = {}  # noqa: RUF012  (never changed)


_METHODS = {
    "alt": "getByAltText",
    "css": "locator",
    "frame": "frameLocator",
    "label": "getByLabel",
    "placeholder": "getByPlaceholder",
    "role": "getByRole",
    "text": "getByText",
    "title": "getByTitle",
}


def _calls(step: Component) -> list[_Call]:
    if step.kind == "nth":
        return [_Call("nth", int(step.value))]
    if step.kind == "testid":
        if step.attribute == "data-testid":
            return [_Call("getByTestId", step.value)]
        value = json.dumps(step.value, ensure_ascii=False)
        return [_Call("locator", f"[{step.attribute}={value}]")]
    options: dict[str, str | bool] = {}
    if step.name:
        options["name"] = step.name
    if step.exact:
        options["exact"] = True
    calls = [_Call(_METHODS[step.kind], step.value, options)]
    if step.text:
        calls.append(_Call("filter", None, {"hasText": step.text}))
    return calls


def in_javascript(steps: Iterable[Component]) -> str:
    """`page.getByRole('button', { name: 'Buy' })`."""

    def literal(value: str | int) -> str:
        text = json.dumps(value, ensure_ascii=False)
        if not isinstance(value, str):
            return text
        inner = text[1:-1].replace('\\"', '"').replace("'", "\\'")
        return f"'{inner}'"

    def write(call: _Call) -> str:
        parts = [] if call.argument is None else [literal(call.argument)]
        if call.options:
            options = ", ".join(f"{key}: {literal(value)}" for key, value in call.options.items())
            parts.append(f"{{ {options} }}")
        return f"{call.method}({', '.join(parts)})"

    return ".".join(("page", *(write(call) for step in steps for call in _calls(step))))


def in_python(steps: Iterable[Component]) -> str:
    """`page.get_by_role("button", name="Buy")`."""

    def snake(name: str) -> str:
        return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)

    def literal(value: str | int) -> str:
        return str(value) if not isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def write(call: _Call) -> str:
        parts = [] if call.argument is None else [literal(call.argument)]
        parts += [f"{snake(key)}={literal(value)}" for key, value in call.options.items()]
        return f"{snake(call.method)}({', '.join(parts)})"

    return ".".join(("page", *(write(call) for step in steps for call in _calls(step))))
