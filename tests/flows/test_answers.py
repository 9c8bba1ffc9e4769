"""Which answers are wanted, and waiting for them."""

from __future__ import annotations

import pytest

from stockade.engines.events import Request
from stockade.flows.answers import Wanted, listening
from tests.support.tabs import Tab

SAVE = Request("1", "https://shop.example/api/save?id=1", "POST", "Fetch", 0.0, status=201)


@pytest.mark.parametrize(
    ("wanted", "met"),
    [
        (Wanted(), True),
        (Wanted("/api/save"), True),
        (Wanted("*/api/save"), False),
        (Wanted("https://shop.example/api/save?id=1"), True),
        (Wanted("https://shop.example/*", "post", 201), True),
        (Wanted(method="GET"), False),
        (Wanted(status=200), False),
    ],
)
def test_what_is_wanted(wanted: Wanted, met: bool) -> None:
    assert wanted.met_by(SAVE) is met


async def test_a_request_that_fails_is_told_and_one_before_is_not(tab: Tab) -> None:
    await tab.show("<p>x")
    with listening(tab.page, Wanted("/nowhere")) as answers:
        assert await answers.first(timeout=0) is None
        await tab.main("() => { fetch('http://127.0.0.1:1/nowhere').catch(() => 0) }")
        found = await answers.first(timeout=10)
    assert found is not None
    assert found.status is None
    assert found.failure
