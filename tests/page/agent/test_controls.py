"""What controls have chosen."""

from __future__ import annotations

import pytest

from tests.page.agent.looking import about
from tests.support.tabs import Tab


@pytest.mark.parametrize(
    ("control", "expected"),
    [
        ("<select><option>a<option selected>b</select>", "b"),
        ("<select multiple><option selected>a<option selected>b</select>", "a b"),
        (
            "<span role=listbox><i role=option>a</i><i role=option aria-selected=true>b</i></span>",
            "b",
        ),
        (
            "<b role=combobox aria-controls=o></b><b hidden id=o><i role=option aria-selected=true>c",
            "c",
        ),
        ("<span role=combobox aria-controls=nowhere></span>", ""),
    ],
)
async def test_chosen_options_speak_for_a_control_inside_a_name(
    tab: Tab, control: str, expected: str
) -> None:
    html = f"<input type=checkbox id=t aria-labelledby=l><span id=l>pick {control}</span>"
    assert await about(tab, html, "Aria.name(el)") == f"pick {expected}".strip()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<input id=t type=range min=0 max=9 value=4>", "4"),
        ("<div id=t role=slider aria-valuenow=7>", "7"),
        ("<div id=t role=slider aria-valuenow=7 aria-valuetext='very warm'>", "very warm"),
        ("<input id=t type=number value=3>", "3"),
    ],
)
async def test_positions_in_a_range(tab: Tab, html: str, expected: str) -> None:
    assert await about(tab, html, "Aria.value(el, Aria.role(el))") == expected
