"""What counts as a slider, where it is, and how near it is brought before a key moves it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.tabs import CALLER, Tab


async def prepared(tab: Tab, selector: str, value: str) -> Any:
    number = int((await tab.ref(selector))[1:])
    return await tab.agent.call(
        tab.page.main_frame, "prepare_fill", caller=CALLER, ref=number, value=value
    )


async def test_a_range_is_brought_beside_its_goal_without_a_change(tab: Tab) -> None:
    await tab.show(
        """<input id=s type=range max=1 step=0.1 value=0 aria-label=Share><script>
        globalThis.heard = [];
        for (const type of ['input', 'change']) s.addEventListener(type, () => heard.push([type, s.value]));
        </script>"""
    )
    ready = await prepared(tab, "#s", "0.3")
    assert (ready["mode"], ready["goal"], ready["at"]["number"]) == ("slide", 0.3, 0.2)
    assert await tab.main("() => heard") == [["input", "0.2"]]


async def test_a_slider_that_is_there_is_left_alone(tab: Tab) -> None:
    await tab.show("<input id=s type=range value=30 aria-label=Volume>")
    assert (await prepared(tab, "#s", "30"))["mode"] == "set"


@pytest.mark.parametrize("role", ["slider", "scrollbar", "separator", "spinbutton"])
async def test_whatever_keys_move_along_a_range_is_a_slider(tab: Tab, role: str) -> None:
    await tab.show(
        f"<div id=s role={role} tabindex=0 aria-label=Split aria-valuenow=50"
        " style='width:9px;height:9px'></div>"
    )
    ready = await prepared(tab, "#s", "60")
    assert (ready["mode"], ready["at"]) == ("slide", {"number": 50, "text": "50"})


async def test_its_position_is_read_after_a_moment_when_the_page_takes_one(tab: Tab) -> None:
    await tab.show("<input id=s type=range value=30 aria-label=Volume>")
    number = int((await tab.ref("#s"))[1:])
    await tab.main("() => { requestAnimationFrame(() => { s.value = 31; }); }")
    said = await tab.agent.call(
        tab.page.main_frame, "slider_position", ref=number, was={"number": 30, "text": "30"}
    )
    assert said == {"number": 31, "text": "31"}
