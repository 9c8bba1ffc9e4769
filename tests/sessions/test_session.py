"""A session: its browser starts late, may die, and goes with it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from stockade.engines.events import DownloadChanged, DownloadStarted, PageClosed, PageOpened
from stockade.engines.port import Browser, Context
from stockade.engines.values import Emulation, Viewport
from stockade.errors import (
    AdmissionRejected,
    BrowserGone,
    DeadlineExceeded,
    LaunchFailed,
    ProtocolFault,
    SessionNotFound,
    StockadeError,
    TabClosed,
    TabCrashed,
)
from stockade.sessions.browsers import Browsers
from stockade.sessions.manager import Sessions
from stockade.sessions.memory import Memory
from stockade.sessions.options import SessionOptions
from stockade.sessions.session import Session
from tests.sessions.ground import (
    ALICE,
    BOB,
    SOON,
    HandClock,
    LendingEngine,
    WatchedEngine,
    all_gone,
    main,
    serving,
    until,
    working,
)
from tests.sessions.test_tabs import at
from tests.support.browsers import HEADLESS_SHELL, writable_by_browser
from tests.support.levels import only_shared
from tests.support.site import Site
from tests.support.soak import Soak

BOTH = pytest.mark.parametrize("isolation", ["shared", "process"])
NEVER_ENDS = "() => new Promise(() => {})"


@pytest.fixture
def isolation() -> str:
    return "process"


@pytest.fixture
async def own(
    engine: WatchedEngine, tmp_path: Path, clock: HandClock, isolation: str
) -> AsyncIterator[Sessions]:
    """Sessions on browsers that the test may harm."""
    async with serving(engine, tmp_path, clock=clock, isolation=isolation) as sessions:
        yield sessions
    await all_gone(engine.pids)


async def outcome(session: Session, function: str = "() => 1", tab: str | None = None) -> object:
    """What a call comes to: its value, or the code of its error."""
    try:
        async with working(session, tab) as found:
            return await main(found, function, timeout=20)
    except StockadeError as error:
        return error.code


# --- starting ---------------------------------------------------------------------------------


@BOTH
async def test_no_browser_before_a_call_needs_one(own: Sessions, engine: WatchedEngine) -> None:
    session = own.open(ALICE, "default")
    assert (engine.begun, session.running, session.tabs, session.current) == (0, False, [], None)
    assert (session.context, session.downloads) == (None, None)
    assert await outcome(session) == 1
    assert (engine.begun, session.running) == (1, True)


@BOTH
async def test_first_calls_at_once_share_one_browser_and_one_tab(
    own: Sessions, engine: WatchedEngine
) -> None:
    session = own.open(ALICE, "default")
    tabs = await asyncio.gather(*(session.tab() for _ in range(5)))
    assert {tab.id for tab in tabs} == {"t1"}
    assert (engine.begun, len(session.tabs)) == (1, 1)


async def test_it_is_set_up_as_asked(sessions: Sessions, site: Site) -> None:
    emulation = Emulation(
        viewport=Viewport(800, 600), locale="de-DE", timezone="Asia/Tokyo", color_scheme="dark"
    )
    options = SessionOptions(emulation=emulation)
    tab = await at(sessions.open(ALICE, "set", options=options), site)
    shown = await main(
        tab,
        "() => [innerWidth, innerHeight, navigator.language,"
        " Intl.DateTimeFormat().resolvedOptions().timeZone,"
        " matchMedia('(prefers-color-scheme: dark)').matches]",
    )
    assert shown == [800, 600, "de-DE", "Asia/Tokyo", True]


async def test_sessions_share_nothing(sessions: Sessions, site: Site) -> None:
    first = await at(sessions.open(ALICE, "one"), site)
    second = await at(sessions.open(ALICE, "two"), site)
    await main(first, "() => { document.cookie = 'a=b'; localStorage.a = 'b' }")
    assert await main(first, "() => [document.cookie, localStorage.a]") == ["a=b", "b"]
    assert await main(second, "() => [document.cookie, localStorage.a ?? null]") == ["", None]


async def test_a_launch_that_fails_leaves_the_session_usable_and_nothing_behind(
    engine: WatchedEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = writable_by_browser(tmp_path / "place")
    scratch = writable_by_browser(tmp_path / "scratch")
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    binary = place / "chromium-headless-shell"
    binary.write_text("#!/bin/sh\necho broken today >&2\nexit 7\n", encoding="utf-8")
    binary.chmod(0o755)
    async with serving(engine, tmp_path, isolation="process", chromium=binary) as sessions:
        session = sessions.open(ALICE, "default")
        for _ in range(2):
            with pytest.raises(LaunchFailed):
                await session.tab()
        assert list(scratch.iterdir()) == []
        assert (session.running, session.tab_count) == (False, 0)
        binary.write_text(f'#!/bin/sh\nexec {HEADLESS_SHELL} "$@"\n', encoding="utf-8")
        assert await outcome(session) == 1
    assert list(scratch.iterdir()) == []


# --- cancelled at any moment ------------------------------------------------------------------


@BOTH
async def test_cancelled_in_the_middle_of_a_launch(own: Sessions, engine: WatchedEngine) -> None:
    session = own.open(ALICE, "default")
    engine.after.clear()
    async with asyncio.TaskGroup() as tasks:
        caller = tasks.create_task(outcome(session))
        await until(lambda: engine.pids)
        caller.cancel()
    await all_gone([engine.pids[0]])
    assert (session.running, session.slots.users, session.tab_count) == (False, 0, 0)
    engine.after.set()
    assert await outcome(session) == 1


async def test_a_cancelled_scope_cannot_stop_the_tidying_up(
    own: Sessions, engine: WatchedEngine
) -> None:
    """It cancels every wait inside it, over and over, also those of cleaning up."""
    session = own.open(ALICE, "default")
    engine.after.clear()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(outcome, session)
        await until(lambda: engine.pids)
        tasks.cancel_scope.cancel()
    await all_gone([engine.pids[0]])


async def test_cancelled_while_a_tab_opens(session: Session) -> None:
    await session.tab()
    context = session.context
    assert context is not None
    for turns in range(12):
        async with asyncio.TaskGroup() as tasks:
            opening = tasks.create_task(session.new_tab())
            for _ in range(turns):
                await asyncio.sleep(0)
            opening.cancel()
    # Whatever was begun is there by the time a later one is.
    last = await session.new_tab()
    await until(lambda: len(context.pages) == 2 and session.tab_count == 2)
    assert [tab.id for tab in session.tabs] == ["t1", last.id]


@BOTH
async def test_cancelled_while_it_closes(own: Sessions, engine: WatchedEngine) -> None:
    session = own.open(ALICE, "default")
    await session.tab()
    folder, context = session.downloads, session.context
    assert folder is not None
    assert context is not None
    async with asyncio.TaskGroup() as tasks:
        closing = tasks.create_task(own.close(session))
        await asyncio.sleep(0)
        closing.cancel()
    await own.close(session)
    assert not folder.exists()
    assert not context.pages
    assert context.browser.alive == (own.browsers.isolation == "shared")


@pytest.mark.soak
async def test_cancelled_anywhere(browser: Browser, tmp_path: Path, soak: Soak, site: Site) -> None:
    """Callers that come and go while sessions open and close leave neither tab nor place."""
    site.page("/", "<title>here</title>")
    async with serving(LendingEngine(browser), tmp_path, isolation="shared") as sessions:
        for _ in range(soak.rounds(200)):
            session = sessions.open(ALICE, "default")
            async with asyncio.TaskGroup() as tasks:
                for _ in range(4):
                    caller = tasks.create_task(coming_and_going(session, site, soak.random))
                    for _ in range(soak.random.randrange(40)):
                        await asyncio.sleep(0)
                    if soak.random.random() < 0.7:
                        caller.cancel()
                if soak.random.random() < 0.3:
                    await sessions.close(session)
            await nothing_loose(session)
            await sessions.close(session)


async def coming_and_going(session: Session, site: Site, chance: random.Random) -> None:
    for _ in range(3):
        try:
            if chance.random() < 0.3:
                await session.new_tab()
            async with working(session) as tab:
                await tab.page.navigate(site.url("/"), timeout=10)
        except StockadeError:
            continue


async def nothing_loose(session: Session) -> None:
    """Every page is a tab, and every place is given back."""
    assert session.slots.users == 0
    context = session.context
    if context is not None:
        await until(lambda: len(context.pages) == len(session.tabs) == session.tab_count)


# --- a browser that dies ----------------------------------------------------------------------


@BOTH
async def test_a_dead_browser_is_told_once(own: Sessions, engine: WatchedEngine) -> None:
    session = own.open(ALICE, "default")
    tab = await session.new_tab()
    folder = session.downloads
    assert folder is not None
    os.kill(engine.pids[0], signal.SIGKILL)
    await engine.browsers[0].wait_gone()
    await until(lambda: not session.running)
    assert (session.tabs, session.current) == ([], None)
    assert await outcome(session) == "browser_gone"
    assert await outcome(session) == 1
    # Numbers go on where they were, and what is gone is not taken for another.
    assert [each.id for each in session.tabs] == ["t2"]
    for name in ("t1", tab.uuid):
        with pytest.raises(TabClosed) as caught:
            await session.tab(name)
        assert caught.value.details["lost"] == "browser_restarted"
    await until(lambda: not folder.exists())


@BOTH
async def test_calls_under_way_hear_of_it_and_the_next_starts_afresh(
    own: Sessions, engine: WatchedEngine, isolation: str
) -> None:
    session, other = own.open(ALICE, "default"), own.open(BOB, "default")
    await session.tab()
    neighbour = await other.tab()
    async with asyncio.TaskGroup() as tasks:
        # One works in the tab, two wait for it.
        calls = [tasks.create_task(outcome(session, NEVER_ENDS)) for _ in range(3)]
        tab = session.current
        assert tab is not None
        await until(lambda: tab.lease.users == 3)
        pid = next(each.pid for each in engine.browsers if each is tab.page.context.browser)
        async with asyncio.timeout(SOON):
            os.kill(pid, signal.SIGKILL)
            assert await asyncio.gather(*calls) == ["browser_gone"] * 3
    assert await outcome(session) == 1
    if isolation == "process":
        assert await main(neighbour, "() => 2") == 2
    else:
        assert await outcome(other) == "browser_gone"
        assert await outcome(other) == 1


@BOTH
async def test_it_dies_while_a_call_starts(own: Sessions, engine: WatchedEngine) -> None:
    session = own.open(ALICE, "default")
    engine.after.clear()
    async with asyncio.TaskGroup() as tasks:
        first = tasks.create_task(outcome(session))
        await until(lambda: engine.pids)
        os.kill(engine.pids[0], signal.SIGKILL)
        await all_gone([engine.pids[0]])
        engine.after.set()
        assert await first == "browser_gone"
    assert await outcome(session) == 1


async def test_a_browser_that_hangs_is_replaced_after_some_late_calls(
    own: Sessions, engine: WatchedEngine
) -> None:
    session = own.open(ALICE, "default")
    tab = await session.tab()
    os.kill(engine.pids[0], signal.SIGSTOP)
    for _ in range(3):
        with pytest.raises(DeadlineExceeded):
            async with working(session):
                await main(tab, "() => 1", timeout=0.05)
    async with asyncio.timeout(20):
        await engine.browsers[0].wait_gone()
    await all_gone([engine.pids[0]])
    assert await outcome(session) == "browser_gone"
    assert await outcome(session) == 1


async def test_late_calls_of_a_slow_page_cost_it_nothing(
    own: Sessions, engine: WatchedEngine
) -> None:
    session = own.open(ALICE, "default")
    tab = await session.tab()
    for _ in range(4):
        with pytest.raises(DeadlineExceeded):
            async with working(session):
                await main(tab, NEVER_ENDS, timeout=0.05)
    assert await outcome(session) == 1
    assert engine.begun == 1


@only_shared
async def test_one_users_bad_pages_cost_another_nothing(sessions: Sessions, site: Site) -> None:
    bad, good = sessions.open(ALICE, "default"), sessions.open(BOB, "default")
    neighbour = await at(good, site)
    tab = await bad.tab()
    for _ in range(2):
        for _ in range(2):
            with pytest.raises(DeadlineExceeded):
                async with working(bad):
                    await main(tab, "() => { for (;;); }", timeout=0.05)
        with pytest.raises(TabCrashed):
            async with working(bad):
                await tab.page.devtools[0].send("Page.crash")
        assert sessions.browsers.examining
        assert not sessions.browsers.recovering
        await until(lambda: not sessions.browsers.examining)
        await tab.page.navigate(site.url("/"), timeout=10)
        # It is not examined again and again: a caller with bad pages would keep it busy.
        sessions.browsers._running[0].examined_at = 0.0
    assert await main(neighbour, "() => document.title") == "/"
    assert (sessions.browsers.restarted, sessions.browsers.failures) == (0, 0)


async def test_what_was_begun_is_undone_when_a_state_cannot_be_prepared(session: Session) -> None:
    made: list[Context] = []

    async def fail(context: Context) -> None:
        made.append(context)
        raise ProtocolFault("no such profile")

    session.after_start.append(fail)
    with pytest.raises(ProtocolFault):
        await session.tab()
    [context] = made
    with pytest.raises(TabClosed):
        await context.new_page(timeout=5)
    session.after_start.clear()
    assert await outcome(session) == 1


async def test_no_tab_opens_when_the_memory_is_full(session: Session, tmp_path: Path) -> None:
    await session.tab()
    browsers = session._browsers
    assert isinstance(browsers, Browsers)
    browsers.memory = Memory(tmp_path, tmp_path)
    full = "MemTotal: 100 kB\nMemAvailable: 9 kB\n"
    (tmp_path / "meminfo").write_text(full, encoding="ascii")
    with pytest.raises(AdmissionRejected):
        await session.new_tab()
    assert session.tab_count == 1
    assert await outcome(session) == 1


# --- ending -----------------------------------------------------------------------------------


@BOTH
async def test_calls_under_way_end_when_it_closes(own: Sessions, engine: WatchedEngine) -> None:
    session = own.open(ALICE, "default")
    await session.tab()
    async with asyncio.TaskGroup() as tasks:
        calls = [tasks.create_task(outcome(session, NEVER_ENDS)) for _ in range(5)]
        tab = session.current
        assert tab is not None
        await until(lambda: tab.lease.users == 3 and session.slots.users == 5)
        async with asyncio.timeout(SOON):
            async with asyncio.TaskGroup() as closing:
                closing.create_task(own.close(session))
                codes = await asyncio.gather(*calls)
    assert codes == ["tab_closed"] + ["session_not_found"] * 4
    assert await outcome(session) == "session_not_found"
    for late in (session.new_tab, session.tab, session.started):
        with pytest.raises(SessionNotFound):
            await late()


async def test_those_in_line_need_not_wait_for_those_inside(session: Session) -> None:
    """A call may be busy with something that the end of its session does not end."""
    async with asyncio.TaskGroup() as tasks, contextlib.AsyncExitStack() as inside:
        for _ in range(session.limits.calls):
            await inside.enter_async_context(session.slots.hold(1))
        waiting = tasks.create_task(outcome(session))
        await until(lambda: session.slots.users == session.limits.calls + 1)
        await session.close()
        async with asyncio.timeout(SOON):
            assert await waiting == "session_not_found"


@BOTH
async def test_closing_in_the_middle_of_a_launch(own: Sessions, engine: WatchedEngine) -> None:
    session = own.open(ALICE, "default")
    engine.after.clear()
    async with asyncio.TaskGroup() as tasks:
        calls = [tasks.create_task(outcome(session)) for _ in range(3)]
        await until(lambda: engine.pids)
        await own.close(session)
        assert await asyncio.gather(*calls) == ["session_not_found"] * 3
    await all_gone([engine.pids[0]])


async def test_closing_is_quick_and_kills_a_browser_that_hangs(
    own: Sessions, engine: WatchedEngine
) -> None:
    session = own.open(ALICE, "default")
    await session.tab()
    os.kill(engine.pids[0], signal.SIGSTOP)
    async with asyncio.timeout(10):
        await own.close(session)
    await all_gone([engine.pids[0]])


@pytest.mark.parametrize("isolation", ["shared"])
async def test_closing_one_session_of_a_shared_browser_that_hangs(
    own: Sessions, engine: WatchedEngine
) -> None:
    session, other = own.open(ALICE, "one"), own.open(ALICE, "two")
    await session.tab()
    await other.tab()
    os.kill(engine.pids[0], signal.SIGSTOP)
    async with asyncio.timeout(20):
        await own.close(session)
    await all_gone([engine.pids[0]])
    assert await outcome(other) == "browser_gone"
    assert await outcome(other) == 1


async def test_whoever_closes_first_the_others_wait(own: Sessions) -> None:
    session = own.open(ALICE, "default")
    await session.tab()
    context = session.context
    assert context is not None
    async with asyncio.TaskGroup() as tasks:
        closing = [tasks.create_task(close()) for close in (session.close,) * 3]
        closing += [tasks.create_task(own.close(session)) for _ in range(3)]
        done, _ = await asyncio.wait(closing, return_when=asyncio.FIRST_COMPLETED)
        assert done
        assert not context.browser.alive
    await session.close()
    await own.close(session)


async def test_nothing_listens_to_a_session_that_is_gone(session: Session) -> None:
    await session.tab()
    context = session.context
    assert context is not None
    kinds = (PageOpened, PageClosed, DownloadStarted, DownloadChanged)
    assert all(context.events.wanted(kind) for kind in kinds)
    await session.close()
    assert not any(context.events.wanted(kind) for kind in kinds)


async def test_a_tab_held_by_a_caller_is_of_no_use_after_the_end(session: Session) -> None:
    tab = await session.tab()
    await session.close()
    with pytest.raises((TabClosed, BrowserGone)):
        await main(tab, "() => 1", timeout=5)
    with pytest.raises(SessionNotFound):
        async with tab.lease.hold(1):
            pytest.fail("it is gone")
