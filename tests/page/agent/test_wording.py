"""How closely a text meets the words of a selector."""

from __future__ import annotations

import json

import pytest

from tests.page.agent.looking import evaluate
from tests.support.tabs import Tab

SAME, ANY_CASE, WORDS, PART = range(4)


@pytest.mark.parametrize(
    ("wanted", "said", "level"),
    [
        ("Row 1", " Row  1 ", SAME),
        ("Row 1", "row 1", ANY_CASE),
        ("cafe", "Café", ANY_CASE),
        ("Row 1", "The row 1, again", WORDS),
        ("Row 1", "Row 12", PART),
        ("Row 1", "Row 12, row 1", WORDS),
        ("D", "Message Body", PART),
        ("(1)", "Inbox (1)", WORDS),
        ("-", "a-b", WORDS),
        ("Buy", "Sell", None),
        ("", "Sell", None),
        ('"Buy"', "Buy", SAME),
        ('"Buy"', "buy", None),
        ("'Buy'", "Buy now", None),
        ('"a \\"b\\""', 'a "b"', SAME),
    ],
)
async def test_levels(tab: Tab, wanted: str, said: str, level: int | None) -> None:
    read = f"stockade.modules.Wording.read({json.dumps(wanted)})"
    code = f"const found = {read}.level({json.dumps(said)}); return found < 9 ? found : null;"
    assert await evaluate(tab, code) == level
