"""Values as a person is shown them."""

from __future__ import annotations

from stockade.kernel.readable import readable


def test_what_is_long_is_cut_and_says_so() -> None:
    assert readable("short") == "short"
    told = readable("a" * 600)
    assert told.startswith("a" * 500 + "… (600 characters, SHA-256 ")
    # Two that begin alike are told apart by their digests.
    assert told != readable("a" * 599 + "b")
    assert readable(list(range(50)))[-1] == "… and 10 more"
    assert readable({"a": ["x" * 501]})["a"][0].startswith("x" * 500 + "…")
    assert readable(7) == 7
