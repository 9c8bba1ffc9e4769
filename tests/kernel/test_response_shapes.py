"""The keys of answers, and never what they hold."""

from __future__ import annotations

import json

import pytest

from stockade.kernel.response_shapes import shape
from tests.support.callers import Caller
from tests.support.site import Request, Response


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        (b'{"id": 1, "name": {"first": "Ada"}}', ["id", "name"]),
        (b'[{"id": 1}, {"other": 2}]', ["[].id"]),
        (b"[1, 2]", []),
        (b"null", []),
        (b"not json", []),
        (json.dumps({f"k{n}": n for n in range(50)}).encode(), [f"k{n}" for n in range(20)]),
        (json.dumps({"x" * 100: 1}).encode(), ["x" * 40]),
    ],
)
def test_shapes(body: bytes, keys: list[str]) -> None:
    assert shape(body) == keys


async def test_a_change_tells_the_shape_of_its_answer(caller: Caller) -> None:
    async def save(request: Request) -> Response:
        if request.path == "/large":
            return Response(json.dumps({"x": "y" * 100_000}), content_type="application/json")
        return Response('{"id": 7, "secret": "hush"}', content_type="application/json")

    for path in ("/save", "/large"):
        caller.site.route(path, save)
    await caller.show(
        "<button onclick=\"for (const to of ['/save', '/large']) "
        "fetch(to, {method: 'POST'}).then(r => r.json())\">Save"
    )
    result = await caller.ok("click", selector="button")
    shapes = {
        row["urlPattern"].rpartition("/")[2]: row.get("responseShape")
        for row in result["network"]["mutations"]
    }
    assert shapes == {"save": ["id", "secret"], "large": None}
    assert "hush" not in str(result)


async def test_an_empty_answer_to_a_change_is_a_success(caller: Caller) -> None:
    caller.site.page("/thing", "", status=204)
    await caller.show("<button onclick=\"fetch('/thing', {method: 'PUT'})\">Save</button>")
    result = await caller.ok("click", selector="text=Save")
    assert [(row["status"], row["ok"]) for row in result["network"]["mutations"]] == [(204, True)]
    assert "ERR_ABORTED" not in str(result)
