"""Codes in boxes: each gets its character, and nothing else is taken for boxes."""

from __future__ import annotations

import pytest

from stockade.page.code_boxes import boxes_for
from stockade.page.secret_text import SecretText
from tests.support.tabs import CALLER, Tab

CODE = SecretText("837261", "CODE", kept=True)
BOX = "<input maxlength=1 aria-label=x>"


@pytest.mark.parametrize(
    ("html", "count"),
    [
        (BOX * 6, 6),
        (f"<form>{BOX * 6}</form>{BOX * 3}", 6),
        ("<input type=number max=9>" * 6, 6),
        ("<input type=password maxlength=1>" * 8, 6),
        (BOX * 5, 0),
        (BOX * 3, 0),
        ("<input maxlength=6>" * 6, 0),
        ("<input>", 0),
        (f"<form>{BOX * 3}</form><form>{BOX * 3}</form>", 0),
    ],
)
async def test_what_boxes_are(tab: Tab, html: str, count: int) -> None:
    await tab.show(html.replace("<input", "<input id=first", 1))
    ref = await tab.ref("#first")
    assert len(await boxes_for(tab.agent, ref, CODE, caller=CALLER, timeout=5)) == count
    assert await boxes_for(tab.agent, ref, "837261", caller=CALLER, timeout=5) == []


async def test_each_gets_its_character(tab: Tab) -> None:
    await tab.show(f"<input id=first maxlength=1>{BOX * 5}")
    outcome = await tab.actions.fill(await tab.ref("#first"), CODE, caller=CALLER)
    assert outcome.after["value"] == "<CODE>"
    read = "() => [...document.querySelectorAll('input')].map((each) => each.value).join('')"
    assert await tab.main(read) == "837261"
