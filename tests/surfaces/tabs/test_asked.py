"""What a request asks for, wherever its fields were sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.requests import Request

from stockade.errors import InvalidArgument
from stockade.surfaces.tabs.asked import asked, needs_any, needs_size


def request(method: str, query: str = "", body: Any = None, **path: str) -> Request:
    content = b"" if body is None else json.dumps(body).encode()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": content, "more_body": False}

    scope = {
        "type": "http",
        "method": method,
        "path": "/",
        "query_string": query.encode(),
        "headers": [],
        "path_params": path,
    }
    return Request(scope, receive)


@pytest.mark.parametrize(
    ("sent", "user", "group"),
    [
        (request("GET", "userId=a&sessionKey=s"), "a", "s"),
        (request("GET", "userId=a", {"userId": "b"}), "a", ""),
        (request("DELETE", "userId=a"), "a", ""),
        (request("DELETE", "", {"userId": "a"}), "a", ""),
        (request("DELETE", "userId=a", {"userId": "b"}), "b", ""),
        (request("POST", "", {"userId": 7, "listItemId": "old"}), "7", "old"),
        (request("POST", "", {"sessionKey": "new", "listItemId": "old"}), "", "new"),
        (request("POST", "", {"sessionKey": None, "listItemId": 5}), "", "5"),
        (request("POST", "", {"userId": "b"}, userId="a"), "a", ""),
        (request("POST"), "", ""),
    ],
)
async def test_fields_are_found_wherever_they_are(sent: Request, user: str, group: str) -> None:
    found = await asked(sent)
    assert (found.user, found.fields["sessionKey"]) == (user, group)


async def test_what_says_nothing_is_not_there() -> None:
    found = await asked(request("GET", "limit=&offset=3&targetId=x"))
    assert "limit" not in found.fields
    assert found.fields["offset"] == 3
    assert "url" not in (await asked(request("POST", "", {"url": None}))).fields
    assert found.text("targetId") == "x"
    assert found.text("nothing") == ""


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("offset=abc&limit=-10&maxBytes=0", {}),
        ("offset=1e3&limit=3.7&maxBytes=+20x", {"offset": 1, "limit": 3, "maxBytes": 20}),
        ("fullPage=TRUE&consume=1", {"fullPage": True, "consume": True}),
        ("fullPage=false&consume=no", {"fullPage": False, "consume": False}),
    ],
)
async def test_the_query_is_read_with_patience(query: str, fields: dict[str, Any]) -> None:
    found = (await asked(request("GET", query))).fields
    assert {name: value for name, value in found.items() if name != "sessionKey"} == fields


@pytest.mark.parametrize("timeout", [0, -1, "soon", None, float("nan")])
async def test_a_time_that_is_none_is_left_to_the_tool(timeout: Any) -> None:
    assert "timeout" not in (await asked(request("POST", "", {"timeout": timeout}))).fields
    assert (await asked(request("POST", "", {"timeout": 5}))).fields["timeout"] == 5


@pytest.mark.parametrize("body", [[], "x", 5, True])
async def test_a_body_is_an_object(body: Any) -> None:
    with pytest.raises(InvalidArgument):
        await asked(request("POST", "", body))


def test_one_of_several_must_say_something() -> None:
    check = needs_any("url", "macro", message="url or macro required")
    check({"url": "x"})
    check({"macro": ["odd"]})
    for fields in ({}, {"url": ""}, {"url": None, "macro": ""}):
        with pytest.raises(InvalidArgument, match="url or macro required"):
            check(fields)


@pytest.mark.parametrize("size", [99, 4001, "500", True, None, [500], float("nan")])
def test_a_size_is_two_numbers_in_bounds(size: Any) -> None:
    needs_size({"width": 100, "height": 4000.0})
    with pytest.raises(InvalidArgument):
        needs_size({"width": size, "height": 500})
    with pytest.raises(InvalidArgument):
        needs_size({"width": 500, "height": size})
