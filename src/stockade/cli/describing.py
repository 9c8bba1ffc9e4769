"""Tools in words: their arguments as rows that a person can read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stockade.kernel.tool import Tool

__all__ = ["Argument", "arguments_of", "first_sentence", "rows_of", "schema_of", "type_of"]


@dataclass(frozen=True)
class Argument:
    """One argument of a tool."""

    name: str
    type: str
    required: bool
    default: str
    """As JSON; empty where there is none."""
    description: str


def schema_of(tool: Tool) -> dict[str, Any]:
    """The JSON schema of what the tool takes, under the names the outside knows."""
    return tool.arguments.model_json_schema(by_alias=True)


def first_sentence(text: str) -> str:
    """The text up to its first full stop."""
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


def arguments_of(tool: Tool) -> Iterator[Argument]:
    """The arguments, in the order they are declared, required ones first."""
    return rows_of(schema_of(tool))


def rows_of(schema: dict[str, Any]) -> Iterator[Argument]:
    """The properties of an object, likewise."""
    required = set(schema.get("required", ()))
    rows = schema.get("properties", {})
    for name in sorted(rows, key=lambda name: name not in required):
        part = rows[name]
        default = part.get("default")
        yield Argument(
            name,
            type_of(part, schema.get("$defs", {})) + _range(part),
            name in required,
            "" if default is None else json.dumps(default, ensure_ascii=False),
            part.get("description", ""),
        )


def type_of(part: dict[str, Any], definitions: dict[str, Any]) -> str:
    """A schema in a few words: `integer`, `a | b`, `{x: number, y: number}`, `string[]`."""
    part = resolved(part, definitions)
    constants = part.get("enum", [part["const"]] if "const" in part else [])
    choices = part.get("anyOf") or part.get("oneOf") or ()
    kind = part.get("type", "any")
    if constants or choices:
        words = [type_of(each, definitions) for each in choices if each.get("type") != "null"]
        return " | ".join(dict.fromkeys([*map(str, constants), *words]))
    if kind == "array":
        inner = type_of(part.get("items") or {}, definitions)
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if kind == "object" and part.get("properties"):
        required = part.get("required", ())
        inner = ", ".join(
            f"{name}{'' if name in required else '?'}: {type_of(each, definitions)}"
            for name, each in part["properties"].items()
        )
        return f"{{{inner}}}"
    kinds = kind if isinstance(kind, list) else [kind]
    return " | ".join(each for each in kinds if each != "null")


def resolved(part: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema that is meant where one refers to another."""
    reference = part.get("$ref")
    if reference is None:
        return part
    found: dict[str, Any] = definitions.get(str(reference).rpartition("/")[2], {})
    return found


def _range(part: dict[str, Any]) -> str:
    for each in part.get("anyOf", ()):
        part = {**part, **each}
    if "minimum" in part and "maximum" in part:
        return f" {part['minimum']} to {part['maximum']}"
    bounds = (
        ("minimum", "≥"),
        ("exclusiveMinimum", ">"),
        ("maximum", "≤"),
        ("exclusiveMaximum", "<"),
    )
    return "".join(f" {sign} {part[name]}" for name, sign in bounds if name in part)
