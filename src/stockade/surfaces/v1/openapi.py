"""The OpenAPI document: every route, and every tool as an operation of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any, Final

from fastapi import FastAPI

from stockade.kernel.codes import ASKED, CODES
from stockade.kernel.registry import Registry
from stockade.surfaces.answers import encoded
from stockade.surfaces.tabs import description as tabs
from stockade.surfaces.v1.components import Components, untitled
from stockade.surfaces.v1.operations import ANSWER, TEXT, body_of, operation_of, path_of
from stockade.surfaces.v1.statuses import NAMES, codes_of
from stockade.tools.examples import examples
from stockade.tools.toolsets import TOOLSETS

__all__ = ["Description", "document"]

Schema = dict[str, Any]

_ABOUT: Final = """\
A browser server for AI agents. Every tool is called by a POST with its arguments as a JSON object.

Lists have `limit` and `cursor`, and say what comes `next`. Every error has the one shape `Error`.
A POST, PUT or DELETE with an `Idempotency-Key` is carried out once, however often it is sent."""
_TAGS: Final = {
    "sessions": "Isolated browser states, with their tabs.",
    "tools": "What can be done, and how each tool is called.",
    "artifacts": "The files of a session: pictures, downloads, and what was put there.",
    "events": "What happens, as it happens.",
    "approvals": "What waits for a person. For operators.",
    "secrets": "Values that agents use by name and never see. For operators.",
    "keys": "Who may come in. For admins alone.",
    "server": "The server itself.",
    tabs.TAG: "The tab API, as clients of camofox-browser know it.",
}
_STRING: Final = {"type": "string"}
_PARAMETERS: Final = {
    "Session": {
        "name": "session",
        "in": "path",
        "required": True,
        "description": "The name of a session, or its id. `default` opens by itself.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 100},
        "example": "default",
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "The same key with the same request gets the first answer again.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    },
}
_HEADERS: Final = {
    "StockadeCall": {"description": "The id of the call, as in the log.", "schema": _STRING},
    "RequestId": {"description": "The id of the request, as in the log.", "schema": _STRING},
    "RetryAfter": {"description": "Seconds to wait.", "schema": {"type": "integer"}},
}
_ERROR: Final = {
    "type": "object",
    "description": "The one shape of every error. Some have more fields, which say more.",
    "required": ["ok", "error", "code", "retryable", "failure"],
    "properties": {
        "ok": {"const": False},
        "error": {"type": "string", "description": "What is wrong, in words."},
        "code": {"enum": sorted(CODES)},
        "retryable": {"type": "boolean", "description": "The same request may work later."},
        "hint": {"type": "string", "description": "What to do about it."},
        "failure": {
            "type": "object",
            "required": ["source"],
            "properties": {
                "source": {"enum": ["app", "stockade", "caller", "unknown"]},
                **{key: {} for key in ASKED},
            },
        },
    },
}
_ONE_TOOL: Final = "/v1/tools/{tool}"
_METHODS: Final = {"get", "put", "post", "delete"}
_CHANGING: Final = {"put", "post", "delete"}


class Description:
    """The document as bytes, made when it is first asked for."""

    def __init__(self, app: FastAPI, registry: Registry) -> None:
        self._app = app
        self._registry = registry
        self._making = asyncio.Lock()
        self._made: Schema | None = None
        self._body = b""

    async def document(self) -> Schema:
        """The document."""
        async with self._making:
            if self._made is None:
                made = await asyncio.to_thread(document, self._app, self._registry)
                self._body = encoded(made)
                self._made = json.loads(self._body)
            return self._made

    async def body(self) -> bytes:
        """The same as JSON."""
        await self.document()
        return self._body


def document(app: FastAPI, registry: Registry) -> Schema:
    """What the routes of the application say of themselves, with the tools of the registry."""
    made: Schema = app.openapi()
    made = {**made, "paths": {path: dict(item) for path, item in made["paths"].items()}}
    components = Components(_own_schemas(made))
    components.schemas |= {"Error": _ERROR, "Answer": ANSWER, "TextAnswer": TEXT}
    worked = examples()
    for path, method, operation in _operations(made["paths"]):
        named = operation.pop("x-arguments", None)
        if named is not None:
            operation["requestBody"] = body_of(registry.find(named), worked.get(named), components)
        operation["parameters"] = [_parameter(each) for each in operation.get("parameters", ())]
        operation["responses"] = {
            status: {"$ref": each["$ref"]} if "$ref" in each else each
            for status, each in operation["responses"].items()
        }
        if path.startswith("/v1/") and method in _CHANGING:
            key = {"$ref": "#/components/parameters/IdempotencyKey"}
            operation["parameters"].append(key)
    for tool in registry:
        operation = operation_of(tool, worked.get(tool.name), components)
        item = made["paths"].setdefault(path_of(tool), {})
        item["post"] = operation
        if tool.reach == "server":
            # At the same address it is described.
            item["get"] = _description_of(made["paths"][_ONE_TOOL]["get"], tool.name)
    for path, method, operation in tabs.described(registry, components):
        made["paths"].setdefault(path, {})[method] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Stockade",
            "version": app.version,
            "description": _ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "tags": list(_tags(registry)),
        "paths": made["paths"],
        "components": {
            "schemas": {name: untitled(each) for name, each in sorted(components.schemas.items())},
            "responses": {
                **{NAMES[status]: _refusal(status) for status in NAMES},
                **tabs.refusals(),
            },
            "parameters": _PARAMETERS,
            "headers": _HEADERS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _own_schemas(made: Schema) -> Schema:
    """The schemas of the routes, without those of errors that the application tells otherwise."""
    schemas: Schema = made.get("components", {}).get("schemas", {})
    return {
        name: each
        for name, each in schemas.items()
        if name not in {"HTTPValidationError", "ValidationError"}
    }


def _operations(paths: Schema) -> Iterator[tuple[str, str, Schema]]:
    """Every operation, copied so that it may be changed."""
    for path, item in paths.items():
        for method in _METHODS & item.keys():
            item[method] = dict(item[method])
            yield path, method, item[method]


def _description_of(operation: Schema, tool: str) -> Schema:
    """The operation that describes any tool, as that of one."""
    parameters = [each for each in operation["parameters"] if each["in"] != "path"]
    return {**operation, "operationId": f"describe_{tool}", "parameters": parameters}


def _parameter(parameter: Schema) -> Schema:
    """A parameter that may be left out is not null as well: an address has no word for that."""
    schema = untitled(parameter["schema"])
    schema.pop("description", None)
    choices = [each for each in schema.pop("anyOf", ()) if each != {"type": "null"}]
    return {**parameter, "schema": {**schema, **(choices[0] if choices else {})}}


def _tags(registry: Registry) -> Iterator[Schema]:
    for name, description in _TAGS.items():
        yield {"name": name, "description": description}
    for toolset in registry.toolsets:
        yield {"name": f"tools: {toolset}", "description": TOOLSETS[toolset]}


def _refusal(status: int) -> Schema:
    codes = codes_of(status)
    headers: Schema = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
    if status in {429, 503}:
        headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
    if status == 405:  # noqa: PLR2004
        headers["Allow"] = {"schema": _STRING}
    if status == 401:  # noqa: PLR2004
        headers["WWW-Authenticate"] = {"schema": _STRING}
    if status == 416:  # noqa: PLR2004
        headers["Content-Range"] = {"schema": _STRING}
    return {
        "description": "Code: " + ", ".join(f"`{each}`" for each in codes),
        "headers": headers,
        "content": {
            "application/json": {
                "schema": {
                    "allOf": [
                        {"$ref": "#/components/schemas/Error"},
                        {"properties": {"code": {"enum": codes}}},
                    ]
                }
            }
        },
    }
