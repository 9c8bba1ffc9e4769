"""Yes and no in several tongues."""

from __future__ import annotations

from stockade.page.truths import read_truth


def test_what_says_yes_and_what_says_no() -> None:
    assert [read_truth(text) for text in (" Yes", "ON", "1", "✓")] == [True] * 4
    assert [read_truth(text) for text in ("no", "Off ", "0", "–")] == [False] * 4
    assert [read_truth(text) for text in ("", "maybe", "yes no")] == [None] * 3
