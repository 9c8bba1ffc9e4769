from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from mcp.types import ListToolsResult
from pydantic import Field

from stockade.kernel.arguments import ActionOptions, Arguments, InSession, OnTarget
from stockade.policy.principal import Principal
from stockade.surfaces.mcp.schemas import described, input_schema, size_of
from stockade.tools import registry
from tests.support.mcp import Trial

BUDGET = 12_000
BUDGET_OF_ALL = 80_000
"""What an agent with the usual capabilities is shown of all toolsets."""
BUDGET_OF_EVERYTHING = 92_000
"""The same, with every capability on and for an operator."""
TOOLS = list(registry())


class Size(Arguments):
    """How large."""

    width: int = Field(ge=1, le=7680)
    height: int = Field(ge=1, le=50)


class Everything(InSession):
    """One of each kind."""

    title: str
    """A property may be called what a keyword is called."""
    size: Size | None = None
    note: Annotated[str | None, Field(max_length=10, description="in words")] = None
    kind: Literal["a", "b"] = "a"
    on: bool = False
    many: Annotated[tuple[str, ...], Field(max_length=20)] = ()
    value: str | bool | int | float | None = None


class Leaf(Arguments):
    """A part with much in it."""

    first: Literal["one", "two", "three", "four", "five"]
    second: Literal["six", "seven", "eight", "nine", "ten"]


class Often(Arguments):
    """The same part many times."""

    a: Leaf
    b: Leaf
    c: Leaf


class Node(Arguments):
    """A part of itself."""

    inner: Node | None = None


class Tree(Arguments):
    """Holds what holds itself."""

    root: Node


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema within a schema."""
    if isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            if key in {"properties", "$defs"}:
                for part in value.values():
                    yield from parts(part)
            elif key in {"items", "anyOf"}:
                for part in value if isinstance(value, list) else [value]:
                    yield from parts(part)


def test_everything_that_says_nothing_is_left_out() -> None:
    assert input_schema(Everything) == {
        "type": "object",
        "additionalProperties": False,
        "required": ["title"],
        "properties": {
            "session": {"type": "string"},
            "title": {"type": "string"},
            "size": {
                "type": "object",
                "required": ["width", "height"],
                "properties": {
                    "width": {"type": "integer"},
                    "height": {"type": "integer", "maximum": 50},
                },
            },
            "note": {"type": "string", "description": "in words"},
            "kind": {"type": "string", "enum": ["a", "b"], "default": "a"},
            "on": {"type": "boolean"},
            "many": {"type": "array", "items": {"type": "string"}, "maxItems": 20},
            "value": {"anyOf": [{"type": "string"}, {"type": "boolean"}, {"type": "number"}]},
        },
    }


def test_a_reference_stays_where_it_saves_room() -> None:
    schema = input_schema(Often)
    assert set(schema["$defs"]) == {"Leaf"}
    assert schema["properties"]["c"] == {"$ref": "#/$defs/Leaf"}
    assert "description" not in schema["$defs"]["Leaf"]


def test_what_holds_itself_cannot_be_written_out() -> None:
    schema = input_schema(Tree)
    assert schema["$defs"]["Node"]["properties"]["inner"] == {"$ref": "#/$defs/Node"}


class Poke(ActionOptions, OnTarget):
    """An action on an element."""

    hard: bool = False


class Wait(ActionOptions, InSession):
    """An action with an own idea of time."""

    timeout_ms: Annotated[int, Field(description="how long")] = 5000


def test_what_all_tools_share_is_short_and_what_is_seldom_wanted_leaves_room() -> None:
    schema = input_schema(Poke)
    assert set(schema["properties"]) == {
        *("session", "tab", "ref", "selector", "coords", "mode", "hard"),
    }
    assert schema["properties"]["ref"] == {"type": "string"}
    assert "default" not in schema["properties"]["mode"]
    assert "additionalProperties" not in schema


def test_outside_the_core_fewer_of_them_are_shown() -> None:
    schema = input_schema(Poke, core=False)
    assert set(schema["properties"]) == {"session", "ref", "selector", "coords", "hard"}
    assert "additionalProperties" not in schema


def test_a_tool_may_have_more_to_say_about_a_shared_name() -> None:
    shown = input_schema(Wait)["properties"]["timeoutMs"]
    assert shown == {"type": "integer", "default": 5000, "description": "how long"}


def test_every_tool_is_shown_as_a_small_schema() -> None:
    for tool in TOOLS:
        shown = described(tool)
        assert shown.name == tool.name
        assert shown.description
        assert shown.output_schema is None
        assert shown.input_schema["type"] == "object"
        for part in parts(shown.input_schema):
            assert not isinstance(part.get("title"), str)
            assert part.get("default", 1) is not None
            assert {"type": "null"} not in part.get("anyOf", [])


def test_hints_are_given_where_they_differ_from_what_is_taken_for_granted() -> None:
    shown = {tool.name: described(tool).annotations for tool in TOOLS}
    told = {
        name: hints.model_dump(by_alias=True, exclude_none=True) if hints is not None else None
        for name, hints in shown.items()
    }
    assert told["list_sessions"] == {"readOnlyHint": True, "openWorldHint": False}
    assert told["close_session"] == {"idempotentHint": True, "openWorldHint": False}
    assert told["tabs"] == {"destructiveHint": False}
    assert told["snapshot"] == {"readOnlyHint": True}
    assert told["click"] is None


def test_the_core_tools_fit_into_their_budget() -> None:
    core = [described(tool) for tool in TOOLS if tool.toolset == "core"]
    result = ListToolsResult(tools=core).model_dump_json(by_alias=True, exclude_none=True)
    assert len(result.encode()) <= BUDGET, f"{len(result.encode())} bytes for {len(core)} tools"


def test_tools_without_arguments_leave_room_for_the_session_that_they_ignore() -> None:
    counting = next(each for each in Trial().tools() if each.name == "counting")
    assert json.loads(json.dumps(described(counting).input_schema)) == {
        "type": "object",
        "properties": {},
    }


def test_all_tools_together_stay_within_their_budget() -> None:
    tools = registry()
    shown = tools.shown(tools.chosen(["all"]), Principal("k"))
    assert sum(map(size_of, shown)) < BUDGET_OF_ALL
    assert sum(map(size_of, TOOLS)) < BUDGET_OF_EVERYTHING
    listed = described(TOOLS[0]).model_dump(mode="json", by_alias=True, exclude_none=True)
    assert size_of(TOOLS[0]) == len(
        json.dumps(listed, separators=(",", ":"), ensure_ascii=False).encode()
    )
