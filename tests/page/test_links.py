"""Links of a tab, whichever frame they are in."""

from __future__ import annotations

from stockade.page.links import Link, links_of
from tests.support.tabs import Tab


async def test_a_part_may_begin_in_any_frame(tab: Tab) -> None:
    tab.site.page("/one", "<a href=/3>3</a><a href=/4>4</a>")
    tab.site.page("/two", "<a href=/5>5</a>")
    await tab.show(
        f"<iframe src=/one></iframe><iframe src='{tab.site.url('/two', 'localhost')}'></iframe>"
        "<a href=/1>1</a><a href=/2>2</a>"
    )
    every = [each.text for each in (await links_of(tab.agent)).links]
    assert every == ["1", "2", "3", "4", "5"]
    for offset in range(6):
        part = await links_of(tab.agent, offset=offset, limit=2)
        assert [each.text for each in part.links] == every[offset : offset + 2]
        assert part.total == 5
    assert (await links_of(tab.agent, limit=1)).links == [Link(tab.site.url("/1"), "1")]


async def test_words_that_nobody_sees_are_marked(tab: Tab) -> None:
    await tab.show(
        "<a href=/1>Next <b style=opacity:.01>hush</b></a><a href=/2><b style=display:none>hush</b>2</a>"
    )
    assert [each.text for each in (await links_of(tab.agent)).links] == [
        'Next [hidden: "hush"]',
        "2",
    ]
