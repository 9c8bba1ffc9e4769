"""Popups become tabs, numbers are never given twice, and there are only so many."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from stockade.engines.events import PageClosed, PageOpened
from stockade.engines.port import Page
from stockade.errors import QuotaExceeded, SessionNotFound, TabClosed, TabNotFound
from stockade.page.locator import resolve
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from tests.sessions.ground import ALICE, BOB, main, until, working
from tests.support.expecting import expecting
from tests.support.site import Site


async def at(session: Session, site: Site, path: str = "/") -> Tab:
    """A new tab that shows a page."""
    site.page(path, f"<title>{path}</title>")
    tab = await session.new_tab()
    await tab.page.navigate(site.url(path))
    return tab


async def popup(tab: Tab, url: str, features: str = "") -> Tab:
    """Open a popup from a tab, and wait until it has become one and shows its page."""
    async with expecting(tab.page.context.events, PageOpened) as opened:
        await main(tab, "(url, features) => { open(url, '_blank', features) }", url, features)
    found = tab.session.tab_of(opened.result().page)
    assert found is not None
    frame = found.page.main_frame
    await until(lambda: found.url == url and frame.reached("DOMContentLoaded"))
    return found


async def closes(tab: Tab) -> None:
    """Let the page close its own tab."""
    async with expecting(tab.page.context.events, PageClosed):
        await main(tab, "() => { setTimeout(() => window.close()) }")


def ids(session: Session) -> list[str]:
    return [tab.id for tab in session.tabs]


@pytest.mark.parametrize("features", ["", "noopener", "popup,width=300"])
async def test_a_popup_is_a_tab_and_does_not_push_itself_forward(
    session: Session, site: Site, features: str
) -> None:
    first = await at(session, site)
    site.page("/popup", "<title>Popup</title>")
    second = await popup(first, site.url("/popup"), features)
    assert ids(session) == ["t1", "t2"]
    assert session.current is first
    assert first.recorder.take().opened[0] is second.page
    assert second.page.opener is first.page
    assert await second.title() == "Popup"
    assert not second.recorder.take().opened


async def test_numbers_are_never_given_twice(session: Session, site: Site) -> None:
    first = await at(session, site)
    second = await popup(first, "about:blank")
    await session.close_tab(second)
    third = await popup(first, "about:blank")
    await session.close_tab(third)
    await session.close_tab(first)
    assert ids(session) == []
    assert (await session.tab()).id == "t4"


async def test_when_the_current_tab_closes_its_opener_is_next(session: Session, site: Site) -> None:
    first = await at(session, site)
    await at(session, site, "/other")
    child = await popup(first, site.url("/"))
    session.select(child.id)
    await closes(child)
    assert session.current is first
    assert list(first.recorder.take().closed) == ["t3"]


async def test_without_an_opener_the_tab_last_used_is_next(session: Session, site: Site) -> None:
    tabs = [await at(session, site, f"/{number}") for number in range(4)]
    async with working(session, "t2"):
        pass
    assert session.current is tabs[3]
    await session.close_tab(tabs[3])
    assert session.current is tabs[1]
    await session.close_tab(tabs[1])
    assert session.current is tabs[2]


async def test_a_tab_nobody_has_used_comes_last(session: Session, site: Site) -> None:
    first = await at(session, site)
    second = await at(session, site, "/second")
    await popup(second, "about:blank", "noopener")
    await session.close_tab(second)
    assert session.current is first


async def test_a_tab_that_closes_while_a_call_waits_for_it(session: Session, site: Site) -> None:
    tab = await at(session, site)
    child = await popup(tab, site.url("/"))

    async def call() -> str:
        try:
            async with working(session, child.id):
                return "worked"
        except TabClosed as error:
            return error.code

    async with asyncio.TaskGroup() as group, child.lease.hold(1):
        waiting = [group.create_task(call()) for _ in range(2)]
        await until(lambda: child.lease.users == 3)
        await closes(child)
        async with asyncio.timeout(1):
            assert await asyncio.gather(*waiting) == ["tab_closed"] * 2
    with pytest.raises(TabClosed) as caught:
        await session.tab(child.id)
    assert caught.value.details["tabs"] == ["t1"]


@pytest.mark.parametrize("name", ["t9", "", "t0", "x", "t1 ", "t" + "9" * 500])
async def test_a_tab_that_never_was(session: Session, site: Site, name: str) -> None:
    await at(session, site)
    with pytest.raises(TabNotFound) as caught:
        await session.tab(name)
    assert caught.value.message == "session default has no such tab"
    with pytest.raises(TabNotFound):
        session.select(name)


async def test_a_session_has_only_so_many_tabs(session: Session, site: Site) -> None:
    for number in range(4):
        await at(session, site, f"/{number}")
    with pytest.raises(QuotaExceeded, match="4 tabs"):
        await session.new_tab()
    await session.close_tab(session.tabs[0])
    await session.new_tab()
    assert session.tab_count == 4


async def test_several_at_once_do_not_get_past_the_limit(session: Session) -> None:
    results = await asyncio.gather(*(session.new_tab() for _ in range(8)), return_exceptions=True)
    assert sorted(type(each).__name__ for each in results) == ["QuotaExceeded"] * 4 + ["Tab"] * 4
    assert ids(session) == ["t1", "t2", "t3", "t4"]


async def beside_a_new_tab(
    session: Session, begin: Callable[[], Coroutine[Any, Any, Tab]]
) -> tuple[Tab, Tab]:
    """A new tab, and one that is asked for when its page is there but its caller has not got it."""
    there = asyncio.Event()
    stop = (await session.started()).events.on(PageOpened, lambda _: there.set())

    async def beside() -> Tab:
        await there.wait()
        stop()
        return await begin()

    return await asyncio.gather(session.new_tab(), beside())


async def test_a_tab_that_comes_is_counted_once(session: Session) -> None:
    counted: list[int] = []
    context = await session.started()
    context.events.on(PageOpened, lambda _: counted.append(session.tab_count))
    for _ in range(3):
        await session.new_tab()
    assert counted == [1, 2, 3]
    assert session.tab_count == 3


async def test_the_last_place_is_free_while_another_tab_comes(session: Session, site: Site) -> None:
    for number in range(2):
        await at(session, site, f"/{number}")
    third, fourth = await beside_a_new_tab(session, session.new_tab)
    assert [third.id, fourth.id] == ["t3", "t4"]
    with pytest.raises(QuotaExceeded):
        await session.new_tab()


async def test_no_tab_is_recycled_while_there_is_a_place(session: Session, site: Site) -> None:
    for number in range(2):
        await at(session, site, f"/{number}")
    _, fourth = await beside_a_new_tab(session, lambda: session.new_tab(recycle=True))
    assert fourth.replaced is None
    assert ids(session) == ["t1", "t2", "t3", "t4"]


async def test_a_place_on_the_server_is_free_while_another_tab_comes(
    sessions: Sessions, session: Session, site: Site
) -> None:
    """The limit of all is 6."""
    other = sessions.open(BOB, "default")
    for number in range(2):
        await at(session, site, f"/{number}")
        await at(other, site, f"/{number}")
    _, sixth = await beside_a_new_tab(session, other.new_tab)
    assert sixth.id == "t3"
    with pytest.raises(QuotaExceeded, match="this server"):
        await other.new_tab()


async def test_one_too_many_is_refused_while_another_tab_comes(
    session: Session, site: Site
) -> None:
    for number in range(3):
        await at(session, site, f"/{number}")
    with pytest.raises(QuotaExceeded):
        await beside_a_new_tab(session, session.new_tab)
    await until(lambda: session.current is not None and session.current.id == "t4")
    assert session.tab_count == 4


async def test_a_tab_that_closes_before_its_caller_has_it_takes_no_place(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = await session.started()
    new_page = context.new_page

    async def closed(**given: Any) -> Page:
        page = await new_page(**given)
        await page.close()
        return page

    with monkeypatch.context() as patch:
        patch.setattr(context, "new_page", closed)
        with pytest.raises(TabClosed):
            await session.new_tab()
    assert session.tab_count == 0


async def test_a_tab_whose_caller_gave_up_takes_no_place(session: Session) -> None:
    for _ in range(3):
        await session.new_tab()
    context = await session.started()
    async with asyncio.TaskGroup() as group:
        caller = group.create_task(session.new_tab())

        def give_up(_: PageOpened) -> None:
            caller.cancel()

        stop = context.events.on(PageOpened, give_up)
    stop()
    assert caller.cancelled()
    await until(lambda: session.tab_count == 3)
    assert (await session.new_tab(recycle=True)).replaced is None


async def test_all_sessions_share_a_limit(sessions: Sessions, session: Session, site: Site) -> None:
    other = sessions.open(BOB, "default")
    for number in range(3):
        await at(session, site, f"/{number}")
        await at(other, site, f"/{number}")
    with pytest.raises(QuotaExceeded, match="this server"):
        await other.new_tab()
    await sessions.close(session)
    assert (await other.new_tab()).id == "t4"


@pytest.mark.parametrize("features", ["", "noopener"])
async def test_popups_beyond_the_limit_are_closed_and_told(
    sessions: Sessions, session: Session, site: Site, features: str
) -> None:
    first = await at(session, site)
    other = await at(sessions.open(ALICE, "other"), site)
    site.page("/ad", "<title>Ad</title>")
    await main(
        first,
        "(url, features) => { for (let i = 0; i < 9; i++) open(url + '?' + i, '_blank', features) }",
        site.url("/ad"),
        features,
    )
    context = session.context
    assert context is not None
    await until(lambda: len(session.refused_popups) == 6 and len(context.pages) == 4)
    assert ids(session) == ["t1", "t2", "t3", "t4"]
    told = first.recorder.take()
    assert len(told.opened) == 3
    assert len(told.refused) == 6
    assert all(not url or url.startswith(site.url("/ad")) for url in told.refused)
    assert not other.recorder.take().opened
    assert not other.session.refused_popups


async def test_a_popup_takes_no_place_that_another_session_needs(
    sessions: Sessions, session: Session, site: Site
) -> None:
    """The limit of all is 6."""
    other = sessions.open(BOB, "default")
    for number in range(4):
        await at(other, site, f"/{number}")
    tab = await at(session, site)
    await popup(tab, site.url("/"))
    await main(tab, "url => { open(url) }", site.url("/0"))
    await until(lambda: session.refused_popups)
    assert ids(session) == ["t1", "t2"]


async def test_a_tab_opened_while_the_session_closes(sessions: Sessions, session: Session) -> None:
    await session.new_tab()
    context = session.context
    assert context is not None
    opening, closing, finding = await asyncio.gather(
        session.new_tab(), sessions.close(session), session.tab(), return_exceptions=True
    )
    assert isinstance(opening, (TabClosed, SessionNotFound))
    assert closing is None
    assert isinstance(finding, SessionNotFound)
    assert not context.pages
    assert session.tabs == []


# --- recycling --------------------------------------------------------------------------------


async def use(tab: Tab, times: int) -> None:
    """Work in a tab as calls do."""
    for _ in range(times):
        async with working(tab.session, tab.id):
            tab.calls += 1


async def test_the_least_used_tab_makes_room(session: Session, site: Site) -> None:
    tabs = [await at(session, site, f"/{number}") for number in range(4)]
    for tab, times in zip(tabs, (2, 1, 1, 2), strict=True):
        await use(tab, times)
    await use(tabs[0], 0)
    new = await session.new_tab("work", recycle=True)
    assert new.replaced == (tabs[1].uuid, site.url("/1"))
    assert (new.group, session.current) == ("work", new)
    assert ids(session) == ["t1", "t3", "t4", "t5"]
    with pytest.raises(TabClosed):
        await session.tab("t2")
    with pytest.raises(TabNotFound):
        await session.tab(tabs[1].uuid)
    await session.close_tab(new)
    assert (await session.new_tab(recycle=True)).replaced is None


async def test_a_tab_with_a_call_under_way_stays(session: Session, site: Site) -> None:
    tabs = [await at(session, site, f"/{number}") for number in range(4)]
    await use(tabs[2], 3)
    async with tabs[0].lease.hold(1), tabs[1].lease.hold(1):
        with tabs[3].watched():
            assert (await session.new_tab(recycle=True)).replaced == (tabs[2].uuid, tabs[2].url)
            new = session.tabs[-1]
            async with new.lease.hold(1):
                with pytest.raises(QuotaExceeded):
                    await session.new_tab(recycle=True)
    assert ids(session) == ["t1", "t2", "t4", "t5"]


async def test_several_that_recycle_at_once_each_get_a_place(session: Session, site: Site) -> None:
    old = [await at(session, site, f"/{number}") for number in range(4)]

    async def create() -> Tab:
        tab = await session.new_tab(recycle=True)
        async with tab.lease.hold(1):
            await tab.page.navigate(site.url("/0"))
        return tab

    made = await asyncio.gather(*(create() for _ in range(4)))
    assert {tab.replaced and tab.replaced.uuid for tab in made} == {tab.uuid for tab in old}
    assert ids(session) == ["t5", "t6", "t7", "t8"]
    context = session.context
    assert context is not None
    assert len(context.pages) == session.tab_count == 4


async def test_only_tabs_of_the_same_session_make_room(
    sessions: Sessions, session: Session, site: Site
) -> None:
    """The limit of all is 6."""
    other = sessions.open(BOB, "default")
    for number in range(3):
        await at(session, site, f"/{number}")
        await at(other, site, f"/{number}")
    third = sessions.open(ALICE, "third")
    with pytest.raises(QuotaExceeded, match="this server"):
        await third.new_tab(recycle=True)
    first = other.tabs[0]
    assert (await other.new_tab(recycle=True)).replaced == (first.uuid, first.url)
    assert ids(session) == ["t1", "t2", "t3"]


async def test_popups_are_of_their_openers_group(session: Session, site: Site) -> None:
    site.page("/popup", "<title>Popup</title>")
    site.page(
        "/inner",
        "<button onclick=\"open('/popup?script', '_blank', 'noopener')\">Script</button>"
        "<a target=_blank href='/popup?link'>Link</a>",
    )
    site.page("/outer", f"<iframe src='{site.url('/inner', 'localhost')}'></iframe>")
    await session.new_tab("other")
    tab = await session.new_tab("mine")
    await tab.page.navigate(site.url("/outer"), until="load")
    session.select("t1")
    for name in ("Script", "Link"):
        ref = await resolve(tab.agent, f"text={name}", caller="me")
        await tab.actions.click(ref, caller="me")
    await until(lambda: len(session.tabs) == 4)
    assert [each.group for each in session.tabs] == ["other", "mine", "mine", "mine"]
