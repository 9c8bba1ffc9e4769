"""Differences over all frames."""

from __future__ import annotations

from stockade.flows.differences import difference
from tests.support.tabs import CALLER, Tab


async def test_frames_are_compared_too(tab: Tab) -> None:
    inner = tab.site.other.page("/inner", "<p id=word>Old</p>")
    await tab.show(f"<iframe src='{inner}'></iframe><p>Stays</p>")
    frame = await tab.frame("/inner")
    async with difference(tab.agent, caller=CALLER, timeout=5) as found:
        await tab.main("() => { word.textContent = 'New' }", frame=frame)
    assert found.counts == {"changed": 1, "added": 0, "removed": 0}
    (row,) = found.rows["changed"]
    assert (row["path"], row["frame"]) == ("#word", tab.agent.prefix(frame))
    assert found.notes == []
