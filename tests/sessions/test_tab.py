"""A tab: its title, its rest, and the dialogs its page opens."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from stockade.engines.events import DialogClosed, DialogOpened, PageClosed, PageCrashed
from stockade.errors import (
    DialogOpen,
    Missing,
    NavigationFailed,
    StockadeError,
    TabClosed,
    TabCrashed,
)
from stockade.sessions.asked import Raised
from stockade.sessions.manager import Sessions
from stockade.sessions.options import DialogMode, DialogPolicy
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from tests.sessions.ground import BOB, SOON, HandClock, main, until, working
from tests.sessions.test_tabs import at, popup
from tests.support.expecting import expecting
from tests.support.site import Site

ASK = {
    "alert": "alert('hello')",
    "confirm": "confirm('sure?')",
    "prompt": "prompt('who?', 'nobody')",
}


async def ask(tab: Tab, kind: str) -> None:
    """Let the page open a dialog while somebody works in the tab."""
    async with expecting(tab.page.events, DialogOpened):
        await main(tab, f"() => {{ setTimeout(() => {{ globalThis.said = {ASK[kind]} }}) }}")


async def said(tab: Tab) -> object:
    return await main(tab, "() => globalThis.said ?? null")


# --- dialogs ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "kind", "answer", "how"),
    [
        ("accept", "confirm", True, "accepted"),
        ("accept", "prompt", "nobody", "accepted"),
        ("accept", "alert", None, "accepted"),
        ("dismiss", "confirm", False, "dismissed"),
        ("dismiss", "prompt", None, "dismissed"),
        ("dismiss", "alert", None, "accepted"),
        ("accept-prompt-with", "prompt", "Ada", "accepted"),
        ("accept-prompt-with", "confirm", True, "accepted"),
        ("raise", "alert", None, "accepted"),
    ],
)
async def test_a_policy_answers(
    session: Session, site: Site, mode: DialogMode, kind: str, answer: object, how: str
) -> None:
    session.dialogs = DialogPolicy(mode, "Ada")
    tab = await at(session, site)
    async with working(session):
        await ask(tab, kind)
        await tab.clear_dialog(timeout=5)
        assert tab.page.dialog is None
        assert await said(tab) == answer
    [(dialog, told)] = tab.recorder.take().dialogs
    assert (dialog.kind, told) == (kind, how)


@pytest.mark.parametrize("kind", ["confirm", "prompt"])
async def test_a_question_is_raised_until_it_is_answered(
    session: Session, site: Site, kind: str
) -> None:
    tab = await at(session, site)
    async with working(session):
        await ask(tab, kind)
        with pytest.raises(DialogOpen):
            await tab.clear_dialog(timeout=5)
        with pytest.raises(DialogOpen) as caught:
            await tab.clear_dialog(timeout=5)
        assert caught.value.details["kind"] == kind
        assert not tab.recorder.take().dialogs
        dialog = await tab.answer_dialog(accept=True, text="Grace", timeout=5)
        assert dialog.kind == kind
        await tab.clear_dialog(timeout=5)
        assert await said(tab) == ("Grace" if kind == "prompt" else True)
        with pytest.raises(Missing):
            await tab.answer_dialog(accept=True, text=None, timeout=5)
    assert [how for _, how in tab.recorder.take().dialogs] == ["accepted"]


async def test_a_dialog_that_opens_while_nobody_works_is_answered_by_itself(
    session: Session, site: Site
) -> None:
    tab = await at(session, site)
    raised = tab.parts.of(Raised, Raised)
    for mode, kind, how in (
        ("dismiss", "confirm", "dismissed"),
        ("raise", "alert", "accepted"),
        ("raise", "confirm", "dismissed"),
    ):
        session.dialogs = DialogPolicy(cast("DialogMode", mode))
        async with expecting(tab.page.events, DialogClosed):
            await ask(tab, kind)
        await until(lambda: len(tab.recorder._now.dialogs) == 1)
        assert [how for _, how in tab.recorder.take().dialogs] == [how]
        assert bool(raised) == (mode == "raise")
        raised.take()


async def test_what_a_caller_was_told_of_waits_for_it_and_no_longer(
    session: Session, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = await at(session, site)
    async with working(session):
        await ask(tab, "confirm")
    # Nobody was told, so nobody will answer.
    await until(lambda: tab.page.dialog is None)
    async with working(session):
        await ask(tab, "confirm")
        tab.dialogs.told()
    assert tab.page.dialog is not None
    async with working(session):
        await tab.clear_dialog(timeout=5)
        assert await said(tab) is False
        await ask(tab, "confirm")
        tab.dialogs.told()
        monkeypatch.setattr("stockade.sessions.dialogs._HELD_FOR", 0.01)
    await until(lambda: tab.page.dialog is None)


async def test_a_page_that_never_stops_asking_is_stopped(
    sessions: Sessions, session: Session, site: Site
) -> None:
    tab = await at(session, site)
    neighbour = await at(sessions.open(BOB, "default"), site)
    await main(tab, "() => { setTimeout(() => { for (;;) alert('again') }) }")
    await until(lambda: len(tab.recorder._now.dialogs) > 20)
    assert await neighbour.title() == "/"
    await until(lambda: tab.page.dialog is None and tab.dialogs.calm)
    async with working(session):
        await tab.clear_dialog(timeout=5)
        assert await main(tab, "() => 1") == 1
    assert len(tab.recorder.take().dialogs) <= 200


async def test_an_answer_never_reaches_the_next_dialog(session: Session, site: Site) -> None:
    """Two who answer the same alert at once must not say yes to the question that follows."""
    tab = await at(session, site)
    async with working(session):
        async with expecting(tab.page.events, DialogOpened):
            await main(
                tab, "() => { setTimeout(() => { alert(1); globalThis.said = confirm(2) }) }"
            )
        alert = tab.page.dialog
        assert alert is not None
        async with expecting(tab.page.events, DialogOpened):
            settled = await asyncio.gather(*(tab.settle_dialog(alert, timeout=5) for _ in range(5)))
        assert settled == [True] * 5
        assert tab.page.dialog is not None
        assert tab.page.dialog.kind == "confirm"
        assert len(tab.recorder.take().dialogs) == 1
        await tab.answer_dialog(accept=False, text=None, timeout=5)
        assert await said(tab) is False


@pytest.mark.parametrize("features", ["", "noopener"])
async def test_a_dialog_in_another_tab(session: Session, site: Site, features: str) -> None:
    """Tabs that opened each other share a process; others do not notice."""
    first = await at(session, site)
    second = await popup(first, site.url("/"), features)
    async with first.lease.hold(1):
        await ask(first, "alert")
    async with working(session, second.id):
        await second.clear_dialog(timeout=5)
        assert await second.title() == "/"
    async with first.lease.hold(1):
        await ask(first, "confirm")
        async with second.lease.hold(1):
            if features:
                await second.clear_dialog(timeout=5)
                assert await second.title() == "/"
            else:
                with pytest.raises(DialogOpen) as caught:
                    await second.clear_dialog(timeout=5)
                assert caught.value.details["tab"] == first.id
        session.dialogs = DialogPolicy("accept")
    async with working(session, second.id):
        await second.clear_dialog(timeout=5)
        assert await second.title() == "/"
    assert await said(first) is True


async def leaving(session: Session, site: Site) -> Tab:
    """A tab whose page asks whether it may be left."""
    site.page(
        "/stay", "<button>b</button><script>onbeforeunload = e => e.preventDefault()</script>"
    )
    tab = await session.new_tab()
    await tab.page.navigate(site.url("/stay"), until="load")
    found = await tab.agent.call(tab.page.main_frame, "select", selector="button", caller="test")
    # Only a page that somebody has used may ask.
    await tab.actions.click(str(found["candidates"][0]["ref"]), caller="test", timeout=5)
    return tab


@pytest.mark.parametrize(("mode", "left"), [("accept", True), ("dismiss", False)])
async def test_a_page_that_asks_whether_it_may_be_left(
    session: Session, site: Site, mode: DialogMode, left: bool
) -> None:
    tab = await leaving(session, site)
    site.page("/next", "<title>Next</title>")
    session.dialogs = DialogPolicy(mode)
    async with working(session):
        with pytest.raises(DialogOpen):
            await tab.page.navigate(site.url("/next"), timeout=5)
        await tab.clear_dialog(timeout=5)
        if left:
            frame = tab.page.main_frame
            await until(lambda: tab.url.endswith("/next") and frame.reached("DOMContentLoaded"))
        assert tab.page.dialog is None
        assert tab.url.endswith("/next") == left
        assert await tab.title() == ("Next" if left else "")


async def test_a_page_is_not_asked_when_its_tab_is_closed(session: Session, site: Site) -> None:
    tab = await leaving(session, site)
    async with asyncio.timeout(5):
        await session.close_tab(tab)
    assert session.tabs == []
    busy = await leaving(session, site)
    async with busy.lease.hold(1):
        await ask(busy, "confirm")
        async with asyncio.timeout(5):
            await session.close_tab(busy)
    assert session.tabs == []


# --- life -------------------------------------------------------------------------------------


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
