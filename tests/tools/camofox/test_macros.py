"""Macros: each an address with the words in their place."""

from __future__ import annotations

import pytest

from stockade.tools.camofox.macros import MACROS, expand, google


def test_every_macro_takes_words_and_goes_to_the_web() -> None:
    assert len(MACROS) == 14
    for name in MACROS:
        url = expand(name, "a b/c?&#", {})
        assert url is not None
        assert url.startswith("https://")
        assert "a%20b%2Fc%3F%26%23" in url


def test_what_stands_for_nothing() -> None:
    for name in (None, "", "none", "null", "__NO__", "@unknown"):
        assert expand(name, "x", {}) is None
    assert expand("@reddit_subreddit", None, {}) == "https://www.reddit.com/r/all.json?limit=25"
    assert expand("@google_search", None, {}) == "https://www.google.com/search?q="


def test_the_operator_adds_and_overrides() -> None:
    own = {
        "@google_search": "http://search.example/{query}",
        "@docs": "https://docs.example/?q={q}",
    }
    assert expand("@google_search", "x", own) == "http://search.example/x"
    assert expand("@docs", "{q}", own) == "https://docs.example/?q=%7Bq%7D"


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://www.google.com/search?q=x", {"googleSerp": True}),
        ("https://google.co.uk/search", {"googleSerp": True}),
        ("https://www.google.com/sorry/index?q=x", {"googleBlocked": True}),
        ("https://www.google.com/maps", {}),
        ("https://notgoogle.com/search", {}),
        ("about:blank", {}),
    ],
)
def test_pages_of_results_are_told_apart(url: str, found: dict[str, bool]) -> None:
    assert google(url) == found
