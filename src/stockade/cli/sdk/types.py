"""JSON Schema as Python types: what the generated client is annotated with."""

from __future__ import annotations

import json
import keyword
from collections.abc import Iterator
from typing import Any

__all__ = ["Types"]

Schema = dict[str, Any]
_PLAIN = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}
_REFERENCE = "#/$defs/"


class Types:
    """The types of one module, and the `TypedDict`s that they need."""

    def __init__(self, prefix: str, shared: Types | None = None) -> None:
        self._prefix = prefix
        self._shared = shared
        self.borrowed: set[str] = set()
        """What it takes from the types that all modules share."""
        self._made: dict[str, str] = {}
        self._bodies: dict[str, str] = {}

    def sources(self) -> Iterator[str]:
        """The definitions, in an order in which each may name those before it."""
        yield from self._made.values()

    def knows(self, name: str, body: str) -> bool:
        """Whether exactly that is defined here."""
        return self._bodies.get(name) == body

    def _means_another(self, name: str, body: str) -> bool:
        common = self._shared is not None and self._shared.defines(name)
        return common or self._bodies.get(name, body) != body

    def defines(self, name: str) -> bool:
        """Whether there is something of that name."""
        return name in self._bodies

    def of(self, schema: Schema, shared: Schema, hint: str) -> str:
        """The type that a schema describes; `hint` names it if it needs a name."""
        if "$ref" in schema:
            name = schema["$ref"].removeprefix(_REFERENCE)
            return self.of(shared[name], shared, _camel(name))
        values = [schema["const"]] if "const" in schema else schema.get("enum")
        if values is not None:
            return f"Literal[{', '.join(map(repr, values))}]"
        choices = schema.get("anyOf") or schema.get("oneOf")
        if choices:
            found = (self.of(each, shared, f"{hint}{n or ''}") for n, each in enumerate(choices))
            return " | ".join(dict.fromkeys(found))
        kind = schema.get("type")
        if isinstance(kind, list):
            return " | ".join(self.of({**schema, "type": each}, shared, hint) for each in kind)
        if kind in {"array", "object"}:
            make = self._array if kind == "array" else self._object
            return make(schema, shared, hint)
        return _PLAIN.get(str(kind), "Any")

    def _array(self, schema: Schema, shared: Schema, hint: str) -> str:
        parts = schema.get("prefixItems")
        if parts:
            inner = " | ".join(dict.fromkeys(self.of(each, shared, hint) for each in parts))
            return f"list[{inner}]"
        items = schema.get("items")
        inner = self.of(items, shared, f"{hint}Item") if isinstance(items, dict) else "Any"
        return f"list[{inner}]"

    def _object(self, schema: Schema, shared: Schema, hint: str) -> str:
        if "properties" in schema:
            return self.dictionary(hint, schema, shared)
        values = schema.get("additionalProperties")
        inner = self.of(values, shared, hint) if isinstance(values, dict) else "Any"
        return f"dict[str, {inner}]"

    def dictionary(self, name: str, schema: Schema, shared: Schema, base: str = "TypedDict") -> str:
        """Define a `TypedDict` and give its name; the same one twice is defined once."""
        body = json.dumps([_resolved(schema, shared), base], sort_keys=True)
        if self._shared is not None and self._shared.knows(name, body):
            self.borrowed.add(name)
            return name
        named = name
        while self._means_another(named, body):
            named = f"{named}_" if named.startswith(self._prefix) else f"{self._prefix}{named}"
        if named in self._bodies:
            return named
        self._bodies[named] = body
        required = set(schema.get("required", ()))
        fields = [
            (key, self.of(part, shared, f"{named}{_camel(key)}"), key in required)
            for key, part in schema["properties"].items()
        ]
        # What its fields name has been defined by now, so that it comes after them.
        self._made[named] = _definition(named, base, _line(schema), fields)
        return named


def _resolved(schema: Any, shared: Schema) -> Any:
    """The schema with what it refers to in the place of references, so that it can be compared."""
    if isinstance(schema, list):
        return [_resolved(each, shared) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _resolved(shared[schema["$ref"].removeprefix(_REFERENCE)], shared)
    return {key: _resolved(part, shared) for key, part in schema.items()}


def _definition(name: str, base: str, line: str, fields: list[tuple[str, str, bool]]) -> str:
    typed = [(key, kind if must else f"NotRequired[{kind}]") for key, kind, must in fields]
    if all(key.isidentifier() and not keyword.iskeyword(key) for key, _ in typed):
        rows = "".join(f"    {key}: {kind}\n" for key, kind in typed)
        return f'class {name}({base}):\n    """{line}"""\n\n{rows}'
    rows = "".join(f'    "{key}": {kind},\n' for key, kind in typed)
    inherits = "" if base == "TypedDict" else f'class {name}({base}, _{name}):\n    """{line}"""\n'
    if inherits:
        return f'_{name} = TypedDict("_{name}", {{\n{rows}}})\n\n\n{inherits}'
    return f'{name} = TypedDict("{name}", {{\n{rows}}})\n"""{line}"""\n'


def _line(schema: Schema) -> str:
    said = " ".join(str(schema.get("description", "")).split()).replace('"""', "'''")
    first = said.partition(". ")[0].rstrip(".")
    return f"{first}." if first else "A part of a result."


def _camel(name: str) -> str:
    return "".join(
        part[:1].upper() + part[1:] for part in name.replace("-", "_").split("_") if part
    )
