"""Tabs that are closed when memory is short: the longest idle, and never one in use."""

from __future__ import annotations

from hashlib import sha256

from stockade.sessions.manager import Sessions
from stockade.sessions.pressure import Cleanup, Relief, relieve
from stockade.sessions.session import Session
from tests.sessions.ground import ALICE, HandClock, working


async def clean(sessions: Sessions, **given: object) -> Cleanup:
    return await relieve(sessions, sessions.all(), Relief(**given))  # type: ignore[arg-type]


async def test_idle_tabs_go_longest_first(
    sessions: Sessions, session: Session, clock: HandClock
) -> None:
    tabs = [await session.new_tab(f"g{number}") for number in range(4)]
    first = await clean(sessions, dry=False, min_idle=0)
    assert first.preserved == {"first_observation": 4}
    assert first.before == first.after == (1, 4)
    async with working(session, "t1"):
        clock.advance(100)
        async with working(session, "t2"):
            assert (await clean(sessions, min_idle=50)).preserved == {"locked": 2}
    looked = await clean(sessions, min_idle=50, most=1)
    assert looked.preserved == {"recently_active": 2}
    assert (looked.candidates, len(looked.selected), looked.closed) == (2, 1, [])
    assert len(session.tabs) == 4
    done = await clean(sessions, dry=False, min_idle=50)
    assert done.preserved == {"below_min_idle": 2}
    assert done.closed == done.selected
    assert [row.group for row in done.closed] == [
        sha256(name.encode()).hexdigest()[:12] for name in ("g2", "g3")
    ]
    assert [row.tab for row in done.closed] == [
        sha256(tab.uuid.encode()).hexdigest()[:12] for tab in tabs[2:]
    ]
    assert {row.idle for row in done.closed} == {100}
    assert (done.before, done.after) == ((1, 4), (1, 2))


async def test_sessions_keep_some_tabs_and_end_when_they_have_none(
    sessions: Sessions, session: Session, clock: HandClock
) -> None:
    await session.new_tab()
    empty = sessions.open(ALICE, "empty")
    clock.advance(1000)
    young = sessions.open(ALICE, "young")
    assert (await clean(sessions)).preserved == {"session_minimum": 1}
    await clean(sessions, min_tabs=0)
    kept = await clean(sessions, dry=False, min_tabs=0, empty_sessions=False)
    assert (len(kept.closed), kept.after) == (1, (3, 0))
    await clean(sessions, dry=False)
    assert sessions.all() == [young]
    assert session.closed
    assert empty.closed
