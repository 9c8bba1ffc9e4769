"""Waiting is woken by changes in any frame, and ends."""

from __future__ import annotations

import asyncio

import pytest

from stockade.errors import DeadlineExceeded, TabClosed
from stockade.page.waiting import wait_until
from tests.support.tabs import Tab


async def text_of(tab: Tab, words: str) -> str | None:
    said: str = await tab.main("() => document.body.innerText")
    return said if words in said else None


async def test_what_holds_already_is_answered_at_once(tab: Tab) -> None:
    await tab.show("<p>Here")
    assert await wait_until(tab.agent, lambda: text_of(tab, "Here")) == "Here"


async def test_a_change_wakes_it(tab: Tab) -> None:
    await tab.show("<p id=p></p><script>setTimeout(() => { p.textContent = 'Come' }, 300)</script>")
    assert await wait_until(tab.agent, lambda: text_of(tab, "Come"), timeout=10) == "Come"


async def test_a_navigation_in_between_is_survived(tab: Tab) -> None:
    tab.site.page("/next", "<p>Next")
    await tab.show("<script>setTimeout(() => location.assign('/next'), 200)</script>")
    assert await wait_until(tab.agent, lambda: text_of(tab, "Next"), timeout=10) == "Next"


async def test_time_is_up(tab: Tab) -> None:
    await tab.show("<p>Here")
    with pytest.raises(DeadlineExceeded):
        await wait_until(tab.agent, lambda: text_of(tab, "Never"), timeout=0.4)


async def test_a_tab_that_closes_ends_it(tab: Tab) -> None:
    await tab.show("<p>Here")

    async def wait() -> None:
        with pytest.raises(TabClosed):
            await wait_until(tab.agent, lambda: text_of(tab, "Never"), timeout=20)

    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        group.create_task(wait())
        await tab.main("() => 1")
        await tab.page.close()
