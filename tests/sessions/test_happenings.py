"""What happened is kept between results, and only so much of it."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.events import (
    ConsoleMessage,
    Download,
    DownloadChanged,
    Event,
    FrameNavigated,
    PageCrashed,
    PageError,
    Request,
    RequestStarted,
)
from stockade.engines.port import Page
from stockade.sessions.happenings import Happenings, Recorder
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session
from tests.sessions.ground import BOB, main, until, working
from tests.sessions.test_tabs import at, popup
from tests.support.expecting import expecting
from tests.support.logs import console_line
from tests.support.site import Site


def line(level: str = "error", text: str = "x") -> ConsoleMessage:
    return ConsoleMessage(level, text, "http://a/", 1, 0.0)


def request(number: int) -> RequestStarted:
    return RequestStarted(Request(str(number), "http://a/", "GET", "Fetch", 0.0))


async def test_nothing_is_lost_between_results(page: Page) -> None:
    recorder = Recorder(page)
    page.events.emit(line(text="one"))
    page.events.emit(line("log", "idle talk"))
    page.events.emit(line("warning", "two"))
    first = recorder.take()
    page.events.emit(line(text="three"))
    page.events.emit(PageError("four", "http://a/", 1, 0.0))
    page.events.emit(PageCrashed(page))
    second = recorder.take()
    assert [each.text for each in first.console] == ["one", "two"]
    assert [each.text for each in second.console] == ["three"]
    assert [each.text for each in second.errors] == ["four"]
    assert (first.crashed, second.crashed) == (False, True)
    assert recorder.take() == Happenings()


async def test_a_flood_keeps_the_last_and_counts_the_rest(page: Page) -> None:
    recorder = Recorder(page)
    for number in range(5000):
        page.events.emit(request(number))
        page.events.emit(line(text=str(number)))
        page.events.emit(PageError(str(number), "http://a/", 1, 0.0))
        recorder.opened(page)
        recorder.refused("http://a/")
        recorder.closed("t1")
        recorder.began(Download(str(number), "http://a/", "a"))
    seen = recorder.take()
    assert len(seen.requests) == 1000
    assert seen.requests[-1].id == "4999"
    assert [each.text for each in seen.console][:: len(seen.console) - 1] == ["4800", "4999"]
    assert seen.missed == {
        "requests": 4000,
        **dict.fromkeys(("console", "errors", "opened", "refused", "closed", "downloads"), 4800),
    }
    assert recorder.take().missed == {}


async def test_only_the_main_frame_is_said_to_move(session: Session, site: Site) -> None:
    site.page("/inner", "inner")
    site.page("/framed", "<iframe src='/inner'></iframe>")
    tab = await session.tab()
    await tab.page.navigate(site.url("/framed"), until="load")
    assert [event.url for event in tab.recorder.take().navigations] == [site.url("/framed")]


KINDS: list[type[Event]] = [FrameNavigated, RequestStarted, ConsoleMessage, PageError, PageCrashed]


async def test_closing_ends_every_subscription(page: Page) -> None:
    before = {kind: len(page.events._handlers.get(kind, [])) for kind in KINDS}
    recorder = Recorder(page)
    page.events.emit(line(text="before"))
    recorder.close()
    recorder.close()
    assert {kind: len(page.events._handlers.get(kind, [])) for kind in KINDS} == before
    page.events.emit(line(text="after"))
    assert [each.text for each in recorder.take().console] == ["before"]


async def test_what_happens_between_calls_begins_the_next_result(
    session: Session, site: Site
) -> None:
    tab = await at(session, site)
    async with working(session):
        tab.recorder.take()
        await main(tab, "() => { setTimeout(() => console.error('late'), 20) }")
    await console_line(tab.page, "late")
    async with working(session):
        assert [each.text for each in tab.recorder.take().console] == ["late"]


def ended(event: DownloadChanged) -> bool:
    return event.download.state != "running"


async def test_a_download_is_told_by_the_tab_that_began_it(
    sessions: Sessions, session: Session, site: Site
) -> None:
    """All sessions share the browser, which tells of downloads in one place."""
    first, second = await at(session, site), await at(session, site, "/second")
    stranger = await at(sessions.open(BOB, "default"), site)
    context = session.context
    assert context is not None
    async with expecting(context.events, DownloadChanged, where=ended):
        await main(first, "url => { location = url }", site.url("/download"))
    told = [len(tab.recorder.take().downloads) for tab in (first, second, stranger)]
    assert told == [1, 0, 0]


@pytest.mark.parametrize("features", ["", "noopener"])
async def test_a_download_in_a_tab_of_its_own_is_told_by_the_opener(
    session: Session, site: Site, features: str
) -> None:
    await at(session, site, "/other")
    tab = await at(session, site)
    session.select("t1")
    context = session.context
    assert context is not None
    async with expecting(context.events, DownloadChanged, where=ended):
        await main(
            tab,
            "(url, features) => { open(url, '_blank', features) }",
            site.url("/download"),
            features,
        )
    await until(lambda: len(session.tabs) == 2)
    assert len(tab.recorder.take().downloads) == 1


async def test_what_a_closed_tab_had_to_tell_is_told_by_its_opener(
    session: Session, site: Site
) -> None:
    tab = await at(session, site)
    child = await popup(tab, site.url("/"))
    context = session.context
    assert context is not None
    async with expecting(context.events, DownloadChanged, where=ended):
        await main(child, "url => { location = url }", site.url("/download"))
    await session.close_tab(child)
    told = tab.recorder.take()
    assert [each.state for each in told.downloads] == ["completed"]
    assert list(told.closed) == [child.id]


async def test_whoever_works_in_a_tab_that_closes_hears_of_it_first(
    session: Session, site: Site
) -> None:
    tab = await at(session, site)
    child = await popup(tab, site.url("/"))
    context = session.context
    assert context is not None
    async with working(session, child.id):
        async with expecting(context.events, DownloadChanged, where=ended):
            await main(child, "url => { location = url }", site.url("/download"))
        await session.close_tab(child)
        assert len(child.recorder.take().downloads) == 1
    assert not tab.recorder.take().downloads


async def test_a_popup_is_told_once_whoever_else_listens(session: Session, site: Site) -> None:
    tabs = [await at(session, site), await at(session, site, "/other")]
    await popup(tabs[0], site.url("/"))
    await asyncio.sleep(0)
    assert [len(tab.recorder.take().opened) for tab in tabs] == [1, 0]
