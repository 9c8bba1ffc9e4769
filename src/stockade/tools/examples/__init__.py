"""Worked examples: one call of every tool, with what came of it in a real browser.

They stand in the JSON files beside this one, one file per module of tools. `arguments` is what is
called after the calls in `before`; `shown` is what was recorded of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["SHOP", "Example", "examples"]

SHOP = "https://shop.example"
"""The address that stands for the site on which the examples were recorded."""


@dataclass(frozen=True)
class Example:
    """One call, and what came of it."""

    tool: str
    arguments: dict[str, Any]
    before: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Calls that come first, in a session that has just opened the shop."""
    shown: dict[str, Any] = field(default_factory=dict)
    """The recorded `arguments` and `result`."""


@cache
def examples() -> dict[str, Example]:
    """The examples, by the name of their tool."""
    found: dict[str, Example] = {}
    folder = files("stockade.tools") / "examples"
    for path in sorted(folder.iterdir(), key=lambda each: each.name):
        if path.name.endswith(".json"):
            for tool, parts in json.loads(path.read_text(encoding="utf-8")).items():
                before = [(name, given) for name, given in parts.get("before", ())]
                found[tool] = Example(
                    tool, parts.get("arguments", {}), before, parts.get("shown", {})
                )
    return found
