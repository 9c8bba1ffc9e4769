"""Each tool as the document describes it."""

from __future__ import annotations

from stockade.kernel.arguments import InSession
from stockade.surfaces.v1.components import Components
from stockade.surfaces.v1.operations import body_of, operation_of, path_of
from stockade.tools import registry
from stockade.tools.examples import examples

TOOLS = list(registry())


def test_every_tool_has_an_operation() -> None:
    for tool in TOOLS:
        operation = operation_of(tool, examples().get(tool.name), Components())
        assert operation["operationId"] == f"call_{tool.name}"
        assert operation["summary"]
        assert tool.description in operation["description"]
        assert operation["tags"] == [f"tools: {tool.toolset}"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        names = {field.alias or name for name, field in tool.arguments.model_fields.items()}
        if tool.reach != "server" and issubclass(tool.arguments, InSession):
            assert "{session}" in path_of(tool)
            names.remove("session")
        # Any call may be one that is repeated after a person was asked.
        assert set(schema.get("properties", {})) == names | {"approval"}
        assert schema["additionalProperties"] is False
        assert {"200", "401", "404", "422", "500", "504"} <= operation["responses"].keys()


def test_examples_are_shown_without_what_the_address_says() -> None:
    tools = registry()
    click = operation_of(tools.find("click"), examples()["click"], Components())
    asked = click["requestBody"]["content"]["application/json"]["example"]
    told = click["responses"]["200"]["content"]["application/json"]["example"]
    assert asked == examples()["click"].shown["arguments"]
    assert told["ok"] is True
    opened = body_of(tools.find("open_session"), examples()["open_session"], Components())
    assert opened["content"]["application/json"]["example"]["session"] == "work"
    text = operation_of(tools.find("snapshot"), examples()["snapshot"], Components())
    shown = text["responses"]["200"]["content"]["application/json"]
    assert shown["schema"] == {"$ref": "#/components/schemas/TextAnswer"}
    assert set(shown["example"]) == {"ok", "text"}


def test_a_tool_without_an_example_is_described_all_the_same() -> None:
    operation = operation_of(registry().find("click"), None, Components())
    assert "example" not in operation["requestBody"]["content"]["application/json"]
    assert "example" not in operation["responses"]["200"]["content"]["application/json"]


def test_a_body_is_needed_where_an_argument_is() -> None:
    tools = registry()
    assert body_of(tools.find("navigate"), None, Components())["required"] is True
    assert body_of(tools.find("snapshot"), None, Components())["required"] is False
