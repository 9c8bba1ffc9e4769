"""JSON with comments and trailing commas, read and changed without losing either."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Unreadable", "parse", "with_member"]

_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SAME_LINE = re.compile(r"(?:[ \t]+|//[^\r\n]*|/\*[^\n]*?\*/)*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"', re.DOTALL)
_SCALAR = re.compile(r"[-+.\w]+")
_MARK = "\ufeff"
_DEEPEST = 200


class Unreadable(ValueError):
    """The text is not JSON, not even with comments."""


@dataclass
class _Node:
    """A value and where it stands."""

    start: int
    end: int
    value: Any
    members: dict[str, _Node] = field(default_factory=dict)
    first: int = -1
    """Where the first member of an object begins."""
    last: int = -1
    """Where the last member's value ends."""
    comma: int = -1
    """Where a comma after the last member ends, if there is one."""


def parse(text: str) -> Any:
    """The value that `text` means."""
    return _read(text.removeprefix(_MARK)).value


def with_member(text: str, path: Sequence[str], value: Any) -> str:
    """`text` with `value` at `path`, an object within objects; all else stays as it is written."""
    mark = _MARK if text.startswith(_MARK) else ""
    body = text.removeprefix(mark)
    if not body.strip():
        body = "{}\n"
    changed = _changed(body, path, value)
    if "\r\n" in body:
        changed = re.sub(r"(?<!\r)\n", "\r\n", changed)
    return mark + changed


def _changed(text: str, path: Sequence[str], value: Any) -> str:
    node = _read(text)
    unit = _indent(text, node.first) or "  "
    for depth, name in enumerate(path):
        if not isinstance(node.value, dict):
            raise Unreadable(f"{'.'.join(path[:depth]) or 'the file'} is not an object")
        inner = node.members.get(name)
        if inner is None:
            for outer in reversed(path[depth + 1 :]):
                value = {outer: value}
            return _inserted(text, node, name, value, unit)
        node = inner
    shown = _shown(value, unit, _indent(text, node.start, within=True) or "")
    return text[: node.start] + shown + text[node.end :]


def _inserted(text: str, node: _Node, name: str, value: Any, unit: str) -> str:
    """`text` with a new member at the end of an object, in the object's own style."""
    close = node.end - 1
    if node.last < 0:
        outer = _indent(text, node.start, within=True) or ""
        entry = f"\n{outer}{unit}{json.dumps(name)}: {_shown(value, unit, outer + unit)}"
        rest = text[node.start + 1 : close]
        tail = rest if "\n" in rest else f"{rest.rstrip()}\n{outer}"
        return text[: node.start + 1] + entry + tail + text[close:]
    indent = _indent(text, node.first)
    if indent is None:
        entry = f", {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        at = node.last
        return text[:at] + entry + text[at:]
    after = node.comma if node.comma >= 0 else node.last
    head = text[:after] + ("" if node.comma >= 0 else ",")
    match = _SAME_LINE.match(text, after, close)
    remark = match[0].rstrip(" \t") if match is not None else ""
    rest = text[after + len(remark) :]
    entry = f"\n{indent}{json.dumps(name)}: {_shown(value, unit, indent)}"
    tail = "," if node.comma >= 0 else ""
    return head + remark + entry + tail + rest


def _shown(value: Any, unit: str, indent: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", f"\n{indent}")


def _indent(text: str, at: int, *, within: bool = False) -> str | None:
    """The white space that begins the line of `at`, if nothing else stands before it there."""
    if at < 0:
        return None
    line = text[text.rfind("\n", 0, at) + 1 : at]
    space = line[: len(line) - len(line.lstrip())]
    if within:
        return space
    return line if line == space and "\n" in text[:at] else None


def _read(text: str) -> _Node:
    if not text.strip():
        raise Unreadable("it is empty")
    try:
        node = _value(text, _skip(text, 0), 0)
    except json.JSONDecodeError as error:
        raise Unreadable(f"it is not JSON ({error.msg.lower()})") from None
    at = _skip(text, node.end)
    if at != len(text):
        raise _unexpected(text, at)
    return node


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match is not None else at


def _unexpected(text: str, at: int) -> Unreadable:
    line = text.count("\n", 0, at) + 1
    return Unreadable(f"it is not JSON (line {line})")


def _value(text: str, at: int, depth: int) -> _Node:
    if depth > _DEEPEST:
        raise Unreadable("it is nested too deeply")
    sign = text[at : at + 1]
    if sign == "{":
        return _object(text, at, depth)
    if sign == "[":
        return _array(text, at, depth)
    match = (_STRING if sign == '"' else _SCALAR).match(text, at)
    if match is None:
        raise _unexpected(text, at)
    return _Node(at, match.end(), json.loads(match[0]))


def _object(text: str, start: int, depth: int) -> _Node:
    node = _Node(start, start, {})
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        if node.last >= 0 and node.comma < 0:
            raise _unexpected(text, at)
        match = _STRING.match(text, at)
        if match is None:
            raise _unexpected(text, at)
        node.first = at if node.first < 0 else node.first
        name = json.loads(match[0])
        at = _skip(text, match.end())
        if text[at : at + 1] != ":":
            raise _unexpected(text, at)
        inner = _value(text, _skip(text, at + 1), depth + 1)
        node.value[name], node.members[name] = inner.value, inner
        node.last = inner.end
        node.comma = -1
        at = _skip(text, inner.end)
        if text[at : at + 1] == ",":
            node.comma = at + 1
            at = _skip(text, at + 1)
    node.end = at + 1
    return node


def _array(text: str, start: int, depth: int) -> _Node:
    node = _Node(start, start, [])
    at = _skip(text, start + 1)
    parted = True
    while text[at : at + 1] != "]":
        if not parted:
            raise _unexpected(text, at)
        inner = _value(text, at, depth + 1)
        node.value.append(inner.value)
        at = _skip(text, inner.end)
        parted = text[at : at + 1] == ","
        if parted:
            at = _skip(text, at + 1)
    node.end = at + 1
    return node
