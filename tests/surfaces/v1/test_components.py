"""Components: each schema written once, and none mistaken for another."""

from __future__ import annotations

from typing import Any

from stockade.surfaces.v1.components import Components, changed, opened, untitled

POINT = {"type": "object", "title": "Point", "properties": {"x": {"type": "number"}}}


def test_definitions_move_to_the_components() -> None:
    components = Components()
    schema = {
        "type": "object",
        "properties": {"at": {"$ref": "#/$defs/Point"}, "to": {"$ref": "#/$defs/Point"}},
        "$defs": {"Point": POINT, "Unused": {}},
    }
    lifted = components.lifted(schema, "Go")
    assert lifted["properties"]["at"] == {"$ref": "#/components/schemas/Point"}
    assert "$defs" not in lifted
    assert components.schemas == {"Point": POINT}


def test_what_means_the_same_is_shared_and_what_does_not_is_not() -> None:
    components = Components({"Point": {"type": "string"}})
    wanted = {"anyOf": [{"$ref": "#/$defs/Point"}], "$defs": {"Point": POINT}}
    first = components.lifted(wanted, "Go")
    second = components.lifted(wanted, "Move")
    assert first == second == {"anyOf": [{"$ref": "#/components/schemas/GoPoint"}]}
    other = {**wanted, "$defs": {"Point": {"type": "integer"}}}
    assert components.lifted(other, "Go")["anyOf"][0]["$ref"].endswith("/GoPoint2")


def test_the_same_words_about_different_things_are_different() -> None:
    components = Components()
    outer = {"properties": {"inner": {"$ref": "#/$defs/Inner"}}}
    for owner, kind in (("One", "string"), ("Two", "integer")):
        schema = {
            "$ref": "#/$defs/Outer",
            "$defs": {"Outer": outer, "Inner": {"type": kind}},
        }
        name = components.lifted(schema, owner)["$ref"].rpartition("/")[2]
        inner = components.schemas[name]["properties"]["inner"]["$ref"].rpartition("/")[2]
        assert components.schemas[inner] == {"type": kind}


def test_a_schema_may_speak_of_itself() -> None:
    components = Components()
    node = {"title": "Node", "type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    schema = {"$ref": "#/$defs/Node", "$defs": {"Node": node}}
    reference = {"$ref": "#/components/schemas/Node"}
    assert components.lifted(schema, "Walk") == reference
    assert components.schemas["Node"]["properties"]["next"] == reference


def test_only_objects_with_a_title_are_shared_whole() -> None:
    components = Components()
    assert components.shared(POINT, "Go") == {"$ref": "#/components/schemas/Point"}
    assert components.shared({"type": "object"}, "Go") == {"type": "object"}
    assert components.shared({"type": "string", "title": "T"}, "Go")["type"] == "string"


def test_names_are_fit_for_a_document() -> None:
    components = Components()
    schema = {"$ref": "#/$defs/A[b]", "$defs": {"A[b]": {"type": "string"}}}
    assert components.lifted(schema, "Go") == {"$ref": "#/components/schemas/A_b_"}


def test_titles_go_and_properties_called_so_stay() -> None:
    schema: dict[str, Any] = {
        "title": "Page",
        "properties": {"title": {"title": "Title", "type": "string"}},
        "enum": [{"title": "kept"}],
        "additionalProperties": False,
    }
    assert untitled(schema) == {
        "properties": {"title": {"type": "string"}},
        "enum": [{"title": "kept"}],
        "additionalProperties": False,
    }
    assert "additionalProperties" not in opened(schema)
    assert opened({"additionalProperties": {"type": "string"}})["additionalProperties"]


def test_every_schema_within_is_changed() -> None:
    schema = {"anyOf": [{"items": {"a": 1}}], "properties": {"p": {"not": {"a": 1}}}, "a": 1}
    found = changed(schema, lambda part: {**part, "seen": True})
    assert found["anyOf"][0]["items"]["seen"]
    assert found["properties"]["p"]["not"]["seen"]
    assert found["seen"]
