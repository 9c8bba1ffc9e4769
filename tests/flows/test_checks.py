"""Checks of a reading, without a page."""

from __future__ import annotations

import pytest

from stockade.flows.checks import Check, attribute, text, value, visible
from stockade.page.checks import Reading

LINK = Reading(
    description='link "Help"',
    visible=True,
    secret=False,
    texts=["Help me", "HELP ME"],
    values=["p", "By post"],
    attribute="/help",
)


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        (visible(), True),
        (text("help"), True),
        (text("Help  me", exact=True), True),
        (text("HELP ME", exact=True), True),
        (text("help me", exact=True), False),
        (value("By post"), True),
        (value("post"), False),
        (attribute("href"), True),
        (attribute("href", "/help"), True),
        (attribute("href", ""), False),
    ],
)
def test_what_holds(check: Check, holds: bool) -> None:
    assert (check.judge(LINK) is None) is holds


def test_a_long_text_is_shown_in_part() -> None:
    long = Reading("p", visible=True, secret=False, texts=["x" * 5000], values=[])
    unmet = text("y").judge(long)
    assert unmet is not None
    assert (len(unmet.actual), unmet.evidence["length"]) == (201, 5000)
