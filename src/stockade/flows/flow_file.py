"""A recorded flow as a file that people read and edit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from stockade.flows.recording import Found, Recording, Step

__all__ = ["as_yaml"]

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
_OURS = ("id", "action", "args", "chosen", "opens", "page", "annotation")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"})


def as_yaml(recording: Recording) -> str:
    """The flow: where it starts, what it acts on, and its steps."""
    locators: dict[str, Any] = {}
    names: dict[tuple[str, str], str] = {}
    for step in recording.steps:
        for key, found in step.targets.items():
            name = _unused(_slug(found), locators)
            names[step.id, key] = name
            locators[name] = _locator(found)
    flow = {
        "name": recording.name,
        "start": recording.url or None,
        "locators": locators,
        "steps": [_step(step, names) for step in recording.steps],
    }
    return "\n".join(_lines(_without_nothing(flow))) + "\n"


def _slug(found: Found) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", f"{found.name} {found.role}".lower()).strip("-")
    return words[:40].strip("-") or found.tag or "element"


def _unused(name: str, taken: dict[str, Any]) -> str:
    number, chosen = 1, name
    while chosen in taken:
        number += 1
        chosen = f"{name}-{number}"
    return chosen


def _locator(found: Found) -> dict[str, Any]:
    locator = found.locator
    if locator is None:
        return {"stability": "none"}
    return {
        "playwright": locator.playwright,
        "selector": locator.selector,
        "stability": locator.stability,
    }


def _step(step: Step, names: dict[tuple[str, str], str]) -> dict[str, Any]:
    arguments = dict(step.arguments)
    made: dict[str, Any] = {"id": step.id, "action": step.tool, "tab": step.tab or None}
    if (step.id, "") in names:
        made["target"] = names[step.id, ""]
    for key in step.targets:
        if key:
            _put(arguments, key, names[step.id, key])
    given = {key: value for key, value in arguments.items() if key not in {"session", "tab"}}
    made |= {key: value for key, value in given.items() if key not in _OURS}
    # What has the name of one of a step's own fields stands apart from them.
    made["args"] = {key: given[key] for key in _OURS if key in given} or None
    if step.chosen:
        made["chosen"] = step.chosen
    if step.opened:
        made["opens"] = step.opened
    made["page"] = step.url or None
    if step.note is not None:
        made["annotation"] = {
            "copy": step.note.copy,
            "arrow": step.note.arrow,
            "target": step.note.target,
        }
    return made


def _put(arguments: dict[str, Any], path: str, name: str) -> None:
    """Name the element where its target stood."""
    head, _, index = path.partition(".")
    if not index:
        arguments[head] = name
        return
    rows = list(arguments[head])
    rows[int(index)] = {"target": name, **rows[int(index)]}
    arguments[head] = rows


def _without_nothing(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nothing(each) for key, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        return [_without_nothing(each) for each in value]
    return value


def _lines(value: Any, depth: int = 0) -> Iterator[str]:
    """YAML, in the part of it that nobody reads in two ways."""
    pad = "  " * depth
    if isinstance(value, dict):
        for key, each in value.items():
            if isinstance(each, dict | list) and each:
                yield f"{pad}{_scalar(key)}:"
                yield from _lines(each, depth + 1)
            else:
                yield f"{pad}{_scalar(key)}: {_scalar(each)}"
    else:
        for each in value:
            if isinstance(each, dict | list) and each:
                first, *rest = _lines(each, depth + 1)
                yield f"{pad}- {first.lstrip()}"
                yield from rest
            else:
                yield f"{pad}- {_scalar(each)}"


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)
