"""Shapes: what the data of a tool looks like, as a schema and as a check."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from pydantic import TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError

__all__ = ["check", "schema_of"]


@cache
def _adapter(gives: Any) -> TypeAdapter[Any]:
    return TypeAdapter(gives)


@cache
def _is_struct(gives: Any) -> bool:
    """Whether it is a struct, or made of structs: then msgspec knows what it looks like."""
    if isinstance(gives, type) and issubclass(gives, msgspec.Struct):
        return True
    try:
        _adapter(gives)
    except PydanticSchemaGenerationError:
        return True
    return False


def schema_of(gives: Any) -> dict[str, Any]:
    """The JSON Schema of a `TypedDict`, a model or a struct, by the names the outside knows."""
    if _is_struct(gives):
        reference, parts = msgspec.json.schema_components([gives], ref_template="#/$defs/{name}")
        name = reference[0]["$ref"].removeprefix("#/$defs/")
        schema = parts.pop(name)
        return {**schema, "$defs": parts} if parts else schema
    schema = _adapter(gives).json_schema(by_alias=True, mode="serialization")
    for part in (schema, *schema.get("$defs", {}).values()):
        _without_nothing(part)
    return schema


def _without_nothing(schema: dict[str, Any]) -> None:
    """A model's field that is None is left out, and one with another default is always there."""
    required = list(schema.get("required", ()))
    for name, part in schema.get("properties", {}).items():
        if "default" not in part:
            continue
        if part.pop("default") is not None:
            required.append(name)
        choices = [each for each in part.get("anyOf", ()) if each != {"type": "null"}]
        if len(choices) == 1:
            del part["anyOf"]
            part.update(choices[0])
        elif choices:
            part["anyOf"] = choices
    if required:
        schema["required"] = required


def check(gives: Any, data: Any) -> None:
    """Raise `ValueError` unless `data` is as promised; more than was promised does no harm."""
    if _is_struct(gives):
        msgspec.convert(data, gives)
    else:
        _adapter(gives).validate_python(data)
