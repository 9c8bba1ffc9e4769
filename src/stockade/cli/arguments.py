"""Arguments of a tool as they are written on a command line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from stockade.cli.describing import resolved
from stockade.errors import InvalidArgument

__all__ = ["parse_json", "parse_words"]

_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def parse_json(text: str) -> dict[str, Any]:
    """A JSON object, as `--args` and the input take it."""
    try:
        value = json.loads(text)
    except ValueError:
        raise InvalidArgument("the arguments are not JSON", hint='As in: {"url": "…"}') from None
    if not isinstance(value, dict):
        raise InvalidArgument("the arguments are not a JSON object", hint='As in: {"url": "…"}')
    return value


def parse_words(tool: str, schema: dict[str, Any], words: Iterable[str]) -> dict[str, Any]:
    """`name=value` words as the tool's schema types them; lists grow by repeating a name."""
    known: dict[str, Any] = schema.get("properties", {})
    # Every call can be repeated once a person has agreed to it.
    takes = {"approval": {"type": "string"}, **known}
    definitions = schema.get("$defs", {})
    found: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise InvalidArgument(
                "an argument is written name=value",
                hint=f"`stockade call {tool} --help` shows what it takes.",
            )
        if name not in takes:
            raise InvalidArgument(
                f"{tool} takes no argument {name[:40]!r}",
                hint=f"It takes: {', '.join(known)}." if known else "It takes none.",
            )
        value = _typed(name, text, takes[name], definitions)
        if isinstance(value, list) and isinstance(found.get(name), list):
            found[name] += value
        elif name in found:
            raise InvalidArgument(f"{name} is given twice")
        else:
            found[name] = value
    return found


def _typed(name: str, text: str, part: dict[str, Any], definitions: dict[str, Any]) -> Any:
    choices = list(_choices(part, definitions))
    kinds = {each.get("type") or _kind_of_constant(each) for each in choices}
    if text == "null" and "null" in kinds and "string" not in kinds:
        return None
    if "boolean" in kinds and text.lower() in _BOOLEANS:
        return _BOOLEANS[text.lower()]
    if kinds & {"object", "array", None} and text.lstrip()[:1] in {"{", "["}:
        return _json(name, text)
    if kinds & {"integer", "number"} and (number := _number(text)) is not None:
        return number
    if "array" in kinds and "string" not in kinds:
        items = next(each for each in choices if each.get("type") == "array").get("items") or {}
        return [_typed(name, text, items, definitions)]
    if "string" in kinds or None in kinds:
        return text
    raise _mistyped(name, kinds)


def _choices(part: dict[str, Any], definitions: dict[str, Any]) -> Iterable[dict[str, Any]]:
    part = resolved(part, definitions)
    several = part.get("anyOf") or part.get("oneOf")
    if several is None:
        yield part
        return
    for each in several:
        yield from _choices(each, definitions)


def _kind_of_constant(part: dict[str, Any]) -> str | None:
    values = part.get("enum", [part["const"]] if "const" in part else [])
    return "string" if any(isinstance(value, str) for value in values) else None


def _number(text: str) -> int | float | None:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise InvalidArgument(f"{name} is not valid JSON") from None


def _mistyped(name: str, kinds: set[Any]) -> InvalidArgument:
    wanted = " or ".join(sorted(str(kind) for kind in kinds - {"null"}))
    return InvalidArgument(f"{name} is meant to be: {wanted}")
