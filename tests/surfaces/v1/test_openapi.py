"""The OpenAPI document is valid, and true."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import validate
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from stockade.kernel.codes import CODES
from stockade.surfaces.v1.operations import path_of
from stockade.tools import registry
from tests.support.serving import Served

METHODS = {"get", "put", "post", "delete"}


@pytest.fixture(scope="module")
async def document(server: Served) -> dict[str, Any]:
    answer = await server.client.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    found: dict[str, Any] = answer.json()
    return found


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    validate(document)
    assert document["openapi"] == "3.1.0"


def test_every_tool_is_in_it_under_its_own_address(document: dict[str, Any]) -> None:
    for tool in registry():
        methods = {"get", "post"} if tool.reach == "server" else {"post"}
        assert set(document["paths"][path_of(tool)]) == methods, tool.name


def test_every_operation_says_what_it_is(document: dict[str, Any]) -> None:
    tags = {each["name"]: each["description"] for each in document["tags"]}
    ids = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(ids) == len(set(ids))
    for path, method, operation in operations(document):
        assert method in METHODS
        assert operation["summary"], path
        assert all(tags[each] for each in operation["tags"]), path


def of_ours(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [each for each in operations(document) if each[2]["tags"] != ["tabs"]]


def test_errors_have_the_one_shape(document: dict[str, Any]) -> None:
    responses = document["components"]["responses"]
    told = set()
    for name, each in responses.items():
        if name.startswith("Tab"):
            continue
        shared, own = each["content"]["application/json"]["schema"]["allOf"]
        assert shared == {"$ref": "#/components/schemas/Error"}
        told |= set(own["properties"]["code"]["enum"])
    assert told == CODES.keys()
    for path, _, operation in of_ours(document):
        for status, each in operation["responses"].items():
            if status >= "400" and (path, status) != ("/health", "503"):
                assert each["$ref"].removeprefix("#/components/responses/") in responses, path


def test_what_changes_something_takes_a_key(document: dict[str, Any]) -> None:
    key = {"$ref": "#/components/parameters/IdempotencyKey"}
    for path, method, operation in of_ours(document):
        assert (key in operation["parameters"]) is (method != "get"), path


def test_nothing_is_left_that_nobody_means(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    for name in document["components"]["schemas"]:
        assert f'"#/components/schemas/{name}"' in text, name
    assert "HTTPValidationError" not in text
    assert "#/$defs/" not in text
    assert '"title": "' not in json.dumps(document["components"]["schemas"]).replace(
        '"title": "Stockade"', ""
    )


def test_only_health_is_open(document: dict[str, Any]) -> None:
    assert document["security"] == [{"token": []}]
    for path, _, operation in operations(document):
        assert ("security" in operation) is (path == "/health")


def test_examples_are_what_the_schemas_say(document: dict[str, Any]) -> None:
    resources = Registry[Any]().with_contents(
        [("urn:document", document)], default_specification=DRAFT202012
    )
    seen = 0
    wrong = []
    for path, _, operation in operations(document):
        for each in (operation.get("requestBody", {}), *operation["responses"].values()):
            part = each.get("content", {}).get("application/json", {})
            if "example" not in part:
                continue
            seen += 1
            text = json.dumps(part["schema"]).replace('"#/components', '"urn:document#/components')
            check = jsonschema.Draft202012Validator(json.loads(text), registry=resources)
            wrong += [f"{path}: {each.message}" for each in check.iter_errors(part["example"])]
    assert seen > 50
    assert wrong == []


async def test_it_is_made_once(server: Served, document: dict[str, Any]) -> None:
    again = await server.client.get("/openapi.json")
    assert again.json() == document
    assert again.headers["etag"]
