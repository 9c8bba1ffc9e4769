"""Content that is given whole."""

from __future__ import annotations

from stockade.tools.content import MOST_INLINE, _first, fits


def test_what_fits() -> None:
    assert fits({"a": "x" * 1000})
    assert not fits({"a": "x" * 1000}, 100)
    assert not fits("x" * (MOST_INLINE * 4 + 10))


def test_the_first_items_are_whole() -> None:
    assert _first([1, 2, 3]) == [1, 2, 3]
    items = ["x" * 10_000] * 20
    assert 0 < len(_first(items)) < 20
    assert _first(["x" * 1_000_000]) == []
