"""Shapes: what the data of a tool looks like, as a schema and as a check."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from pydantic import TypeAdapter

__all__ = ["check", "schema_of"]


@cache
def _adapter(gives: Any) -> TypeAdapter[Any]:
    return TypeAdapter(gives)


def _is_struct(gives: Any) -> bool:
    return isinstance(gives, type) and issubclass(gives, msgspec.Struct)


def schema_of(gives: Any) -> dict[str, Any]:
    """The JSON Schema of a `TypedDict`, a model or a struct, by the names the outside knows."""
    if _is_struct(gives):
        reference, parts = msgspec.json.schema_components([gives], ref_template="#/$defs/{name}")
        name = reference[0]["$ref"].removeprefix("#/$defs/")
        schema = parts.pop(name)
        return {**schema, "$defs": parts} if parts else schema
    return _adapter(gives).json_schema(by_alias=True, mode="serialization")


def check(gives: Any, data: Any) -> None:
    """Raise `ValueError` unless `data` is as promised; more than was promised does no harm."""
    if _is_struct(gives):
        msgspec.convert(data, gives)
    else:
        _adapter(gives).validate_python(data)
