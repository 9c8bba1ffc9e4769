"""The document knows every route of the tab API, as it is."""

from __future__ import annotations

from typing import Any

import pytest
from openapi_spec_validator import validate

from stockade.surfaces.tabs.description import described, refusals
from stockade.surfaces.tabs.operations import KINDS, OPERATIONS
from stockade.surfaces.tabs.router import routes
from stockade.surfaces.v1.components import Components
from stockade.tools import registry
from tests.support.serving import Served

Document = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def document() -> Document:
    found: Document = {}
    for path, method, operation in described(registry(), Components()):
        found.setdefault(path, {})[method] = operation
    return found


def test_every_route_is_in_it(document: Document) -> None:
    router = routes(None)  # type: ignore[arg-type]
    there = {
        (method, route.path)  # type: ignore[attr-defined]
        for route in router.routes
        for method in route.methods  # type: ignore[attr-defined]
    }
    known = {(method.upper(), path) for path, item in document.items() for method in item}
    assert {each for each in there if not each[1].startswith("/vnc")} == known


def test_every_refusal_is_one_that_is_described(document: Document) -> None:
    names = {f"#/components/responses/{name}" for name in refusals()}
    used = set()
    for item in document.values():
        for operation in item.values():
            for status, each in operation["responses"].items():
                if status >= "400":
                    used.add(each["$ref"])
    assert used == names


def test_fields_are_where_they_are_sent(document: Document) -> None:
    opened = document["/tabs"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert opened["properties"].keys() == {"userId", "sessionKey", "listItemId", "url", "trace"}
    assert opened["required"] == ["userId"]
    asked = {
        each["name"]: each["in"] for each in document["/tabs/{tabId}/links"]["get"]["parameters"]
    }
    assert asked == {"tabId": "path", "userId": "query", "limit": "query", "offset": "query"}
    act = document["/act"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert act["properties"]["kind"]["enum"] == list(KINDS)
    assert {each for kind in KINDS.values() for each in kind.takes} <= act["properties"].keys()
    assert "requestBody" in document["/tabs/{tabId}"]["delete"]


def test_it_is_valid() -> None:
    components = Components()
    paths: Document = {}
    for path, method, operation in described(registry(), components):
        paths.setdefault(path, {})[method] = operation
    assert len(paths) >= len({each.path for each in OPERATIONS})
    validate(
        {
            "openapi": "3.1.0",
            "info": {"title": "tabs", "version": "1"},
            "paths": paths,
            "components": {
                "schemas": components.schemas,
                "responses": refusals(),
                "headers": {
                    "RequestId": {"schema": {"type": "string"}},
                    "RetryAfter": {"schema": {"type": "string"}},
                },
            },
        }
    )


async def test_nothing_is_for_who_has_no_key(server: Served, document: Document) -> None:
    for path, item in document.items():
        for method in item:
            answer = await server.stranger.request(method, path)
            private = "/{userId}/" in path or path == "/stop"
            assert answer.status_code == (403 if private else 401), (method, path)
