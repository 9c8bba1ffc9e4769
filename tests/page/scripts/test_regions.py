"""The script that finds the parts of a page."""

from __future__ import annotations

from tests.support.tabs import CALLER, Tab


async def test_no_more_than_were_asked_for(tab: Tab) -> None:
    await tab.show("<nav>a</nav><nav>b</nav><nav>c</nav>")
    said = await tab.agent.call(tab.page.main_frame, "regions.js", caller=CALLER, most=2)
    assert [each["role"] for each in said["regions"]] == ["navigation", "navigation"]
