"""Address patterns in the page agree with those of the server."""

from __future__ import annotations

from stockade.engines.port import Page
from stockade.page.patterns import address_pattern
from stockade.page.scripts import script
from tests.page.test_patterns import CASES


async def test_the_same_answers_as_the_server(page: Page) -> None:
    fits = script("address_pattern")
    for pattern, address, matches in CASES:
        parts = address_pattern(pattern).parts
        assert await page.main_frame.call(fits, parts, address) is matches, (pattern, address)


async def test_many_stars_take_no_time(page: Page) -> None:
    parts = address_pattern("*a" * 40 + "*b").parts
    address = "wss://shop.example/" + "a" * 5000
    assert await page.main_frame.call(script("address_pattern"), parts, address) is False
