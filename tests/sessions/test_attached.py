"""An attachment: a person's tabs neither rest nor make room, and their browser may go."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from stockade.engines.cdp import ChromiumEngine
from stockade.errors import BrowserGone, LaunchFailed
from stockade.sessions.options import SessionOptions
from tests.sessions.ground import ALICE, HandClock, serving
from tests.support.persons import person_with_browser
from tests.support.waiting import until


async def test_tabs_are_left_alone_and_the_browser_may_go(tmp_path: Path) -> None:
    clock = HandClock()
    async with (
        person_with_browser() as person,
        serving(
            ChromiumEngine(), tmp_path, clock=clock, attach_cdp=person.address,
            max_tabs=1, max_tabs_per_session=1, tab_freeze=1, tab_idle=2, session_idle=1000,
        ) as sessions,
    ):  # fmt: skip
        more = [await person.open("about:blank") for _ in range(3)]
        options = SessionOptions(attached=True)
        session = sessions.open(ALICE, "guest", options=options)
        await session.started()
        assert session.isolation == "attached"
        assert {tab.page.id for tab in session.tabs} >= {*more}
        own = await session.new_tab()
        await person.open("about:blank")
        await until(lambda: len(session.tabs) == len(more) + 3)
        clock.advance(500)
        await sessions.tidy()
        assert not any(tab.page.frozen for tab in session.tabs)
        assert not await session.retire_tab(own)
        assert len(session.tabs) == len(more) + 3

        # Its dialogs are the person's to answer.
        theirs = next(tab.page for tab in session.tabs if tab.page.id == more[0])
        await person.see(more[0], "void setTimeout(() => { globalThis.said = confirm('Sure?') })")
        await until(lambda: theirs.dialog is not None)
        await theirs.context.browser.ping()
        assert theirs.dialog is not None
        await theirs.answer_dialog(accept=True)
        assert await person.see(more[0], "said") is True

        await asyncio.to_thread(person.browser.stop)
        await until(lambda: not theirs.context.browser.alive)
        with pytest.raises(BrowserGone) as caught:
            await session.tab(own.id)
        assert "attaches anew" in caught.value.hint
        with pytest.raises(LaunchFailed):
            await session.tab()
