"""A tab: the current one, or one that is meant."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from stockade.client import Stockade
from tests.support.site import Site


async def test_tabs_of_one_session(stockade: Stockade, site: Site) -> None:
    site.page("/b", "<title>Second</title>")
    first = await stockade.open(site.page("/a", "<title>First</title>"))
    second = await first.new_tab(site.url("/b"))
    assert second.id is not None
    assert second.session == first.session
    assert "title: Second" in await first.snapshot()  # the current tab
    [row, _] = (await first.tabs())["tabs"]
    assert "title: First" in await first.at(row["tab"]).snapshot()
    assert "title: Second" in await second.snapshot()


async def test_the_default_session_needs_no_opening(stockade: Stockade, site: Site) -> None:
    tab = stockade.session()
    result = await tab.navigate(url=site.page("/a", "<title>First</title>"))
    assert (tab.session, result["title"]) == ("default", "First")
    await tab.close()


async def test_what_happens_can_be_heard(stockade: Stockade, site: Site) -> None:
    tab = await stockade.open(site.page("/a", "<title>First</title>"))
    heard: list[Mapping[str, Any]] = []

    async def listen() -> None:
        async with asyncio.timeout(20):
            async for event in tab.events():
                heard.append(event)
                if event["type"] == "tab.navigated":
                    return

    async with asyncio.TaskGroup() as group:
        listening = group.create_task(listen())
        while not listening.done():
            await tab.navigate(url=site.url("/a"))
    assert (heard[-1]["session"], heard[-1]["url"]) == (tab.session, site.url("/a"))


async def test_tools_by_name(stockade: Stockade, site: Site) -> None:
    tab = await stockade.open(site.page("/a", "<p>hello</p>"))
    found = await tab.call("text_search", {"text": "hello"})
    assert found["count"] == 1
