"""Console arguments as text, the way developer tools print them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

__all__ = ["Remote", "cut", "render", "render_line"]

_STACK_LINES = 10
_DIRECTIVE = re.compile(r"%[sdifoOc%]")
_PLAIN = ("Object", "")
_DESCRIBED = ("node", "date", "regexp")


class Property(msgspec.Struct):
    """One property of an object, as far as a preview goes."""

    name: str = ""
    type: str = ""
    value: str = ""
    subtype: str = ""
    valuePreview: Preview | None = None


class Entry(msgspec.Struct):
    """One entry of a map or set."""

    value: Preview
    key: Preview | None = None


class Preview(msgspec.Struct):
    """The outside of an object."""

    type: str = ""
    subtype: str = ""
    description: str = ""
    overflow: bool = False
    properties: list[Property] = []
    entries: list[Entry] = []


class Remote(msgspec.Struct):
    """A value that lives in a page."""

    type: str = "undefined"
    subtype: str = ""
    value: Any = None
    unserializableValue: str = ""
    className: str = ""
    description: str = ""
    preview: Preview | None = None


def cut(text: str, length: int) -> str:
    """At most `length` characters of `text`, the cut made visible."""
    return text if len(text) <= length else text[: length - 1] + "…"


def render_line(arguments: Sequence[Remote]) -> str:
    """One console line: formatting directives of the first argument filled, the rest appended."""
    if not arguments:
        return ""
    first, *rest = arguments
    values = iter(rest)
    if first.type != "string" or "%" not in str(first.value):
        values = iter(arguments)
        return " ".join(render(value) for value in values)
    line = _fill(str(first.value), values)
    return " ".join([line, *(render(value) for value in values)])


def _fill(template: str, values: Iterator[Remote]) -> str:
    def directive(match: re.Match[str]) -> str:
        kind = match[0][1]
        if kind == "%":
            return "%"
        value = next(values, None)
        if value is None:
            return match[0]
        if kind == "c":
            return ""
        if kind in "di":
            return _number(value, whole=True)
        if kind == "f":
            return _number(value, whole=False)
        return render(value)

    return _DIRECTIVE.sub(directive, template)


def _number(value: Remote, *, whole: bool) -> str:
    if value.unserializableValue:
        return value.unserializableValue.rstrip("n")
    try:
        number = float(value.value)
    except (TypeError, ValueError):
        return "NaN"
    if not math.isfinite(number):
        return "NaN"
    return str(int(number)) if whole or number.is_integer() else repr(number)


def render(value: Remote) -> str:
    """One value as text."""
    if value.type == "function":
        return _function(value.description)
    if value.subtype == "error":
        return _stack(value.description)
    if value.preview is not None and value.subtype not in _DESCRIBED:
        return _object(value.preview, value.className)
    return value.unserializableValue or value.description or _primitive(value)


def _primitive(value: Remote) -> str:
    if value.type == "string":
        return str(value.value)
    return "undefined" if value.type == "undefined" else _plain(value.value)


def _plain(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _function(source: str) -> str:
    return "ƒ " + cut(source.split("\n", 1)[0].removeprefix("function").strip(), 80)


def _stack(description: str) -> str:
    return "\n".join(description.split("\n", _STACK_LINES)[:_STACK_LINES])


def _object(preview: Preview, class_name: str = "") -> str:
    more = ["…"] if preview.overflow else []
    if preview.subtype in ("array", "typedarray"):
        parts = [
            _property(part) if part.name.isdecimal() else f"{part.name}: {_property(part)}"
            for part in preview.properties
        ]
        return f"{preview.description} [{', '.join(parts + more)}]"
    if preview.entries:
        parts = [
            f"{_inner(entry.key)} => {_inner(entry.value)}" if entry.key else _inner(entry.value)
            for entry in preview.entries
        ]
    else:
        parts = [f"{part.name}: {_property(part)}" for part in preview.properties]
    name = preview.description or class_name
    prefix = "" if name in _PLAIN else f"{name} "
    return f"{prefix}{{{', '.join(parts + more)}}}"


def _property(part: Property) -> str:
    if part.type == "string":
        return f"'{part.value}'"
    if part.type == "function":
        return "ƒ"
    if part.valuePreview is not None:
        return _object(part.valuePreview)
    if part.type == "accessor":
        return "(…)"
    return part.value or part.subtype or part.type


def _inner(preview: Preview) -> str:
    if preview.type == "string":
        return f"'{preview.description}'"
    if preview.properties or preview.entries:
        return _object(preview)
    return preview.description or preview.subtype or preview.type
