"""The error tree."""

from __future__ import annotations

import inspect

from stockade import errors
from stockade.errors import StaleRef, StockadeError


def tree() -> list[type[StockadeError]]:
    return [
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, StockadeError)
    ]


def test_every_error_is_in_the_drawing_and_nothing_else_is() -> None:
    drawn = {
        line.lstrip("│├└─ ").split()[0]
        for line in (errors.__doc__ or "").splitlines()
        if "─" in line or line.startswith("StockadeError")
    }
    assert drawn == {kind.__name__ for kind in tree()}


def test_every_leaf_has_a_code_of_its_own_and_a_docstring() -> None:
    leaves = [kind for kind in tree() if not kind.__subclasses__()]
    codes = [kind.code for kind in leaves]
    assert len(set(codes)) == len(codes)
    assert all(kind.__doc__ for kind in tree())


def test_one_shape_for_every_surface() -> None:
    error = StaleRef("e3 is gone", ref="e3")
    assert error.as_dict() == {
        "code": "stale_ref",
        "message": "e3 is gone",
        "retryable": False,
        "hint": StaleRef.default_hint,
        "details": {"ref": "e3"},
    }
