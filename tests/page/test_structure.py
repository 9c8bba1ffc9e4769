"""Frames and shadow trees of a tab."""

from __future__ import annotations

from stockade.page.agent import PageAgent
from stockade.page.structure import frame_rows, shadow_trees


async def test_frames_in_the_order_of_the_page(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<iframe name=a srcdoc='<iframe name=inner></iframe>'></iframe><iframe name=b></iframe>"
    )
    rows = {row.name: row for row in frame_rows(agent)}
    assert rows[""].frame_id == "f0"
    assert rows["inner"].parent_frame_id == rows["a"].frame_id
    assert rows["b"].parent_frame_id == "f0"


async def test_closed_roots_inside_closed_roots(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<div id=x></div><script>let at = x; for (let i = 0; i < 4; i += 1) {"
        "const root = at.attachShadow({mode: 'closed'}); at = document.createElement('div');"
        "at.style.cssText = 'width:9px;height:9px'; root.append(at); }</script>"
    )
    found = await shadow_trees(agent, caller="test")
    assert found.found == 4
    assert [tree.mode for tree in found.trees] == ["closed"] * 4
