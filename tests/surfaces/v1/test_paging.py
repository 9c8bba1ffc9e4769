"""Paging: every row once, whatever comes and goes meanwhile."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from stockade.errors import InvalidArgument
from stockade.surfaces.v1.paging import MOST, Paged, paged


def place(row: int) -> tuple[int, str]:
    return row, "x"


@given(st.sets(st.integers(0, 1000), max_size=60), st.integers(1, 20))
def test_the_pages_are_the_list(rows: set[int], limit: int) -> None:
    found: list[int] = []
    cursor = None
    while True:
        page, cursor = paged("rows", sorted(rows), place, Paged(limit=limit, cursor=cursor))
        assert len(page) <= limit
        found += page
        if cursor is None:
            break
        assert len(page) == limit
    assert found == sorted(rows)


def test_what_goes_meanwhile_moves_nothing() -> None:
    page, cursor = paged("rows", [1, 2, 3, 4, 5], place, Paged(limit=2))
    assert page == [1, 2]
    page, cursor = paged("rows", [1, 4, 5, 6], place, Paged(limit=2, cursor=cursor))
    assert page == [4, 5]
    assert paged("rows", [6], place, Paged(cursor=cursor)) == ([6], None)


def written(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "é",
        "!!!!",
        written("rows"),
        written(["rows"]),
        written(["others", 1, "x"]),
        written(["rows", "a", "x"]),
        written(["rows", None, "x"]),
        written(["rows", {}, []]),
        written({"rows": 1}),
        "W" * 500,
    ],
)
def test_a_cursor_of_another_list_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidArgument):
        paged("rows", [1, 2], place, Paged(cursor=cursor))


@pytest.mark.parametrize("wanted", [{"limit": 0}, {"limit": MOST + 1}, {"offset": 3}])
def test_what_is_wanted_is_checked(wanted: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        Paged(**wanted)  # type: ignore[arg-type]
