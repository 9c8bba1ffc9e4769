"""Patterns of addresses."""

from __future__ import annotations

import pytest

from stockade.page.patterns import address_pattern

CASES = [
    ("https://shop.example/", "https://shop.example/", True),
    ("https://shop.example/", "https://shop.example/cart", False),
    ("https://shop.example/*", "https://shop.example/cart/1?page=2#top", True),
    ("https://shop.example/*", "https://evil.example/?https://shop.example/", False),
    ("**/api/**", "https://shop.example/v1/api/items", True),
    ("**/api/**", "https://shop.example/v1/apis/items", False),
    ("*/search?q=*", "https://shop.example/search?q=tea", True),
    ("*/search?q=*", "https://shop.example/searchXq=tea", False),
    ("*.png", "https://shop.example/a.png", True),
    ("*.png", "https://shop.example/a.png?v=2", False),
    ("*.png", "https://shop.example/aXpng", False),
    ("*(1)[a]{b}+", "https://shop.example/(1)[a]{b}+", True),
    ("*\n*", "one\ntwo", True),
    ("https://shop.example", "https://shop.example\n", False),
    ("/api/items", "https://shop.example/v1/api/items?page=2", True),
    ("/api/items", "https://shop.example/v1/api/Items", False),
    ("/api/*", "https://shop.example/api/items", True),
    ("/api/*/1", "https://shop.example/api/items/12", False),
    ("*://shop.example/*", "wss://shop.example/talk", True),
    ("ab*ba", "https://aba", False),
    ("*a*a*", "xax", False),
]


@pytest.mark.parametrize(("pattern", "address", "matches"), CASES)
def test_a_pattern_and_an_address(pattern: str, address: str, matches: bool) -> None:
    assert address_pattern(pattern).matches(address) is matches


def test_many_stars_against_a_long_address_take_no_time() -> None:
    # With backtracking this would not end within the life of the test run.
    pattern = "*a" * 40 + "*b"
    assert not address_pattern(pattern).matches("wss://shop.example/" + "a" * 5000)
