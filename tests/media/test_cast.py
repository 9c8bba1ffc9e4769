"""One stream of pictures for all who want one, and none of a secret."""

from __future__ import annotations

import asyncio

from stockade.masking.masker import Masker
from stockade.media.cast import Still, Watch, watch, watching
from stockade.sessions.tab import Tab
from tests.support.callers import Caller
from tests.support.pictures import picture_size, shows_green
from tests.support.waiting import until

SECRET = "Zq7-secret-9K"


async def shown(caller: Caller, html: str = "<body style='background:red'><p>Text") -> Tab:
    await caller.show(html)
    tab = caller.kernel.sessions.find(caller.principal, "default").current
    assert tab is not None
    return tab


async def painted(tab: Tab, stills: list[Still], text: str = "more") -> bytes:
    count = len(stills)
    await tab.page.main_frame.call("text => { document.body.append(text) }", text)
    await until(lambda: len(stills) > count)
    return stills[-1].picture.data


async def test_it_runs_as_long_as_anybody_looks(caller: Caller) -> None:
    tab = await shown(caller)
    stills: list[Still] = []
    looker = Watch(tab, Masker(), stills.append)
    async with watching(looker):
        async with watching(Watch(tab, Masker())):
            assert picture_size(await painted(tab, stills)) == (1280, 720)
        assert await painted(tab, stills)
        assert looker.last is stills[-1]
        assert tab.rest_at == float("inf"), "it is not frozen meanwhile"
    assert tab.page.screencast_frame is None
    async with watching(Watch(tab, Masker(), stills.append)):
        assert await painted(tab, stills)


async def test_a_tab_that_is_gone_is_no_trouble(caller: Caller) -> None:
    tab = await shown(caller)
    async with watching(Watch(tab, Masker())):
        await tab.close()
    assert tab.page.closed
    assert not await watch(Watch(tab, Masker()), asyncio.Event())


async def test_secrets_are_painted_over_from_the_moment_they_are_known(caller: Caller) -> None:
    tab = await shown(caller, f"<body style='color:#0f0'><p>{SECRET}</p>")
    masker, stills = Masker(), list[Still]()
    looker = Watch(tab, masker, stills.append, (640, 360))
    async with watching(looker):
        await until(lambda: bool(stills))
        assert shows_green(stills[-1].picture.data), "nothing is known yet"
        masker.add("TOKEN", SECRET)
        assert looker.last is None, "what was taken before may show it"
        await until(lambda: looker.last is not None)
        veiled = len(stills)
        picture = await painted(tab, stills, SECRET)
        assert picture_size(picture) == (640, 360)
        assert not any(shows_green(each.picture.data) for each in stills[veiled - 1 :])
