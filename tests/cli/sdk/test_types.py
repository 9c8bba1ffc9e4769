"""Schemas as Python types."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.cli.sdk.types import Types


def one(schema: dict[str, Any], shared: dict[str, Any] | None = None) -> str:
    return Types("Test").of(schema, shared or {}, "Thing")


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "str"),
        ({"type": "integer"}, "int"),
        ({"type": "number"}, "float"),
        ({}, "Any"),
        ({"const": "clean"}, "Literal['clean']"),
        ({"enum": ["a", False]}, "Literal['a', False]"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "str | None"),
        ({"type": ["string", "null"]}, "str | None"),
        ({"type": "array", "items": {"type": "boolean"}}, "list[bool]"),
        ({"type": "array"}, "list[Any]"),
        ({"type": "array", "prefixItems": [{"type": "number"}] * 2}, "list[float]"),
        ({"type": "object"}, "dict[str, Any]"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "dict[str, int]"),
    ],
)
def test_plain_types(schema: dict[str, Any], kind: str) -> None:
    assert one(schema) == kind


def test_objects_get_a_name_and_come_after_what_they_need() -> None:
    types = Types("Test")
    box = {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}
    row = {
        "type": "object",
        "properties": {"box": {"$ref": "#/$defs/Box"}},
        "description": "A row. More.",
    }
    assert types.of(row, {"Box": box}, "Row") == "Row"
    first, second = types.sources()
    assert first == 'class Box(TypedDict):\n    """A part of a result."""\n\n    x: float\n'
    assert second == 'class Row(TypedDict):\n    """A row."""\n\n    box: NotRequired[Box]\n'


def test_one_name_never_means_two_things() -> None:
    types = Types("Test")
    first = {"type": "object", "properties": {"a": {"type": "string"}}}
    second = {"type": "object", "properties": {"b": {"type": "string"}}}
    assert types.of(first, {}, "Thing") == "Thing"
    assert types.of(first, {}, "Thing") == "Thing"
    assert types.of(second, {}, "Thing") == "TestThing"
    assert len(list(types.sources())) == 2


def test_words_of_the_language_can_be_keys() -> None:
    types = Types("Test")
    types.of({"type": "object", "properties": {"from": {"type": "string"}}}, {}, "Way")
    [source] = types.sources()
    assert 'Way = TypedDict("Way", {' in source
    types.dictionary(
        "Result", {"properties": {"from": {}}, "required": ["from"]}, {}, base="Beside"
    )
    assert "class Result(Beside, _Result):" in list(types.sources())[-1]


def test_what_all_share_is_borrowed() -> None:
    shared = Types("Common")
    box = {"type": "object", "properties": {"x": {"type": "number"}}}
    shared.of(box, {}, "Box")
    types = Types("Test", shared)
    assert types.of(box, {}, "Box") == "Box"
    assert types.borrowed == {"Box"}
    assert list(types.sources()) == []


def test_a_shared_name_is_never_given_to_something_else() -> None:
    shared = Types("Common")
    shared.of({"type": "object", "properties": {"x": {"type": "number"}}}, {}, "Box")
    types = Types("Test", shared)
    other = {"type": "object", "properties": {"y": {"type": "number"}}}
    assert types.of(other, {}, "Box") == "TestBox"
