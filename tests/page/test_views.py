"""What callers ask for and are given."""

from __future__ import annotations

import dataclasses

import pytest

from stockade.page.views import Delta, SnapshotOptions


def test_defaults_are_a_full_look_within_three_thousand_tokens() -> None:
    options = SnapshotOptions()
    assert (options.mode, options.budget, options.hidden, options.urls) == (
        "full",
        3000,
        False,
        False,
    )


def test_results_cannot_be_changed() -> None:
    delta = Delta("", 0, 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delta.text = "x"  # type: ignore[misc]
