"""What to extract: a JSON schema made into a plan that the page can follow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec

from stockade.errors import InvalidArgument

__all__ = ["Field", "ListOf", "ObjectOf", "Plan", "Source", "Value", "plan_of"]

_KEYS: Final = ("x-browx-source", "x-source")
_TYPES: Final[dict[str, str]] = {
    "string": "string",
    "str": "string",
    "number": "number",
    "float": "number",
    "integer": "integer",
    "int": "integer",
    "boolean": "boolean",
    "bool": "boolean",
}
_FORMATS: Final = {
    **dict.fromkeys(("url", "uri", "uri-reference", "iri"), "url"),
    **dict.fromkeys(("date", "date-time", "datetime", "time"), "date"),
}
_DEEPEST: Final = 8
_MOST_NODES: Final = 300
_LONGEST: Final = 2000
_WORDS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\-.\s]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PROPERTIES: Final = _words(
    "alt cellIndex checked childElementCount className clientHeight clientWidth currentSrc dir "
    "dateTime disabled height hidden href id innerText label lang max min multiple name open "
    "naturalHeight naturalWidth placeholder readOnly required rowIndex selected selectedIndex src "
    "step tabIndex tagName text textContent title type value width"
)
"""What `prop` may read: what an element shows, never what its page put on it."""


class Source(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a value is: an element, and what of it."""

    selector: str = ""
    collection: str = ""
    attr: str = ""
    prop: str = ""
    text: bool = False
    value: bool = False


class Value(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="value"):
    """A single value."""

    type: Literal["string", "number", "integer", "boolean", "any"]
    names: tuple[str, ...] = ()
    format: str = ""
    source: Source | None = None
    nullable: bool = False
    choices: tuple[Any, ...] = ()
    minimum: float | None = None
    maximum: float | None = None


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """A property of an object."""

    key: str
    node: Plan
    required: bool = False
    default: Any = None
    has_default: bool = False


class ObjectOf(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="object"):
    """An object with these fields."""

    fields: tuple[Field, ...]
    names: tuple[str, ...] = ()
    source: Source | None = None


class ListOf(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="array"):
    """Many of a kind."""

    items: Plan
    names: tuple[str, ...] = ()
    source: Source | None = None
    least: int = 0
    most: int | None = None


Plan: TypeAlias = Value | ObjectOf | ListOf


def plan_of(schema: Mapping[str, Any]) -> Plan:
    """The plan for a schema; whatever it asks for that cannot be done is refused here."""
    return _Planner(schema).plan(schema, "", 0, "schema")


def _refused(path: str, what: str) -> InvalidArgument:
    return InvalidArgument(
        f"{path}: {what}",
        hint="A schema is {type, properties, required, items, …}; a field may say where it is "
        "found by x-source {selector, attr, prop, text, value, collection}.",
    )


