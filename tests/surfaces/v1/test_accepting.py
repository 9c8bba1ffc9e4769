"""Accepting: nobody gets what they cannot read."""

from __future__ import annotations

import pytest

from stockade.surfaces.v1.accepting import EVENTS, JSON, accepts
from tests.support.serving import Served


@pytest.mark.parametrize(
    ("header", "kind", "accepted"),
    [
        ("", JSON, True),
        ("*/*", JSON, True),
        ("application/json", JSON, True),
        ("APPLICATION/JSON; charset=utf-8", JSON, True),
        ("application/*;q=0.1", JSON, True),
        ("text/html,application/xhtml+xml,*/*;q=0.8", JSON, True),
        ("text/html", JSON, False),
        ("*/*, application/json;q=0", JSON, False),
        ("application/json; q=0.000", JSON, False),
        ("*/*;q=0", EVENTS, False),
        ("text/event-stream", EVENTS, True),
        ("text/*", EVENTS, True),
        ("application/json", EVENTS, False),
        (",;,", JSON, False),
    ],
)
def test_the_most_specific_decides(header: str, kind: str, accepted: bool) -> None:
    assert accepts(header, kind) is accepted


@pytest.mark.parametrize("path", ["/v1/sessions", "/v1/tools", "/v1/toolsets", "/v1/keys"])
async def test_lists_are_json(server: Served, path: str) -> None:
    answer = await server.client.get(path, headers={"accept": "text/html"})
    assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")
    assert answer.json()["hint"] == "Send `Accept: application/json`."


async def test_events_are_events(server: Served) -> None:
    answer = await server.client.get("/v1/events", headers={"accept": JSON})
    assert answer.status_code == 406
    assert EVENTS in answer.json()["hint"]
