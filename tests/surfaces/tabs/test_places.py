"""Places: what is the tab API's, and what only a key opens."""

from __future__ import annotations

import pytest

from stockade.surfaces.tabs.operations import OPERATIONS
from stockade.surfaces.tabs.places import (
    holds_cookies,
    holds_state,
    is_evaluate,
    is_stop,
    is_tab_place,
    is_unowned,
)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: f"{each.method} {each.path}")
def test_every_operation_is_in_its_place(operation: object) -> None:
    path, keyed = operation.path, operation.keyed  # type: ignore[attr-defined]
    assert is_tab_place(path)
    assert is_unowned(path)
    assert holds_state(path) is keyed


@pytest.mark.parametrize("path", ["/", "/health", "/v1/tools", "/mcp", "/console", "/tabsy", ""])
def test_nothing_else_is(path: str) -> None:
    assert not is_tab_place(path)


@pytest.mark.parametrize("path", ["/v1", "/v1/tabs", "/mcp", "/console/x", "/login", "//v1/tabs"])
def test_what_has_a_door_of_its_own_is_not_opened_by_another_key(path: str) -> None:
    assert not is_unowned(path)


@pytest.mark.parametrize(
    "path",
    [
        "/sessions/a/cookies",
        "/sessions/a/b/cookies",
        "/sessions/a\nb/cookies",
        "/sessions//cookies",
        "/sessions/a/traces",
        "/sessions/a/traces/x.zip",
        "/sessions/a/traces/../x",
        "/sessions/a/storage_state",
    ],
)
def test_private_things_are_private_however_they_are_written(path: str) -> None:
    assert holds_state(path)
    assert holds_cookies(path) is path.endswith("/cookies")


def test_scripts_and_the_end_have_places_of_their_own() -> None:
    assert is_evaluate("/tabs/x/evaluate")
    assert not is_evaluate("/tabs/x/click")
    assert is_stop("/stop")
    assert not is_stop("/start")
