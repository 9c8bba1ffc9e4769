"""All sessions: who sees which, how many there are, and when they end."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import anyio
import pytest

from stockade.engines.port import Browser
from stockade.errors import (
    AdmissionRejected,
    Conflict,
    InvalidArgument,
    SessionNotFound,
    StockadeError,
)
from stockade.policy.capabilities import Capability
from stockade.policy.principal import Principal, Role
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session
from tests.sessions.ground import (
    ALICE,
    BOB,
    HandClock,
    LendingEngine,
    WatchedEngine,
    all_gone,
    main,
    serving,
    until,
    working,
)
from tests.sessions.test_tabs import at, popup
from tests.support.levels import only_shared
from tests.support.site import Request, Response, Site

# --- who sees which ---------------------------------------------------------------------------

OPERATOR = Principal("olga", role=Role.OPERATOR)
ADMIN = Principal("ada", role=Role.ADMIN)
STRANGER = Principal("alice", tenant="elsewhere")
STRANGE_OPERATOR = Principal("olga", tenant="elsewhere", role=Role.OPERATOR)
OTHER_CLIENT = Principal("alice", client="two")


def missing(sessions: Sessions, principal: Principal, name: str) -> dict[str, object]:
    with pytest.raises(SessionNotFound) as caught:
        sessions.find(principal, name)
    return caught.value.as_dict()


def test_a_name_belongs_to_a_tenant_a_key_and_a_client(sessions: Sessions) -> None:
    owners = [ALICE, BOB, STRANGER, OTHER_CLIENT]
    opened = [sessions.open(owner, "work") for owner in owners]
    assert len({each.id for each in opened}) == 4
    for owner, session in zip(owners, opened, strict=True):
        assert sessions.find(owner, "work") is session
        assert sessions.visible_to(owner) == [session]


@pytest.mark.parametrize("principal", [BOB, STRANGER, OTHER_CLIENT, STRANGE_OPERATOR])
async def test_anothers_session_is_as_if_it_were_not_there(
    sessions: Sessions, principal: Principal
) -> None:
    session = sessions.open(ALICE, "work")
    never = missing(sessions, principal, "never")
    assert missing(sessions, principal, "work") == never
    assert missing(sessions, principal, session.id) == never
    await sessions.close(session)
    assert missing(sessions, principal, "work") == never
    assert missing(sessions, principal, session.id) == never
    assert session not in sessions.visible_to(principal)


@pytest.mark.parametrize("principal", [OPERATOR, ADMIN])
async def test_operators_see_all_of_their_tenant(sessions: Sessions, principal: Principal) -> None:
    mine = sessions.open(ALICE, "work")
    foreign = sessions.open(STRANGER, "work")
    assert sessions.visible_to(principal) == [mine]
    assert sessions.find(principal, mine.id) is mine
    never = missing(sessions, principal, "never")
    # A name means the caller's own; others are found by their ids.
    assert missing(sessions, principal, "work") == never
    assert missing(sessions, principal, foreign.id) == never
    await sessions.close(mine)
    assert "it was closed" in str(missing(sessions, principal, mine.id)["message"])


def test_ids_cannot_be_guessed(sessions: Sessions) -> None:
    ids = [sessions.open(ALICE, f"s{number}").id for number in range(20)]
    assert len(set(ids)) == 20
    assert all(len(each) == len("ses_") + 16 for each in ids)


async def test_only_the_default_opens_by_itself(sessions: Sessions) -> None:
    first = await sessions.reach(ALICE, "default")
    assert await sessions.reach(ALICE, "default") is first
    assert await sessions.reach(BOB, "default") is not first
    with pytest.raises(SessionNotFound):
        await sessions.reach(ALICE, "other")


def test_a_refusal_never_repeats_what_was_asked_for(sessions: Sessions) -> None:
    assert "hunter2" not in str(missing(sessions, ALICE, "hunter2"))
    with pytest.raises(InvalidArgument) as caught:
        sessions.open(ALICE, "hunter2 ?")
    assert "hunter2" not in str(caught.value.as_dict())


@pytest.mark.parametrize("name", ["", " ", "a b", "-a", "a" * 101, "a/b", "é", "a\n", "../a"])
def test_names_are_plain(sessions: Sessions, name: str) -> None:
    with pytest.raises(InvalidArgument):
        sessions.open(ALICE, name)
    assert sessions.all() == []


def test_a_name_is_taken_once(sessions: Sessions) -> None:
    sessions.open(ALICE, "a.b_c@d:e-1")
    with pytest.raises(Conflict):
        sessions.open(ALICE, "a.b_c@d:e-1")


async def test_there_are_only_so_many(browser: Browser, tmp_path: Path) -> None:
    async with serving(LendingEngine(browser), tmp_path, max_sessions=3) as sessions:
        opened = [sessions.open(ALICE, f"s{number}") for number in range(3)]
        with pytest.raises(AdmissionRejected):
            await sessions.reach(BOB, "default")
        await sessions.close(opened[0])
        await sessions.reach(BOB, "default")


async def test_its_browsers_can_be_stopped_and_start_again(
    engine: WatchedEngine, tmp_path: Path
) -> None:
    async with serving(engine, tmp_path, isolation="shared") as sessions:
        session, saved = sessions.open(ALICE, "default"), []
        await session.tab()

        async def save() -> None:
            assert session.running
            saved.append(session.name)

        session.before_end.append(save)
        await sessions.stop_browsers()
        assert (saved, sessions.all(), sessions.browsers.alive) == (["default"], [], [])
        assert sessions.browsers.loss == ""
        with pytest.raises(SessionNotFound) as gone:
            sessions.find(ALICE, "default")
        assert gone.value.details == {
            "lost": "browser_restarted",
            "reason": "the browsers were stopped",
        }
        await (await sessions.reach(ALICE, "default")).tab()
    await all_gone(engine.pids)


def test_its_policy_is_the_one_it_was_opened_with(sessions: Sessions) -> None:
    narrow = ALICE.policy.narrowed(capabilities=frozenset({Capability.READ}))
    assert sessions.open(ALICE, "narrow", policy=narrow).policy is narrow
    assert sessions.open(ALICE, "wide").policy is ALICE.policy


# --- many at once -----------------------------------------------------------------------------


async def test_many_at_once_never_see_each_other(
    browser: Browser, tmp_path: Path, site: Site
) -> None:
    """Clients of one key, in sessions of the same name, in one browser."""

    async def answer(request: Request) -> Response:
        return Response(f"<title>{request.query}</title><script>document.cookie = 'c=x'</script>")

    site.route("/", answer)

    async def client(sessions: Sessions, number: int) -> None:
        principal = Principal("alice", client=f"c{number}")
        for turn in range(5):
            async with working(await sessions.reach(principal, "default")) as tab:
                url = site.url(f"/?{number}-{turn}")
                await tab.page.navigate(url, timeout=20)
                assert await tab.title() == f"{number}-{turn}"
                assert tab.url == url
                mine = [event.url for event in tab.recorder.take().navigations]
                assert mine == [url]
        [session] = sessions.visible_to(principal)
        assert session.owner == principal

    async with (
        serving(LendingEngine(browser), tmp_path, isolation="shared") as sessions,
        asyncio.TaskGroup() as group,
    ):
        for number in range(12):
            group.create_task(client(sessions, number))


# --- ending -----------------------------------------------------------------------------------


async def test_the_end_is_told_once_whoever_closes(sessions: Sessions) -> None:
    ended: list[str] = []

    def fails(session: Session) -> None:
        ended.append(session.id)
        raise ZeroDivisionError

    sessions.on_end += [fails, lambda session: ended.append(session.name)]
    session = sessions.open(ALICE, "work")
    await session.tab()
    await asyncio.gather(*(sessions.close(session) for _ in range(3)))
    await sessions.close(session)
    assert ended == [session.id, "work"]


async def test_the_reason_is_told_to_whoever_comes_next(sessions: Sessions) -> None:
    session = sessions.open(ALICE, "work")
    await sessions.close(session, "the operator closed it")
    for name in ("work", session.id):
        assert missing(sessions, ALICE, name)["message"] == (
            "session work is gone: the operator closed it"
        )
    again = sessions.open(ALICE, "work")
    assert sessions.find(ALICE, "work") is again
    await sessions.close(again)
    assert "it was closed" in str(missing(sessions, ALICE, "work")["message"])


async def test_reasons_do_not_pile_up(sessions: Sessions) -> None:
    for _ in range(1100):
        await sessions.close(sessions.open(ALICE, "work"))
    assert len(sessions._ended) == 1000
    assert not sessions._ending


async def test_a_client_takes_its_sessions_with_it(sessions: Sessions) -> None:
    mine = [sessions.open(OTHER_CLIENT, name) for name in ("default", "work")]
    others = [sessions.open(principal, "default") for principal in (ALICE, BOB, STRANGER)]
    await mine[0].tab()
    narrower = Principal("alice", client="two", policy=ALICE.policy.narrowed(blocked=()))
    await sessions.close_client(narrower)
    assert all(each.closed for each in mine)
    assert sessions.all() == others
    assert "its client left" in str(missing(sessions, OTHER_CLIENT, "work")["message"])
    await sessions.close_client(OTHER_CLIENT)


async def test_the_end_of_all_is_bounded_and_thorough(
    engine: WatchedEngine, tmp_path: Path
) -> None:
    """One of the browsers hangs, one session starts, one call is under way."""
    async with serving(engine, tmp_path, isolation="process") as sessions:
        opened = [sessions.open(ALICE, f"s{number}") for number in range(4)]
        tabs = [await each.tab() for each in opened[:3]]
        os.kill(engine.pids[1], signal.SIGSTOP)
        engine.after.clear()
        async with asyncio.TaskGroup() as tasks:
            starting = tasks.create_task(code_of(opened[3]))
            calling = tasks.create_task(code_of(opened[0]))
            await until(lambda: len(engine.pids) == 4 and tabs[0].lease.users)
            async with asyncio.timeout(10):
                await sessions.close_all()
        assert [starting.result(), calling.result()] == ["session_not_found", "tab_closed"]
        await all_gone(engine.pids)
        with pytest.raises(SessionNotFound):
            sessions.open(ALICE, "late")
        assert "the server stopped" in str(missing(sessions, ALICE, "s0"))
        await sessions.close_all()


async def code_of(session: Session) -> str:
    try:
        async with working(session) as tab:
            await main(tab, "() => new Promise(() => {})", timeout=20)
    except StockadeError as error:
        return error.code
    return "ok"


@pytest.mark.parametrize("isolation", ["shared", "process"])
async def test_a_server_that_is_cancelled_leaves_nothing(
    engine: WatchedEngine, tmp_path: Path, isolation: str
) -> None:
    async def server() -> None:
        async with serving(engine, tmp_path, isolation=isolation) as sessions:
            await sessions.open(ALICE, "default").tab()
            await asyncio.Event().wait()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server)
        await until(lambda: engine.browsers)
        # It insists: whatever is waited for in there is cancelled again and again.
        tasks.cancel_scope.cancel()
    await all_gone(engine.pids)


async def test_a_server_that_fails_leaves_nothing(engine: WatchedEngine, tmp_path: Path) -> None:
    async def server() -> None:
        async with serving(engine, tmp_path) as sessions:
            await sessions.open(ALICE, "default").tab()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await server()
    await all_gone([engine.pids[0]])


# --- housekeeping -----------------------------------------------------------------------------


async def test_an_idle_session_ends_and_says_why(
    sessions: Sessions, session: Session, clock: HandClock
) -> None:
    await session.tab()
    clock.advance(1799)
    await sessions.tidy()
    assert not session.closed
    session.touch()
    clock.advance(1799)
    await sessions.tidy()
    assert not session.closed
    clock.advance(1)
    await sessions.tidy()
    assert session.closed
    assert sessions.all() == []
    assert missing(sessions, ALICE, "default")["message"] == (
        "session default is gone: it was idle for 1800 s"
    )
    again = await sessions.reach(ALICE, "default")
    assert "it was idle for 1800 s" in again.news()[0]
    assert again.news() == []


async def test_a_session_in_use_is_not_idle(
    sessions: Sessions, session: Session, clock: HandClock
) -> None:
    async with session.slots.hold(1):
        clock.advance(1e6)
        await sessions.tidy()
        assert not session.closed
    clock.advance(1799)
    await sessions.tidy()
    assert not session.closed
    clock.advance(1)
    await until(lambda: session.closed)


async def test_idle_tabs_are_frozen_and_thawed_by_the_next_call(
    sessions: Sessions, session: Session, site: Site, clock: HandClock
) -> None:
    tab = await at(session, site)
    await main(tab, "() => { globalThis.n = 0; setInterval(() => n++, 1) }")
    clock.advance(29)
    await sessions.tidy()
    assert not tab.page.frozen
    async with working(session):
        clock.advance(1000)
        await sessions.tidy()
        assert not tab.page.frozen
    clock.advance(29)
    await sessions.tidy()
    assert not tab.page.frozen
    clock.advance(1)
    await sessions.tidy()
    assert tab.page.frozen
    async with working(session):
        before = await main(tab, "() => n")
        assert not tab.page.frozen
        await main(
            tab, "(before) => new Promise(r => setInterval(() => n > before && r()))", before
        )
    clock.advance(30)
    await sessions.tidy()
    assert tab.page.frozen


async def test_popups_and_tabs_that_cannot_be_frozen(
    sessions: Sessions, session: Session, site: Site, clock: HandClock
) -> None:
    tab = await at(session, site)
    child = await popup(tab, site.url("/"), "noopener")
    busy = await at(session, site, "/busy")
    async with busy.lease.hold(1):
        await main(busy, "() => { setTimeout(() => { confirm('?') }) }")
        await until(lambda: busy.page.dialog is not None)
        busy.dialogs.told()
    clock.advance(30)
    await sessions.tidy()
    assert [each.page.frozen for each in (tab, child, busy)] == [True, True, False]
    await busy.answer_dialog(accept=True, text=None, timeout=5)


async def test_a_page_that_does_not_answer_is_asked_again_later(
    sessions: Sessions, session: Session, site: Site, clock: HandClock
) -> None:
    tab = await at(session, site)
    gate = asyncio.Event()
    site.page("/wait", "", delay=gate)
    await main(
        tab,
        "() => { setTimeout(() => { const x = new XMLHttpRequest();"
        " x.open('GET', '/wait', false); x.send() }) }",
    )
    await site.wait_asked("/wait")
    clock.advance(30)
    await sessions.tidy()
    assert not tab.page.frozen
    gate.set()
    clock.advance(29)
    await sessions.tidy()
    assert not tab.page.frozen
    clock.advance(1)
    await sessions.tidy()
    assert tab.page.frozen


@only_shared
async def test_nothing_is_done_before_it_is_due(
    sessions: Sessions, session: Session, site: Site, clock: HandClock
) -> None:
    """The housekeeper sleeps until the very moment, also while calls are under way."""
    await until(lambda: clock.planned == [1800])
    await at(session, site)
    await until(lambda: clock.planned == [30])
    async with working(session):
        clock.advance(30)
        # The tab is in use now, and so is the session: what is left is the browser's old age.
        await until(lambda: len(clock.planned) == 1 and clock.planned[0] > 80_000)
        clock.advance(500)
    await until(lambda: clock.planned == [30])
    clock.advance(30)
    await until(lambda: clock.planned == [1770])
    clock.advance(1770)
    await until(lambda: session.closed)
    # The browser that nobody uses now was weighed a moment ago, and is once more.
    await until(lambda: clock.planned == [10])
    clock.advance(10)
    await until(lambda: clock.planned == [290])
    clock.advance(290)
    await until(lambda: sessions.browsers.alive == [])
    await until(lambda: len(clock.planned) == 1 and clock.planned[0] > 1e6)


async def test_a_browser_that_nobody_uses_ends_by_itself(
    engine: WatchedEngine, tmp_path: Path, clock: HandClock
) -> None:
    async with serving(engine, tmp_path, clock=clock, isolation="shared") as sessions:
        session = sessions.open(ALICE, "default")
        await session.tab()
        await sessions.close(session)
        assert len(sessions.browsers.alive) == 1
        clock.advance(300)
        await all_gone([engine.pids[0]])
        assert await main(await sessions.open(ALICE, "default").tab(), "() => 1") == 1


async def test_what_is_set_to_never_never_comes(
    browser: Browser, tmp_path: Path, clock: HandClock
) -> None:
    async with serving(
        LendingEngine(browser),
        tmp_path,
        clock=clock,
        isolation="shared",
        session_idle=0,
        tab_freeze=0,
        browser_idle=0,
    ) as sessions:
        session = sessions.open(ALICE, "default")
        tab = await session.tab()
        clock.advance(1e9)
        await sessions.tidy()
        assert not tab.page.frozen
        assert not session.closed


async def test_idle_tabs_are_closed_and_their_session_stays(
    browser: Browser, tmp_path: Path, clock: HandClock
) -> None:
    async with serving(
        LendingEngine(browser), tmp_path, clock=clock, isolation="shared", tab_idle=60
    ) as sessions:
        session = sessions.open(ALICE, "default")
        first, second, third = [await session.new_tab() for _ in range(3)]
        clock.advance(59)
        async with working(session, "t1"):
            pass
        with second.watched():
            clock.advance(1)
            await until(lambda: third.page.closed)
            clock.advance(59)
            await until(lambda: first.page.closed)
        clock.advance(59)
        await sessions.tidy()
        assert session.tabs == [second]
        clock.advance(1)
        await until(lambda: not session.tabs)
        assert not session.closed
        assert (await session.tab()).id == "t4"


async def test_several_sessions_end_at_once(
    sessions: Sessions, clock: HandClock, browser: Browser
) -> None:
    opened = [sessions.open(ALICE, f"s{number}") for number in range(5)]
    await opened[0].tab()
    async with opened[1].slots.hold(1):
        clock.advance(1800)
        await until(lambda: sessions.all() == [opened[1]])


# --- a server that was killed -----------------------------------------------------------------


async def test_what_the_dead_left_is_swept_at_the_start(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = tmp_path / "stockade-browser-dead"
    left.mkdir()
    (left / "Cookies").write_text("secret", encoding="utf-8")
    async with serving(LendingEngine(browser), tmp_path):
        assert not left.exists()
