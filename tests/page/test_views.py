"""What callers ask for and are given."""

from __future__ import annotations

import dataclasses

import pytest

from stockade.page.views import Delta, SnapshotOptions, frame_mark, stamped


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


def test_frames_are_named_with_the_marker_and_nothing_else_is() -> None:
    mark = frame_mark("https://ads.example")
    text = (
        f"- iframe [e1]\n  {mark}\n  - text: {mark}\n"
        f"in frame f1: {mark}\n- text: in frame f1: {mark}"
    )
    assert stamped(text, "M") == (
        "- iframe [e1]\n  <frame M https://ads.example>\n"
        "  - text: <frame https://ads.example>\n"
        "in frame f1: <frame M https://ads.example>\n"
        "- text: in frame f1: <frame https://ads.example>"
    )
