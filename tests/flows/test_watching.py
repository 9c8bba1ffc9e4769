"""Watching a tab."""

from __future__ import annotations

import asyncio

from stockade.flows.watching import watch
from tests.support.tabs import CALLER, Tab


async def test_what_is_there_comes_first_and_stays(tab: Tab) -> None:
    await tab.show("<header>Shop</header><dialog aria-label=Ask>Sure?</dialog>")
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(watch(tab.agent, caller=CALLER, seconds=0.8, sample_ms=100))
        await tab.main("() => document.querySelector('dialog').showModal()")
    seen = watching.result()
    assert [row["role"] for row in seen.regions] == ["banner", "dialog"]
    assert [row["disappearedAtMs"] for row in seen.regions] == [None, None]
    left = await tab.page.main_frame.call("() => globalThis.stockadeWatches.size")
    assert left == 0


async def test_a_tab_that_goes_ends_the_watch(tab: Tab) -> None:
    await tab.show("<p role=alert>Bye")
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(watch(tab.agent, caller=CALLER, seconds=60, sample_ms=100))
        await tab.page.main_frame.call("() => null")
        await tab.page.close()
    assert watching.result().ended == "tab_closed"
