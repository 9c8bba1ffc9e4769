"""An element with its styles on it."""

from __future__ import annotations

from typing import Any

from stockade.page.reach import look
from tests.support.tabs import CALLER, Tab


async def styled(tab: Tab, selector: str) -> dict[str, Any]:
    await tab.ref(selector)
    # What is in a closed root becomes part of the element's name.
    await tab.agent.adopt_closed_roots(tab.page.main_frame)
    number = int((await tab.ref(selector)).removeprefix("e"))
    return await look(
        tab.agent,
        tab.page.main_frame,
        "styled.js markup.js saved_parts.js initial_styles.js",
        token="mark",
        known=[],
        ref=number,
        caller=CALLER,
    )


async def test_only_what_differs_is_written(tab: Tab) -> None:
    await tab.show(
        "<style>div { color: rgb(1, 2, 3) } b { color: rgb(4, 5, 6) } i { font-style: normal }</style>"
        "<div id=d>one <b>two</b> <i>three</i></div>"
    )
    said = await styled(tab, "#d")
    outer, bold, italic = (style["text"] for style in said["styles"])
    assert "color: rgb(1, 2, 3)" in outer
    assert "color: rgb(4, 5, 6)" in bold
    assert "font-weight: 700" in bold
    assert italic == ""


async def test_roots_slots_and_generated_words_are_flat(tab: Tab) -> None:
    await tab.show(
        "<style>x-a::before { content: 'be' 'fore' }</style><x-a id=d><u>slotted</u></x-a>"
        "<script>d.attachShadow({mode:'closed'}).innerHTML = '<s>in</s><slot></slot>'</script>"
    )
    html = (await styled(tab, "#d"))["html"]
    assert html.startswith("<div")
    words = ["before", "in", "slotted"]
    places = [html.index(f">{word}<") for word in words]
    assert places == sorted(places)
    assert "<template" not in html
