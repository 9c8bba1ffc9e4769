"""The tab API in the OpenAPI document, from its operations and what their tools say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from stockade.kernel.registry import Registry
from stockade.kernel.shapes import schema_of
from stockade.surfaces.tabs.errors import RECOVERIES
from stockade.surfaces.tabs.operations import KINDS, OPERATIONS, Operation
from stockade.surfaces.v1.components import Components, opened, untitled
from stockade.surfaces.v1.statuses import NAMES

__all__ = ["ERROR", "TAG", "described", "refusals"]

Schema = dict[str, Any]

TAG: Final = "tabs"
ERROR: Final[Schema] = {
    "type": "object",
    "description": "The shape of every error of the tab API. Some have more fields.",
    "required": ["ok", "error", "code", "retryable"],
    "properties": {
        "ok": {"const": False},
        "error": {"type": "string", "description": "What is wrong, in words."},
        "code": {"type": "string", "description": "What is wrong, for programs."},
        "retryable": {"type": "boolean", "description": "Trying again may help."},
        "recovery": {"enum": list(RECOVERIES), "description": "What to do before that."},
        "hint": {"type": "string", "description": "What to do about it."},
        "ref": {"type": "string", "description": "The ref that is stale."},
    },
}
_MEANINGS: Final = {
    400: "A field is missing or cannot be used; `invalid_selector`, `script_failed` and the codes "
    "of uploads say which.",
    401: "No key, or none that opens this.",
    403: "Not with this key, not with these capabilities, or not to that address.",
    404: "There is no such tab, trace, download or user.",
    405: "Not with that method.",
    408: "The body did not arrive in time.",
    409: "`navigation_race`, `page_changed`, `dialog_open`, or something else is in the way.",
    410: "The tab is gone: `tab_destroyed`, `browser_restarted` or `page_crashed`.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    416: "The part that was asked for lies beyond the end.",
    421: "The server does not go by that name.",
    422: "`stale_refs`, `element_not_actionable`, `ambiguous_selector`, or a value is missing.",
    429: "There is no room for another tab, or there were too many wrong keys.",
    431: "The head of the request is too large.",
    500: "The page could not be reached, or not in time (`timeout`); or something went wrong here.",
    501: "The browser cannot do that.",
    502: "`ssl_error`: the certificate of the page cannot be trusted.",
    503: "Try again later: `concurrency_timeout`, `tab_unresponsive`, `browser_launch_timeout`, "
    " `session_expired` or `admission_rejected`.",
}
_LAYERS: Final = frozenset({400, 401, 403, 405, 408, 413, 415, 421, 429, 431, 500, 503})
"""What the layers around every route may answer, and any tool."""
_OF_A_USER: Final = _LAYERS | {404, 409, 501}
_OF_A_TAB: Final = _OF_A_USER | {410, 422, 502}
_STRING: Final[Schema] = {"type": "string"}
_USER: Final[Schema] = {
    "type": ["string", "number"],
    "description": "Any name of a user; each has cookies, storage and tabs of its own.",
}
_IN_QUERY: Final[Schema] = {**_STRING, "description": _USER["description"]}
_GROUP: Final[Schema] = {**_STRING, "description": "Which tabs belong together."}
_OLD_GROUP: Final[Schema] = {**_STRING, "description": "The older name of `sessionKey`."}
_PATHS: Final = {
    "userId": "The user.",
    "tabId": "The tab, as `POST /tabs` named it.",
    "sessionKey": "The group.",
    "filename": "A trace, as the list names it.",
    "downloadId": "A download, as the list names it.",
}
_PICTURE: Final[Schema] = {
    "description": "The picture.",
    "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}},
}
_SCREENSHOT: Final[Schema] = {
    "type": "object",
    "required": ["data", "mimeType"],
    "properties": {
        "data": {"type": "string", "contentEncoding": "base64"},
        "mimeType": {"const": "image/png"},
    },
}
_OK: Final[Schema] = {
    "type": "object",
    "required": ["ok"],
    "properties": {"ok": {"type": "boolean"}},
}


def described(registry: Registry, components: Components) -> Iterator[tuple[str, str, Schema]]:
    """Every operation, by its path and method."""
    components.schemas["TabError"] = ERROR
    for each in OPERATIONS:
        yield each.path, each.method.lower(), _operation(each, registry, components)
    yield "/act", "post", _act(registry, components)
    yield (
        "/tabs/{tabId}/downloads/{downloadId}",
        "get",
        _file(
            "The bytes of a download",
            "tabId",
            "downloadId",
            query=True,
            kind="application/octet-stream",
        ),
    )
    yield (
        "/sessions/{userId}/traces/{filename}",
        "get",
        _file("The bytes of a trace", "userId", "filename", kind="application/zip"),
    )


def refusals() -> dict[str, Schema]:
    """The answers that are errors, by the names that the operations use."""
    return {f"Tab{NAMES[status]}": _refusal(status) for status in _MEANINGS}


def _refusal(status: int) -> Schema:
    headers: Schema = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
    if status in {429, 503}:
        headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
    for name in {401: ["WWW-Authenticate"], 405: ["Allow"], 416: ["Content-Range"]}.get(status, []):
        headers[name] = {"schema": _STRING}
    return {
        "description": _MEANINGS[status],
        "headers": headers,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TabError"}}},
    }


def _operation(operation: Operation, registry: Registry, components: Components) -> Schema:
    tool = registry.find(operation.tool)
    known = _known(operation, registry, components)
    parameters = _parameters(operation.path)
    fields, required = _fields(operation, known)
    made: Schema = {
        "operationId": _id(operation.method, operation.path),
        "summary": operation.summary,
        "tags": [TAG],
        "parameters": parameters,
    }
    if tool.capability is not None:
        made["x-capability"] = str(tool.capability)
    if operation.method == "POST" and fields:
        made["requestBody"] = _body(fields, required)
    else:
        must = required if operation.method == "GET" else []
        parameters += [_query(name, each, required=name in must) for name, each in fields.items()]
    if operation.method == "DELETE" and fields:
        made["requestBody"] = _body({"userId": _USER}, [])
    made["responses"] = _answers(operation, _given(operation, registry, components))
    return made


def _act(registry: Registry, components: Components) -> Schema:
    known: Schema = {}
    for each in KINDS.values():
        # The first to know a field allows it most.
        known = _known(each, registry, components) | known
    fields = {
        "userId": _USER,
        "targetId": {**_STRING, "description": "The tab."},
        "kind": {"enum": list(KINDS)},
        **known,
    }
    return {
        "operationId": "tab_act",
        "summary": "Act on a page, under other names",
        "tags": [TAG],
        "parameters": [],
        "requestBody": _body(fields, ["userId", "targetId", "kind"]),
        "responses": _answers(KINDS["click"], {"application/json": {"schema": _OK}}),
    }


def _file(summary: str, *names: str, kind: str, query: bool = False) -> Schema:
    parameters = [_in_path(name) for name in names]
    if query:
        parameters.append(_query("userId", _IN_QUERY, required=True))
    statuses = _OF_A_TAB if query else _OF_A_USER
    responses: Schema = {
        "200": {"description": "The bytes.", "content": {kind: {}}},
        **({"206": {"description": "A part.", "content": {kind: {}}}} if query else {}),
        **({"304": {"description": "As it was."}} if query else {}),
        **_errors(statuses | ({416} if query else set())),
    }
    return {
        "operationId": _id("GET", summary.lower().replace(" ", "_")),
        "summary": summary,
        "tags": [TAG],
        "parameters": parameters,
        "responses": responses,
    }


# --- what goes in ---------------------------------------------------------------------------------


def _known(operation: Operation, registry: Registry, components: Components) -> Schema:
    """The fields that a tool knows, as it describes them."""
    tool = registry.find(operation.tool)
    schema = tool.arguments.model_json_schema(by_alias=True)
    schema["properties"] = {
        name: each for name, each in schema["properties"].items() if name in operation.takes
    }
    owner = "".join(part.capitalize() for part in tool.name.split("_"))
    lifted = untitled(components.lifted(schema, owner))
    found: Schema = lifted["properties"]
    return {name: _sent(found[name]) for name in operation.takes}


def _sent(schema: Schema) -> Schema:
    """A field; that it may be null is no news, as every field that is null is passed over."""
    choices = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    rest = {name: value for name, value in schema.items() if name not in {"anyOf", "default"}}
    if schema.get("default") is not None:
        rest["default"] = schema["default"]
    if not choices:
        return rest
    return {**rest, **choices[0]} if len(choices) == 1 else {**rest, "anyOf": choices}


def _fields(operation: Operation, known: Schema) -> tuple[Schema, list[str]]:
    fields: Schema = {}
    required: list[str] = []
    in_query = operation.method != "POST"
    if operation.whose and "{userId}" not in operation.path:
        fields["userId"] = _IN_QUERY if in_query else _USER
        required += ["userId"] if operation.user else []
    if operation.target:
        fields["targetId"] = {**_STRING, "description": "The tab."}
        required.append("targetId")
    if operation.group:
        fields |= {"sessionKey": _GROUP, "listItemId": _OLD_GROUP}
    # Either name of the group will do, which no list of names can say.
    required += [each for each in operation.required if each != "sessionKey"]
    return {**fields, **known}, required


def _body(fields: Schema, required: list[str]) -> Schema:
    schema: Schema = {"type": "object", "properties": fields}
    if required:
        schema["required"] = required
    return {"required": bool(required), "content": {"application/json": {"schema": schema}}}


def _parameters(path: str) -> list[Schema]:
    return [_in_path(name) for name in _PATHS if f"{{{name}}}" in path]


def _in_path(name: str) -> Schema:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": _PATHS[name],
        "schema": {"type": "string", "minLength": 1},
    }


def _query(name: str, schema: Schema, *, required: bool) -> Schema:
    return {"name": name, "in": "query", "required": required, "schema": schema}


# --- what comes out -------------------------------------------------------------------------------


def _given(operation: Operation, registry: Registry, components: Components) -> Schema:
    tool = registry.find(operation.tool)
    if operation.tool == "close_session":
        return {"application/json": {"schema": _OK}}
    promised = opened(schema_of(tool.gives))
    own = components.shared(promised, "".join(map(str.capitalize, tool.name.split("_"))))
    beside: Schema = dict.fromkeys(operation.adds, _STRING)
    if "includeScreenshot" in operation.takes:
        beside["screenshot"] = _SCREENSHOT
    if beside:
        own = {"allOf": [own, {"type": "object", "properties": beside}]}
    return {"application/json": {"schema": own}}


def _answers(operation: Operation, content: Schema) -> Schema:
    statuses = _LAYERS
    if operation.target or "{tabId}" in operation.path or operation.group:
        statuses = _OF_A_TAB
    elif operation.whose:
        statuses = _OF_A_USER
    elif operation.takes:
        statuses = _LAYERS | {409, 501, 502}
    done: Schema = {"description": "What came of it.", "content": content}
    if operation.path.endswith("/screenshot"):
        done = _PICTURE
    return {"200": done, **_errors(statuses)}


def _errors(statuses: frozenset[int] | set[int]) -> Schema:
    return {
        str(status): {"$ref": f"#/components/responses/Tab{NAMES[status]}"}
        for status in sorted(statuses)
    }


def _id(method: str, path: str) -> str:
    words = path.replace("{", "").replace("}", "").strip("/").replace("/", "_")
    return f"tab_{method.lower()}_{words}"
