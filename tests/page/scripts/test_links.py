"""Links in the page."""

from __future__ import annotations

from tests.support.tabs import Tab


async def test_only_the_web_counts_and_a_form_cannot_hide_it(tab: Tab) -> None:
    await tab.show(
        "<base href=/deep/><img name=baseURI><a href=x>A</a><a href=javascript:1>J</a><a href='http://['>"
        "bad</a><svg><a href=/svg><text>S</text></a></svg><a href=/2>B</a>"
    )
    said = await tab.agent.call(tab.page.main_frame, "links.js", most=2, longest=100)
    assert said["total"] == 3
    assert said["links"] == [
        {"url": tab.site.url("/deep/x"), "text": "A"},
        {"url": tab.site.url("/svg"), "text": "S"},
    ]
