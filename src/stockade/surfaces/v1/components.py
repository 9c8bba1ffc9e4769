"""Components: schemas that several operations of the document share, each written once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

__all__ = ["Components", "changed", "opened", "untitled"]

Schema = dict[str, Any]

_PREFIX: Final = "#/components/schemas/"
_LOCAL: Final = "#/$defs/"
_NAMED: Final = {"properties", "$defs", "patternProperties"}
"""Keywords whose value maps names to schemas."""
_AS_IT_IS: Final = {"enum", "const", "default", "examples", "example", "required"}
"""Keywords whose value is no schema, whatever it looks like."""


def changed(schema: Any, change: Callable[[Schema], Schema]) -> Any:
    """A schema with `change` done to it and to every schema within, the innermost first."""
    if isinstance(schema, list):
        return [changed(each, change) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {}
    for key, value in schema.items():
        if key in _NAMED:
            inner[key] = {name: changed(part, change) for name, part in value.items()}
        else:
            inner[key] = value if key in _AS_IT_IS else changed(value, change)
    return change(inner)


def untitled(schema: Schema) -> Schema:
    """Without the titles, which say again what a name says."""
    return _without(schema, lambda key, _: key == "title")


def opened(schema: Schema) -> Schema:
    """As a promise: more than it names does no harm."""
    return _without(schema, lambda key, value: key == "additionalProperties" and value is False)


def _without(schema: Schema, surplus: Callable[[str, Any], bool]) -> Schema:
    def less(part: Schema) -> Schema:
        return {key: value for key, value in part.items() if not surplus(key, value)}

    return changed(schema, less)  # type: ignore[no-any-return]


class Components:
    """The schemas of a document by name; two that differ never have the same one."""

    def __init__(self, schemas: dict[str, Schema] | None = None) -> None:
        self.schemas: dict[str, Schema] = dict(schemas or {})
        self._names: dict[str, str] = {}

    def shared(self, schema: Schema, owner: str) -> Schema:
        """A reference to a schema that has a title; one without is given back as it is."""
        local = schema.get("$defs", {})
        own = {key: value for key, value in schema.items() if key != "$defs"}
        title = own.get("title")
        if not isinstance(title, str) or own.get("type") != "object":
            return self.lifted(schema, owner)
        name = self._name(title, own, local, owner)
        return {"$ref": f"{_PREFIX}{name}"}

    def lifted(self, schema: Schema, owner: str) -> Schema:
        """A schema with all that it defines moved to the components."""
        local = schema.get("$defs", {})
        own = {key: value for key, value in schema.items() if key != "$defs"}
        return self._resolved(own, local, owner)

    def _resolved(self, schema: Schema, local: dict[str, Schema], owner: str) -> Schema:
        def renamed(part: Schema) -> Schema:
            target = part.get("$ref")
            if not isinstance(target, str) or not target.startswith(_LOCAL):
                return part
            name = target.removeprefix(_LOCAL)
            return {**part, "$ref": f"{_PREFIX}{self._name(name, local[name], local, owner)}"}

        return changed(schema, renamed)  # type: ignore[no-any-return]

    def _name(self, wanted: str, schema: Schema, local: dict[str, Schema], owner: str) -> str:
        """What a definition is called in the document; it is added when it is new."""
        meaning = json.dumps([wanted, schema, _closure(schema, local)], sort_keys=True)
        if meaning not in self._names:
            plain = re.sub(r"[^A-Za-z0-9._-]", "_", wanted)
            name = plain if plain not in self.schemas else f"{owner}{plain}"
            number = 1
            while name in self.schemas:
                number += 1
                name = f"{owner}{plain}{number}"
            self._names[meaning] = name
            # Its place first: it may speak of itself.
            self.schemas[name] = {}
            self.schemas[name] = self._resolved(schema, local, owner)
        return self._names[meaning]


def _closure(schema: Schema, local: dict[str, Schema]) -> dict[str, Schema]:
    """Every definition that a schema speaks of, directly or not."""
    found: dict[str, Schema] = {}
    pending: list[Any] = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += part
        elif isinstance(part, dict):
            target = part.get("$ref")
            name = target.removeprefix(_LOCAL) if isinstance(target, str) else ""
            if name in local and name not in found:
                found[name] = local[name]
                pending.append(local[name])
            pending += part.values()
    return found
