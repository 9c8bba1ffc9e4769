"""Patterns of addresses."""

from __future__ import annotations

import pytest

from stockade.page.patterns import glob


@pytest.mark.parametrize(
    ("pattern", "address", "matches"),
    [
        ("https://shop.example/", "https://shop.example/", True),
        ("https://shop.example/", "https://shop.example/cart", False),
        ("https://shop.example/*", "https://shop.example/cart/1?page=2#top", True),
        ("**/api/**", "https://shop.example/v1/api/items", True),
        ("**/api/**", "https://shop.example/v1/apis/items", False),
        ("*/search?q=*", "https://shop.example/search?q=tea", True),
        ("*/search?q=*", "https://shop.example/searchXq=tea", False),
        ("*.png", "https://shop.example/a.png", True),
        ("*.png", "https://shop.example/aXpng", False),
        ("*(1)[a]{b}+", "https://shop.example/(1)[a]{b}+", True),
        ("*\n*", "one\ntwo", True),
        ("https://shop.example", "https://shop.example\n", False),
    ],
)
def test_a_pattern_stands_for_whole_addresses(pattern: str, address: str, matches: bool) -> None:
    assert bool(glob(pattern).match(address)) is matches
    assert bool(glob(pattern).search(address)) is matches
