"""The device of a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.engines.values import Geolocation, Viewport
from stockade.errors import BrowserGone, InvalidArgument
from stockade.sessions.device import change
from stockade.sessions.session import Session
from tests.sessions.ground import ALICE, WAIT, WatchedEngine, serving

ABOUT = "() => [navigator.language, innerWidth]"


async def test_every_tab_of_the_session_and_those_to_come(session: Session) -> None:
    first = await session.tab()
    told = await change(session, timeout=WAIT, locale="de-DE", viewport=Viewport(500, 400))
    second = await session.new_tab()
    for tab in (first, second):
        assert await tab.page.main_frame.call(ABOUT) == ["de-DE", 500]
    assert session.emulation == told


async def test_changes_add_up(session: Session) -> None:
    await change(session, timeout=WAIT, locale="de-DE")
    told = await change(session, timeout=WAIT, geolocation=Geolocation(52, 13))
    assert (told.locale, told.geolocation) == ("de-DE", Geolocation(52, 13))


async def test_a_refusal_leaves_the_session_as_it_was(session: Session) -> None:
    await change(session, timeout=WAIT, timezone="Europe/Paris")
    with pytest.raises(InvalidArgument):
        await change(session, timeout=WAIT, timezone="Europe/Atlantis")
    assert session.emulation.timezone == "Europe/Paris"


async def test_a_new_browser_begins_with_it(engine: WatchedEngine, tmp_path: Path) -> None:
    async with serving(engine, tmp_path, isolation="process") as sessions:
        session = sessions.open(ALICE, "default")
        await change(session, timeout=WAIT, locale="de-DE", viewport=Viewport(500, 400))
        await engine.browsers[0].close()
        with pytest.raises(BrowserGone):
            await session.tab()
        tab = await session.tab()
        assert await tab.page.main_frame.call(ABOUT) == ["de-DE", 500]
