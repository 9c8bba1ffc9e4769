"""Operations: each tool as the document describes it, from what the registry knows of it."""

from __future__ import annotations

from typing import Any, Final

from stockade.kernel.arguments import InSession
from stockade.kernel.shapes import schema_of
from stockade.kernel.tool import Tool
from stockade.surfaces.v1.components import Components, opened, untitled
from stockade.surfaces.v1.statuses import ALWAYS, NAMES, TOOL
from stockade.tools.examples import Example

__all__ = ["ANSWER", "TEXT", "body_of", "operation_of", "path_of"]

Schema = dict[str, Any]

_IMAGES: Final = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["mimeType", "data"],
        "properties": {
            "mimeType": {"type": "string"},
            "data": {"type": "string", "contentEncoding": "base64"},
        },
    },
}
_LINKS: Final = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["uri", "name", "mimeType"],
        "properties": {
            "uri": {"type": "string"},
            "name": {"type": "string"},
            "mimeType": {"type": "string"},
            "size": {"type": "integer"},
            "href": {"type": "string", "description": "Where the bytes are, on this server."},
        },
    },
}
ANSWER: Final[Schema] = {
    "type": "object",
    "description": "What every answer of a tool has beside its own data.",
    "required": ["ok"],
    "properties": {
        "ok": {"type": "boolean"},
        "untrusted": {
            "type": "string",
            "description": "What follows comes from a page: a marker, and the page's origin.",
        },
        "end": {"type": "string", "description": "The marker again, where that ends."},
        "truncated": {"type": "boolean", "description": "Whether it was cut to fit the budget."},
        "leftOut": {"type": "object", "description": "What was cut, and how much of it."},
        "images": _IMAGES,
        "links": _LINKS,
    },
}
_APPROVAL: Final[Schema] = {
    "type": "string",
    "maxLength": 100,
    "description": "The question that `approval_pending` told of, when the call is repeated.",
}
TEXT: Final[Schema] = {
    "type": "object",
    "description": "An answer that is read rather than parsed.",
    "required": ["ok", "text"],
    "properties": {
        "ok": {"type": "boolean"},
        "text": {"type": "string"},
        "images": _IMAGES,
        "links": _LINKS,
    },
}


def path_of(tool: Tool) -> str:
    """Where a tool is called."""
    if tool.reach == "server":
        return f"/v1/tools/{tool.name}"
    return f"/v1/sessions/{{session}}/tools/{tool.name}"


def operation_of(tool: Tool, example: Example | None, components: Components) -> Schema:
    """The operation of a tool."""
    parameters: list[Schema] = [{"$ref": "#/components/parameters/IdempotencyKey"}]
    if tool.reach != "server":
        parameters.insert(0, {"$ref": "#/components/parameters/Session"})
    answered: Schema = {"schema": _answer(tool, components)}
    if example is not None and "result" in example.shown:
        answered["example"] = _shown(tool, example.shown["result"])
    responses: Schema = {
        "200": {
            "description": "What came of it.",
            "headers": {"Stockade-Call": {"$ref": "#/components/headers/StockadeCall"}},
            "content": {"application/json": answered},
        }
    }
    for status in sorted(ALWAYS | TOOL):
        responses[str(status)] = {"$ref": f"#/components/responses/{NAMES[status]}"}
    return {
        "operationId": f"call_{tool.name}",
        "summary": tool.description.partition(". ")[0].rstrip("."),
        "description": _described(tool),
        "tags": [f"tools: {tool.toolset}"],
        "parameters": parameters,
        "requestBody": body_of(tool, example, components),
        "responses": responses,
        "x-capability": tool.capability,
        "x-toolset": tool.toolset,
        "x-reads": tool.reads,
        "x-destructive": tool.destructive,
    }


def body_of(tool: Tool, example: Example | None, components: Components) -> Schema:
    """What a tool takes; the session is named by the address."""
    schema = tool.arguments.model_json_schema(by_alias=True)
    within = tool.reach != "server" and issubclass(tool.arguments, InSession)
    if within:
        schema.get("properties", {}).pop("session", None)
    schema.setdefault("properties", {})["approval"] = _APPROVAL
    lifted = untitled(components.lifted(schema, _camel(tool.name)))
    # What a model says of itself is for those who read the source.
    lifted.pop("description", None)
    content: Schema = {"schema": lifted}
    if example is not None and "arguments" in example.shown:
        given = example.shown["arguments"]
        content["example"] = {
            name: value for name, value in given.items() if name != "session" or not within
        }
    return {
        "required": bool(schema.get("required")),
        "content": {"application/json": content},
    }


def _answer(tool: Tool, components: Components) -> Schema:
    if tool.gives is str:
        return {"$ref": "#/components/schemas/TextAnswer"}
    promised = opened(schema_of(tool.gives))
    if isinstance(promised.get("additionalProperties"), dict):
        # It speaks of every name that it does not know, and knows only its own.
        known = {**ANSWER["properties"], **promised.get("properties", {})}
        named = {**promised, "properties": known}
        return untitled(components.lifted(named, _camel(tool.name)))
    own = components.shared(promised, _camel(tool.name))
    return {"allOf": [own, {"$ref": "#/components/schemas/Answer"}]}


def _shown(tool: Tool, result: Any) -> Schema:
    if tool.gives is str or not isinstance(result, dict):
        return {"ok": True, "text": result}
    return {"ok": True, **result}


def _described(tool: Tool) -> str:
    needed = f"Needs the capability `{tool.capability}`." if tool.capability else ""
    return " ".join(each for each in (tool.description, needed) if each)


def _camel(name: str) -> str:
    return "".join(each.capitalize() for each in name.split("_"))