class _Planner:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._nodes = 0

    def plan(self, raw: Any, key: str, depth: int, path: str) -> Plan:
        self._nodes += 1
        if depth > _DEEPEST or self._nodes > _MOST_NODES:
            raise _refused(path, f"more than {_DEEPEST} levels or {_MOST_NODES} fields")
        schema, nullable = self._plain(raw, path)
        kind, also_null = _kind(schema, path)
        names = _names(key, schema)
        source = _source(schema, path)
        if kind == "object":
            return ObjectOf(self._fields(schema, depth, path), names, source)
        if kind == "array":
            return self._list(schema, key, names, source, depth, path)
        choices = schema.get("enum", ())
        if "const" in schema:
            choices = (schema["const"],)
        if not isinstance(choices, (list, tuple)) or len(choices) > _MOST_NODES:
            raise _refused(path, "enum must be a list of values")
        return Value(
            type=kind,  # type: ignore[arg-type]
            names=names,
            format=_format(schema, key),
            source=source,
            nullable=nullable or also_null,
            choices=tuple(choices),
            minimum=_bound(schema, "minimum", path),
            maximum=_bound(schema, "maximum", path),
        )

    def _plain(self, raw: Any, path: str) -> tuple[Mapping[str, Any], bool]:
        """The schema itself, references followed and an alternative to null taken apart."""
        nullable = False
        if isinstance(raw, str):
            raw = {"type": raw}
        for _ in range(_DEEPEST):
            if not isinstance(raw, Mapping):
                raise _refused(path, "must be a schema")
            if isinstance(raw.get("$ref"), str):
                named = re.fullmatch(r"#/(\$defs|definitions)/(.+)", raw["$ref"])
                held = self._root.get(named[1]) if named else None
                if named is None or not isinstance(held, Mapping) or named[2] not in held:
                    raise _refused(path, "$ref must name one of the schema's own $defs")
                raw = {**held[named[2]], **{k: v for k, v in raw.items() if k != "$ref"}}
                continue
            choice = next((k for k in ("anyOf", "oneOf", "allOf") if k in raw), None)
            if choice is None:
                return raw, nullable
            parts = raw[choice] if isinstance(raw[choice], list) else []
            real = [each for each in parts if each != {"type": "null"}]
            nullable = nullable or len(real) < len(parts)
            if len(real) != 1 or not isinstance(real[0], Mapping):
                raise _refused(path, f"{choice} may only be one schema, or one and null")
            raw = {**real[0], **{k: v for k, v in raw.items() if k != choice}}
        raise _refused(path, "too many references")

    def _fields(self, schema: Mapping[str, Any], depth: int, path: str) -> tuple[Field, ...]:
        properties = schema.get("properties")
        if not isinstance(properties, Mapping) or not properties:
            raise _refused(path, "an object needs properties")
        required = schema.get("required", ())
        if not isinstance(required, (list, tuple, bool)):
            raise _refused(path, "required must be a list of names")
        named = frozenset(required) if not isinstance(required, bool) else frozenset()
        unknown = [str(each)[:60] for each in named - properties.keys()]
        if unknown:
            raise _refused(path, f"required names no property: {', '.join(sorted(unknown))}")
        fields = []
        for key, raw in properties.items():
            inner = raw if isinstance(raw, Mapping) else {}
            default = inner.get("default")
            node = self.plan(raw, str(key), depth + 1, f"{path}.{str(key)[:60]}")
            must = key in named or inner.get("required") is True
            fields.append(Field(str(key), node, must, default, "default" in inner))
        return tuple(fields)

    def _list(
        self,
        schema: Mapping[str, Any],
        key: str,
        names: tuple[str, ...],
        source: Source | None,
        depth: int,
        path: str,
    ) -> ListOf:
        raw = schema.get("items", {"type": "string"})
        items = self.plan(raw, key, depth + 1, f"{path}[]")
        if source is not None:
            if not (source.collection or source.selector):
                raise _refused(path, "a source of an array needs a collection")
            if isinstance(items, Value) and items.source is None:
                inner = source.selector if source.collection else ""
                own = msgspec.structs.replace(source, collection="", selector=inner)
                items = msgspec.structs.replace(items, source=own)
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        return ListOf(
            items,
            names,
            source,
            least if isinstance(least, int) else 0,
            most if isinstance(most, int) else None,
        )


def _kind(schema: Mapping[str, Any], path: str) -> tuple[str, bool]:
    """The type that is meant, and whether null is one too."""
    said = schema.get("type")
    kinds = list(said) if isinstance(said, list) else [said]
    nullable = "null" in kinds or schema.get("nullable") is True
    kinds = [each for each in kinds if each != "null"]
    if kinds == [None] or not kinds:
        if "properties" in schema:
            return "object", nullable
        return ("array" if "items" in schema else "any"), nullable
    if len(kinds) > 1:
        return "any", nullable
    kind = kinds[0]
    if kind in ("object", "array"):
        return kind, nullable
    if not isinstance(kind, str) or kind not in _TYPES:
        raise _refused(path, "type must be string, number, integer, boolean, object or array")
    return _TYPES[kind], nullable


def _names(key: str, schema: Mapping[str, Any]) -> tuple[str, ...]:
    """What a page may call a field: its key in words, and its title."""
    words = " ".join(part for part in _WORDS.split(key) if part)
    title = schema.get("title")
    said = (words, title if isinstance(title, str) else "")
    return tuple(dict.fromkeys(each[:100] for each in said if each))


def _format(schema: Mapping[str, Any], key: str) -> str:
    said = schema.get("format")
    if isinstance(said, str):
        return _FORMATS.get(said, "")
    return "url" if key.lower() in {"url", "href", "link", "image"} else ""


def _bound(schema: Mapping[str, Any], name: str, path: str) -> float | None:
    said = schema.get(name)
    if said is None:
        return None
    if isinstance(said, bool) or not isinstance(said, (int, float)):
        raise _refused(path, f"{name} must be a number")
    return float(said)


def _source(schema: Mapping[str, Any], path: str) -> Source | None:
    said = next((schema[key] for key in _KEYS if key in schema), None)
    if said is None:
        return None
    if isinstance(said, str):
        said = {"selector": said}
    try:
        source = msgspec.convert(
            {k: v for k, v in said.items() if v is not None}, type=Source, strict=True
        )
    except (msgspec.ValidationError, AttributeError):
        raise _refused(
            path, "a source is {selector, attr, prop, text, value, collection}"
        ) from None
    if isinstance(said, Mapping) and (unknown := said.keys() - Source.__struct_fields__):
        raise _refused(path, f"a source has no {', '.join(sorted(map(str, unknown)))[:100]}")
    if any(len(each) > _LONGEST for each in (source.selector, source.collection)):
        raise _refused(path, f"a selector is longer than {_LONGEST} characters")
    if source.prop and source.prop not in PROPERTIES:
        raise _refused(path, f"prop must be one of {', '.join(sorted(PROPERTIES))}")
    return source
