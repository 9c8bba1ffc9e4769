"""Errors of elements that say whose doing they are."""

from __future__ import annotations

from stockade.errors import NotActionable


def test_an_element_of_the_wrong_kind_is_the_callers_mistake() -> None:
    wrong = NotActionable("button does not take text", reason="not-editable")
    assert (wrong.retryable, wrong.source) == (False, "caller")
    covered = NotActionable("it is covered", reason="obscured")
    assert (covered.retryable, covered.source) == (True, "app")
