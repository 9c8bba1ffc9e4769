"""What input at a bare point meets."""

from __future__ import annotations

from stockade.engines.values import Point
from stockade.page.hits import with_hits
from tests.support.tabs import Tab


async def test_a_point_inside_a_frame_of_another_site(tab: Tab) -> None:
    inner = tab.site.other.page(
        "/inner",
        "<body style='margin:0'><button style='width:80px;height:40px' "
        "onclick=\"this.textContent = 'Done'\">Do</button>",
    )
    await tab.show(
        f"<iframe src='{inner}' style='position:absolute;left:0;top:0;border:0'></iframe>"
    )
    await tab.frame("/inner")
    point = Point(20, 20)
    outcome = await with_hits(tab.agent, point, lambda: tab.actions.click_at(point))
    hit = outcome.extra["hit"]
    assert (hit["before"]["tag"], hit["before"]["text"]) == ("button", "Do")
    assert hit["after"]["text"] == "Done"
    assert hit["focusChanged"] is True


async def test_behind_a_dialog_there_is_no_after(tab: Tab) -> None:
    await tab.show(
        "<button style='width:80px;height:40px' onclick=\"confirm('Sure?')\">Ask</button>"
    )
    point = Point(20, 20)
    outcome = await with_hits(tab.agent, point, lambda: tab.actions.click_at(point))
    assert outcome.extra["hit"]["before"]["role"] == "button"
    assert "after" not in outcome.extra["hit"]
    await tab.page.answer_dialog(accept=False)
