"""Waiting for a page: until it is so, or until it cannot be any more."""

from __future__ import annotations

import pytest

from stockade.engines.cdp.page import ChromiumPage
from stockade.errors import DeadlineExceeded, TabClosed


async def test_until_it_is_so(page: ChromiumPage) -> None:
    await page.until(lambda: True, timeout=5)
    with pytest.raises(DeadlineExceeded):
        await page.until(lambda: False, timeout=0.05)


async def test_until_it_cannot_be(page: ChromiumPage) -> None:
    await page.close()
    with pytest.raises(TabClosed):
        await page.until(lambda: False, timeout=5)
    await page.until(lambda: page.closed, timeout=5, even_if_closed=True)
