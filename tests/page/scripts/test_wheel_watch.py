"""Whether a turn of the wheel can move something, and has."""

from __future__ import annotations

from tests.support.tabs import Tab

WAY = {"x": 50, "y": 50, "dx": 0, "dy": 10}


async def test_only_where_there_is_room(tab: Tab) -> None:
    frame = tab.page.main_frame
    for html, can, framed in (
        ("<p>Short</p>", False, False),
        ("<div style='height:9000px'></div>", True, False),
        ("<style>body{overflow:hidden}</style><div style='height:9000px'></div>", False, False),
        ("<iframe width=400 height=400></iframe>", True, True),
    ):
        await tab.show(html)
        begun = await tab.agent.call(frame, "wheel_watch.js", step="begin", **WAY)
        assert begun == {"can": can, "frame": framed}, html
        await tab.main("() => scrollTo(0, 5)")
        ended = await tab.agent.call(frame, "wheel_watch.js", step="end", cap=100)
        assert ended["moved"] == (await tab.main("() => scrollY") == 5)
        again = await tab.agent.call(frame, "wheel_watch.js", step="end", cap=100)
        assert again == {"moved": False}
