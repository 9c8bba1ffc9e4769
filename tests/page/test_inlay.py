"""Frames stand where their elements are, and one that fails spoils nothing."""

from __future__ import annotations

from typing import Any

from stockade.engines.port import Frame
from stockade.page.agent import PageAgent
from stockade.page.inlay import inlaid

SCRIPT = "markdown.js markdown_writer.js main_content.js data_tables.js"
ASKED: dict[str, Any] = {
    "caller": "test",
    "links": "none",
    "limits": {"nodes": 1000, "ms": 500, "characters": 9999},
}


def joint(prefix: str, frame: Frame | None, text: str) -> str:
    return f"<{prefix}>{text}" if frame is not None else "(left out)"


async def test_places_keep_their_indent(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<ul><li>One<iframe srcdoc='<p>Two</p><p>Three</p>'></iframe></ul>"
    )
    whole = await inlaid(agent, SCRIPT, agent.page.main_frame, joint, inner=ASKED, **ASKED)
    assert whole.text == "- One\n\n  <f1>Two\n  \n  Three"
    assert whole.notes == []


async def test_there_is_an_end_to_frames(agent: PageAgent) -> None:
    await agent.page.set_content("<iframe srcdoc='<p>x'></iframe>" * 33)
    whole = await inlaid(agent, SCRIPT, agent.page.main_frame, joint, inner=ASKED, **ASKED)
    assert whole.text.count(">x") == 30
    assert whole.text.count("(left out)") == 3
    assert whole.notes == ["only 30 frames were read"]


async def test_limits_are_told(agent: PageAgent) -> None:
    await agent.page.set_content("<p>word</p>" * 2000)
    whole = await inlaid(agent, SCRIPT, agent.page.main_frame, joint, inner=ASKED, **ASKED)
    assert whole.notes == ["the page is large: stopped at 1000 nodes"]
