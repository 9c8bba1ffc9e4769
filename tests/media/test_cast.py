"""One stream of pictures for all who want one."""

from __future__ import annotations

import asyncio

from stockade.engines.events import ScreencastFrame
from stockade.media.cast import casting
from stockade.sessions.tab import Tab
from tests.support.callers import Caller
from tests.support.pictures import picture_size


async def shown(caller: Caller) -> Tab:
    await caller.show("<body style='background:red'><p>Text")
    tab = caller.kernel.sessions.find(caller.principal, "default").current
    assert tab is not None
    return tab


async def picture(tab: Tab) -> bytes:
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(tab.page.events.wait(ScreencastFrame, timeout=5))
        await asyncio.sleep(0)
        await tab.page.main_frame.call("() => { document.body.append('more') }")
    return waiting.result().data


async def test_it_runs_as_long_as_anybody_looks(caller: Caller) -> None:
    tab = await shown(caller)
    async with casting(tab):
        async with casting(tab):
            assert picture_size(await picture(tab)) == (1280, 720)
        assert await picture(tab)
        assert tab.rest_at == float("inf"), "it is not frozen meanwhile"
    assert tab.page.screencast_frame is None
    async with casting(tab):
        assert await picture(tab)


async def test_a_tab_that_is_gone_is_no_trouble(caller: Caller) -> None:
    tab = await shown(caller)
    async with casting(tab):
        await tab.close()
    assert tab.page.closed
