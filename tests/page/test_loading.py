"""Loading: which documents are waited for, and for how long."""

from __future__ import annotations

import asyncio

from stockade.page.settle import Window
from tests.support.tabs import Tab


async def test_a_page_that_builds_itself_is_there_when_it_has_loaded(tab: Tab) -> None:
    late = asyncio.Event()
    tab.site.page("/late.css", "p { color: red }", content_type="text/css", delay=late)
    tab.site.page(
        "/built",
        "<body><link rel=stylesheet href=/late.css><script>"
        "onload = () => { document.body.append('built'); }</script>",
    )
    with Window(tab.agent) as window:
        await tab.page.navigate(tab.site.url("/built"), until="commit")
        async with asyncio.TaskGroup() as group:
            settling = group.create_task(window.settle(timeout=20))
            await tab.site.wait_asked("/late.css")
            late.set()
        assert settling.result().settled
    assert await tab.main("() => document.body.textContent.includes('built')")


async def test_a_page_that_shows_nothing_is_given_all_the_time_there_is(tab: Tab) -> None:
    never = asyncio.Event()
    tab.site.page("/never.png", "", delay=never)
    tab.site.page("/blank", "<body><img src=/never.png width=0 height=0><script>1</script>")
    with Window(tab.agent) as window:
        await tab.page.navigate(tab.site.url("/blank"), until="commit")
        began = asyncio.get_running_loop().time()
        settled = await window.settle(timeout=8)
        assert asyncio.get_running_loop().time() - began > 5.5
    never.set()
    assert not settled.settled
    assert any("/never.png" in each for each in settled.pending)
