"""Complaints name places and never values."""

from __future__ import annotations

from typing import Any

from stockade.kernel.complaints import complaints


def test_the_first_are_told_by_their_place() -> None:
    found: list[dict[str, Any]] = [
        {"loc": ("a", 0, "b"), "msg": "too small", "input": "secret"},
        {"loc": (), "msg": "odd"},
    ]
    assert complaints(found) == "a.0.b: too small; arguments: odd"


def test_many_are_counted_and_long_names_cut() -> None:
    told = complaints([{"loc": ("x" * 100,), "msg": "no"}] * 8)
    assert told.endswith("; and 3 more")
    assert "x" * 41 not in told
