"""Tools as MCP shows them: what a model needs, in as few bytes as it takes.

What many tools share (`session`, `ref`, `mode`, …) is explained once, in the instructions; what
of it is seldom wanted is not shown at all, and the schema then leaves room for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, Final

from mcp import types

from stockade.kernel.arguments import ActionOptions, Arguments, InSession, InTab, OptionalTarget
from stockade.kernel.tool import Tool

__all__ = ["described", "input_schema", "size_of"]

Schema = dict[str, Any]

_COMMON: Final = (InSession, InTab, OptionalTarget, ActionOptions)
_RARE: Final = {"timeoutMs", "contextRef", "maxResultTokens", "named"}
_KNOWN: Final = {"tab", "mode"}
_NAMED: Final = {"properties", "$defs", "patternProperties"}
"""Keywords whose value maps names to schemas."""
_LISTED: Final = {"anyOf", "oneOf", "allOf", "prefixItems"}
_SINGLE: Final = {"items", "additionalProperties", "not", "contains", "propertyNames"}
_SILENT: Final = {
    *("title", "minLength", "maxLength"),
    *("minimum", "exclusiveMinimum", "minItems", "exclusiveMaximum"),
}
"""Keywords that tell a caller nothing that it would not do anyway."""
_FARTHEST: Final = 100
"""A maximum like this, or larger, is met by nobody who does not look for it."""
_REFERENCE: Final = "#/$defs/"


def described(tool: Tool) -> types.Tool:
    """A tool as `tools/list` shows it."""
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=input_schema(tool.arguments, core=tool.toolset == "core"),
        annotations=_annotations(tool),
    )


def size_of(tool: Tool) -> int:
    """What a tool takes in `tools/list`, in bytes."""
    entry = described(tool).model_dump(mode="json", by_alias=True, exclude_none=True)
    return len(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode())


def _annotations(tool: Tool) -> types.ToolAnnotations | None:
    """The hints that differ from what the protocol takes for granted."""
    writes = not tool.reads
    hints = types.ToolAnnotations(
        read_only_hint=tool.reads or None,
        destructive_hint=False if writes and not tool.destructive else None,
        idempotent_hint=(writes and tool.idempotent) or None,
        open_world_hint=False if tool.reach == "server" else None,
    )
    return hints if hints.model_dump(exclude_none=True) else None


def input_schema(arguments: type[Arguments], *, core: bool = True) -> Schema:
    """What a tool takes, as JSON Schema; references are kept only where they save room.

    Outside the core the shared arguments are known already, so that fewer of them are shown.
    """
    rare = _RARE if core else _RARE | _KNOWN
    full = _brief(_small(arguments.model_json_schema(by_alias=True)), arguments, rare)
    shared = full.pop("$defs", {})
    if not shared:
        return full
    with_references = {**full, "$defs": shared}
    inlined = _inlined(full, shared)
    if inlined is None or _size(with_references) < _size(inlined):
        return with_references
    return inlined


def _size(schema: Schema) -> int:
    return len(json.dumps(schema, separators=(",", ":")))


# --- one schema ---------------------------------------------------------------------------------


def _small(schema: Schema, *, documented: bool = False) -> Schema:
    """The schema without what says nothing; `documented` keeps its description."""
    kept = {}
    for key, value in schema.items():
        # A model's own docstring is for those who read the source.
        if _says_nothing(key, value) or (key == "description" and not documented):
            continue
        kept[key] = _within(key, value, partial(_small, documented=key != "$defs"))
    if "$defs" in kept:
        kept["$defs"] = {name: _without_rare(part) for name, part in kept["$defs"].items()}
    return _without_null(kept)


def _without_rare(schema: Schema) -> Schema:
    """A part of an argument without what is seldom wanted of it."""
    if "properties" not in schema:
        return schema
    often = {name: part for name, part in schema["properties"].items() if "rare" not in part}
    return {**schema, "properties": often}


def _says_nothing(key: str, value: Any) -> bool:
    if key in {"maximum", "maxItems"}:
        return bool(value >= _FARTHEST)
    if key == "additionalProperties":
        return isinstance(value, bool)
    return key in _SILENT or (key == "default" and not value)


def _within(key: str, value: Any, change: Callable[[Schema], Schema]) -> Any:
    """The value of a keyword, with `change` done to every schema that it holds."""
    if key in _NAMED:
        return {name: change(part) for name, part in value.items()}
    if key in _LISTED:
        return [change(part) for part in value]
    if key in _SINGLE and isinstance(value, dict):
        return change(value)
    return value


def _without_null(schema: Schema) -> Schema:
    """What may be left out need not be null as well, and every integer is a number."""
    choices = schema.get("anyOf")
    if choices is None:
        return schema
    left = [each for each in choices if each != {"type": "null"}]
    if {"type": "number"} in left:
        left = [each for each in left if each != {"type": "integer"}]
    if len(left) != 1:
        return {**schema, "anyOf": left}
    outer = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**left[0], **outer}


# --- what tools share ---------------------------------------------------------------------------


def _brief(schema: Schema, arguments: type[Arguments], rare: AbstractSet[str]) -> Schema:
    """The schema of a tool with the common properties at their shortest."""
    shown: Schema = {}
    common = _common_names(arguments)
    for name, part in schema.get("properties", {}).items():
        if "const" in part or "rare" in part or (name in common and name in rare):
            # There is nothing to choose, or seldom a reason to.
            continue
        aside = {"default", "description"} if name in common else set()
        shown[name] = {key: value for key, value in part.items() if key not in aside}
    # A tool without a session accepts one and ignores it.
    closed = "session" in shown and len(shown) == len(schema.get("properties", {}))
    return {
        **schema,
        "properties": shown,
        **({"additionalProperties": False} if closed else {}),
    }


def _common_names(arguments: type[Arguments]) -> set[str]:
    """The names that mean in this tool what they mean in all."""
    found = set()
    for name, field in arguments.model_fields.items():
        defined_in = next(each for each in arguments.__mro__ if name in each.__annotations__)
        if defined_in in _COMMON:
            found.add(field.alias or name)
    return found


# --- references ---------------------------------------------------------------------------------


def _inlined(schema: Schema, shared: Schema, around: tuple[str, ...] = ()) -> Schema | None:
    """The schema with every reference replaced by what it means; none if one means itself."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REFERENCE)
        if name in around:
            return None
        meant = _inlined(shared[name], shared, (*around, name))
        own = {key: value for key, value in schema.items() if key != "$ref"}
        return None if meant is None else {**meant, **own}
    loops = False

    def inner(part: Schema) -> Schema:
        nonlocal loops
        found = _inlined(part, shared, around)
        loops = loops or found is None
        return found or {}

    made = {key: _within(key, value, inner) for key, value in schema.items()}
    return None if loops else made
