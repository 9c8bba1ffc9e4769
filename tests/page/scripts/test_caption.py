"""What a picture shows."""

from __future__ import annotations

from stockade.page.reach import look
from tests.support.tabs import CALLER, Tab


async def test_what_is_hidden_or_elsewhere_is_left_out(tab: Tab) -> None:
    await tab.show(
        "<title> A\u200b title </title><h1>Shown</h1><h2 hidden>Hidden</h2>"
        "<h2 style='position:absolute;left:-9999px'>Away</h2><img alt=Cup width=9 height=9 src=data:,>"
        "<input aria-label=Name value=typed><button>Go</button>"
    )
    box = {"x": 0, "y": 0, "width": 1280, "height": 720}
    said = await look(tab.agent, tab.page.main_frame, "caption.js", caller=CALLER, box=box)
    assert said["title"] == "A title"
    assert said["headings"] == ["Shown"]
    assert said["pictures"] == ["Cup"]
    assert said["controls"] == 2


async def test_a_field_does_not_tell_its_value(tab: Tab) -> None:
    await tab.show("<input aria-label=Name value=typed>")
    ref = int((await tab.ref("input")).removeprefix("e"))
    said = await look(tab.agent, tab.page.main_frame, "caption.js", caller=CALLER, ref=ref)
    assert said["element"] == {"words": 'textbox "Name"', "text": ""}
