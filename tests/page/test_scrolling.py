from __future__ import annotations

from stockade.page.scrolling import scroll_page
from tests.support.tabs import CALLER, Tab


async def test_scroll_reports_where_it_ended(tab: Tab) -> None:
    await tab.show("<div style='height:5000px'></div>")
    outcome = await scroll_page(tab.actions, to="bottom", caller=CALLER)
    assert outcome.extra["scroll"]["atBottom"]
    outcome = await scroll_page(tab.actions, by=(0, -200), caller=CALLER)
    assert not outcome.extra["scroll"]["atBottom"]
