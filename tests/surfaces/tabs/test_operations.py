"""The table of operations fits the tools that it names."""

from __future__ import annotations

import pytest

from stockade.surfaces.tabs.operations import KINDS, OPERATIONS, About, Operation
from stockade.tools import registry

TOOLS = registry()
EVERY = [*OPERATIONS, *KINDS.values()]


@pytest.mark.parametrize("operation", EVERY, ids=lambda each: f"{each.path} {each.tool}")
def test_what_is_sent_is_what_the_tool_takes(operation: Operation) -> None:
    arguments = TOOLS.find(operation.tool).arguments
    known = {field.alias or name for name, field in arguments.model_fields.items()}
    assert set(operation.takes) <= known
    assert set(operation.required) <= {*operation.takes, "sessionKey"}
    assert ("session" in known) is operation.whose
    assert ("tabId" in known) is (operation.target or "{tabId}" in operation.path)
    given = {*operation.takes, "session", "tabId", "sessionKey", "filename"}
    needed = {
        field.alias or name for name, field in arguments.model_fields.items() if field.is_required()
    }
    assert needed <= given


def test_no_two_are_at_one_place() -> None:
    places = [(each.method, each.path) for each in OPERATIONS]
    assert len(places) == len(set(places))


def test_every_tool_of_the_tab_api_is_called_by_a_route() -> None:
    called = {each.tool for each in EVERY} | {"camofox_download"}
    assert {each.name for each in TOOLS.apart} <= called


def test_results_are_shaped_as_clients_know_them() -> None:
    about = About("u", "t")
    given = {"ok": True, "cookies": [], "title": "Title"}
    shaped = {
        each.path: each.shaped({**given, "untrusted": "x", "end": "x"}, about)
        for each in OPERATIONS
        if each.shaped is not None
    }
    assert shaped["/tabs/open"]["targetId"] == "t"
    assert shaped["/tabs/open"]["title"] == "Title"
    assert shaped["/snapshot"]["format"] == "aria"
    assert shaped["/sessions/{userId}/cookies"]["userId"] == "u"
    assert shaped["/sessions/{userId}"] == {"ok": True}
