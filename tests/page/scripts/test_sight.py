"""Looking at a frame twice."""

from __future__ import annotations

from tests.page.scripts.test_sight_text import SCRIPT, read
from tests.support.tabs import Tab


async def test_the_same_text_is_not_sent_twice(tab: Tab) -> None:
    said = await read(tab, "<p>one secret</p>")
    main = tab.page.main_frame
    spans = [[said["text"].index("secret"), said["text"].index("secret") + 6]]
    before = await tab.agent.call(main, SCRIPT, step="place", spans=spans)
    again = await tab.agent.call(main, SCRIPT, step="read", again=True)
    assert "text" not in again
    assert again["boxes"] == before["boxes"] != []
    await tab.main("() => { document.body.append('more') }")
    assert "more" in (await tab.agent.call(main, SCRIPT, step="read", again=True))["text"]


async def test_another_document_has_no_places(tab: Tab) -> None:
    await tab.show("nothing was read here")
    assert await tab.agent.call(tab.page.main_frame, SCRIPT, step="place", spans=[]) == {
        "lost": True
    }
