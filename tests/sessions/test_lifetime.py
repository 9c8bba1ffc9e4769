"""How long a session lasts, by a clock that is moved by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.errors import LifeLimit
from stockade.sessions.session import Session
from tests.sessions.ground import ALICE, HandClock, LendingEngine, WatchedEngine, serving, working
from tests.support.waiting import until

pytestmark = pytest.mark.xdist_group("jails")


async def used(session: Session) -> None:
    async with working(session):
        pass


async def test_a_jail_in_use_has_no_end_of_life_but_its_age(
    engine: WatchedEngine, tmp_path: Path, clock: HandClock
) -> None:
    async with serving(
        engine, tmp_path, clock=clock, isolation="bwrap", jail_life=12, jail_age=1000
    ) as sessions:
        session = sessions.open(ALICE, "work")
        await used(session)
        for _ in range(8):
            clock.advance(11)
            await used(session)
            await sessions.tidy()
            assert session.news() == []
        clock.advance(12)
        await sessions.tidy()
        assert session.closed
        with pytest.raises(LifeLimit, match="its jail was unused for 12 s") as told:
            sessions.find(ALICE, "work")
        assert "STOCKADE_JAIL_LIFE" in str(told.value.hint)


async def test_the_end_of_a_jail_is_said_before_it_comes(
    engine: WatchedEngine, tmp_path: Path, clock: HandClock
) -> None:
    async with serving(
        engine,
        tmp_path,
        clock=clock,
        isolation="bwrap",
        session_idle=0,
        jail_life=0,
        jail_age=36000,
    ) as sessions:
        session = sessions.open(ALICE, "work")
        await used(session)
        clock.advance(32390)
        assert session.news() == []
        clock.advance(10)
        (said,) = session.news()
        assert said.startswith("this session ends in 1 h, in use or not: a jail lasts 10 h in all")
        assert session.news() == []
        clock.advance(3000)
        (said,) = session.news()
        assert "ends in 10 min" in said
        clock.advance(570)
        (said,) = session.news()
        assert "ends in 30 s" in said
        async with session.slots.hold(1):
            clock.advance(30)
            await sessions.tidy()
            assert session.closed
        with pytest.raises(LifeLimit, match="a jail lasts 10 h in all") as told:
            sessions.find(ALICE, "work")
        assert "STOCKADE_JAIL_AGE" in str(told.value.hint)


async def test_what_is_in_no_jail_has_no_age(
    browser: object, tmp_path: Path, clock: HandClock
) -> None:
    async with serving(
        LendingEngine(browser),  # type: ignore[arg-type]
        tmp_path,
        clock=clock,
        isolation="shared",
        session_idle=0,
        jail_life=12,
        jail_age=100,
    ) as sessions:
        session = sessions.open(ALICE, "work")
        await used(session)
        clock.advance(1e6)
        await sessions.tidy()
        assert (session.closed, session.news()) == (False, [])


async def test_a_jail_is_ready_after_the_last_session_where_browsers_never_idle_out(
    engine: WatchedEngine, tmp_path: Path, clock: HandClock
) -> None:
    async with serving(
        engine, tmp_path, clock=clock, isolation="bwrap", browser_idle=0, jail_pool=0
    ) as sessions:
        session = sessions.open(ALICE, "work")
        await used(session)
        (first,) = sessions.browsers.alive
        await sessions.close(session)
        await until(lambda: sessions.browsers.alive not in ([], [first]))
        (ready,) = sessions.browsers.alive
        other = sessions.open(ALICE, "other")
        await used(other)
        assert sessions.browsers.alive == [ready]
