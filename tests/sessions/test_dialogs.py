"""The dialogs of a tab: answered by the policy, by whoever was told of them, or in time."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from stockade.engines.events import DialogClosed, DialogOpened
from stockade.errors import DialogOpen, Missing
from stockade.sessions.asked import Raised
from stockade.sessions.manager import Sessions
from stockade.sessions.options import DialogMode, DialogPolicy
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from tests.sessions.ground import BOB, main, until, working
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
