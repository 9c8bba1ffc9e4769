"""Schemas become plans, or are refused with what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import InvalidArgument
from stockade.page.schema import ListOf, ObjectOf, Source, Value, plan_of


def test_names_types_and_sources() -> None:
    plan = plan_of(
        {
            "type": "object",
            "required": ["unitPrice"],
            "properties": {
                "unitPrice": {"type": "float", "title": "Preis", "minimum": 0},
                "link": {"type": ["string", "null"], "x-source": "a"},
                "tags": {"type": "array", "x-browx-source": {"collection": "li", "attr": "id"}},
                "when": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
                "short": "int",
            },
        }
    )
    assert isinstance(plan, ObjectOf)
    price, link, tags, when, short = plan.fields
    assert (price.required, link.required) == (True, False)
    assert price.node == Value("number", ("unit Price", "Preis"), minimum=0.0)
    assert link.node == Value("string", ("link",), "url", Source("a"), nullable=True)
    assert isinstance(tags.node, ListOf)
    assert tags.node.items == Value("string", ("tags",), source=Source(attr="id"))
    assert when.node == Value("string", ("when",), "date", nullable=True)
    assert short.node == Value("integer", ("short",))


def test_own_definitions_are_followed() -> None:
    plan = plan_of(
        {"$defs": {"Tea": {"type": "string"}}, "type": "array", "items": {"$ref": "#/$defs/Tea"}}
    )
    assert isinstance(plan, ListOf)
    assert isinstance(plan.items, Value)


def deep(levels: int) -> dict[str, Any]:
    return {"type": "array", "items": deep(levels - 1)} if levels else {"type": "string"}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "tuple"},
        {"type": 5},
        {"type": "object"},
        {"type": "object", "properties": {"a": 5}},
        {"type": "object", "properties": {"a": {}}, "required": ["b"]},
        {"type": "object", "properties": {"a": {}}, "required": "a"},
        {"type": "string", "x-source": {"css": "a"}},
        {"type": "string", "x-source": {"selector": 5}},
        {"type": "string", "x-source": {"selector": "a" * 3000}},
        {"type": "string", "x-source": {"prop": "innerHTML"}},
        {"type": "array", "x-source": {"attr": "id"}},
        {"type": "number", "minimum": "a"},
        {"type": "string", "enum": "a"},
        {"$ref": "#/$defs/none"},
        {"$ref": "https://example.org"},
        {"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        {"anyOf": [{"type": "string"}, {"type": "number"}]},
        deep(9),
        {"type": "object", "properties": {f"f{each}": {} for each in range(400)}},
    ],
)
def test_what_cannot_be_planned_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        plan_of(schema)
