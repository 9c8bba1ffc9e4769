"""A tab: its title, its rest and its end."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.events import DialogOpened, PageClosed, PageCrashed
from stockade.errors import NavigationFailed, StockadeError, TabClosed, TabCrashed
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session
from tests.sessions.ground import BOB, SOON, HandClock, main, until, working
from tests.sessions.test_dialogs import ask
from tests.sessions.test_tabs import at
from tests.support.expecting import expecting
from tests.support.site import Site


async def test_a_frozen_tab_tells_its_title_in_its_sleep(
    sessions: Sessions, session: Session, site: Site, clock: HandClock
) -> None:
    tab = await at(session, site)
    clock.advance(30)
    await sessions.tidy()
    assert tab.page.frozen
    assert await tab.title() == "/"
    assert tab.page.frozen


async def test_it_is_not_frozen_under_the_hands_of_a_caller(
    session: Session, site: Site, clock: HandClock
) -> None:
    """A call may come between the moment a tab is found idle and the moment it is frozen."""
    tab = await at(session, site)
    clock.advance(30)
    async with working(session):
        await tab.rest()
        assert not tab.page.frozen


async def test_a_call_that_comes_while_it_freezes(
    session: Session, site: Site, clock: HandClock
) -> None:
    tab = await at(session, site)
    clock.advance(30)
    async with asyncio.TaskGroup() as group:
        group.create_task(tab.rest())
        await asyncio.sleep(0)
        assert tab.page.frozen
        async with working(session):
            moved = "() => new Promise(done => requestAnimationFrame(() => done(true)))"
            assert await main(tab, moved) is True
            assert not tab.page.frozen


async def test_the_title_under_a_dialog(session: Session, site: Site) -> None:
    tab = await at(session, site)
    async with working(session):
        await ask(tab, "confirm")
        assert await tab.title() == "/"


async def test_a_crashed_tab_says_so_and_comes_back(session: Session, site: Site) -> None:
    tab = await at(session, site)
    other = await at(session, site, "/other")
    async with working(session, tab.id), expecting(tab.page.events, PageCrashed):
        with pytest.raises((TabCrashed, NavigationFailed)):
            await tab.page.navigate("chrome://crash", timeout=5)
    assert tab.recorder.take().crashed
    async with working(session, tab.id):
        with pytest.raises(TabCrashed):
            await tab.page.main_frame.call("() => 1", timeout=5)
    assert await other.title() == "/other"
    async with working(session, tab.id):
        await tab.page.navigate(site.url("/"), timeout=5)
        assert await tab.title() == "/"


async def test_all_who_wait_for_a_tab_that_crashes_hear_of_it(
    sessions: Sessions, session: Session, site: Site
) -> None:
    tab = await at(session, site)
    neighbour = await at(sessions.open(BOB, "default"), site)

    async def call() -> str:
        try:
            async with working(session, tab.id):
                return str(await main(tab, "() => new Promise(() => {})"))
        except StockadeError as error:
            return error.code

    async with asyncio.TaskGroup() as group:
        calls = [group.create_task(call()) for _ in range(3)]
        await until(lambda: tab.lease.users == 3)
        with pytest.raises(StockadeError):
            await tab.page.navigate("chrome://crash", timeout=5)
        async with asyncio.timeout(SOON):
            assert await asyncio.gather(*calls) == ["page_crashed"] * 3
    assert await neighbour.title() == "/"


async def test_closing_twice_and_at_once(session: Session, site: Site) -> None:
    tab = await at(session, site)
    async with expecting(tab.page.context.events, PageClosed):
        await asyncio.gather(*(session.close_tab(tab) for _ in range(3)))
    await session.close_tab(tab)
    with pytest.raises(TabClosed):
        tab.ensure_open()


async def test_a_close_that_is_cancelled_closes_all_the_same(session: Session, site: Site) -> None:
    tab = await at(session, site)
    async with expecting(tab.page.context.events, PageClosed), asyncio.TaskGroup() as group:
        closing = group.create_task(session.close_tab(tab))
        await asyncio.sleep(0)
        closing.cancel()
    assert session.tabs == []


async def test_a_tab_that_is_gone_listens_no_more(session: Session, site: Site) -> None:
    tab = await at(session, site)
    page_events, context_events = tab.page.events, tab.page.context.events
    await session.close_tab(tab)
    assert not page_events.wanted(DialogOpened)
    await session.close()
    assert not context_events.wanted(DialogOpened)
