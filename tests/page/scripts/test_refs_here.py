"""Whether a document has something that a snapshot would give a ref."""

from __future__ import annotations

from tests.support.tabs import Tab


async def test_only_what_is_seen_counts(tab: Tab) -> None:
    for html, expected in (
        ("<button hidden>x</button><input type=hidden>", False),
        ("<div style='cursor:pointer'>x</div>", True),
        ("<div><template shadowrootmode=open><a href=x>x</a></template></div>", True),
    ):
        await tab.page.navigate(tab.site.page("/page", html), until="load")
        said = await tab.agent.call(tab.page.main_frame, "refs_here.js")
        assert said["available"] == expected, html
