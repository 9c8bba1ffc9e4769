"""News: told at once, to those who may hear it, and never at anyone else's expense."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from stockade.errors import InvalidArgument, LimitReached, Stopping
from stockade.kernel import news as module
from stockade.kernel.news import KINDS, Listener, News, Notice
from stockade.masking.masker import Masker
from stockade.policy.principal import Principal, Role
from tests.support.callers import Caller

ALICE, BOB = Principal("alice"), Principal("bob")
OPERATOR = Principal("olga", role=Role.OPERATOR)
STRANGER = Principal("stan", tenant="elsewhere", role=Role.ADMIN)


class Hand:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def news(clock: Hand) -> News:
    masker = Masker()
    masker.add("TOKEN", "very-secret-token")
    return News(masker, clock=clock)


def tell(news: News, owner: Principal = ALICE, **facts: Any) -> None:
    news.publish("call.started", owner, None, **facts)


async def heard(listener: Listener) -> tuple[bool, list[Any]]:
    gap, notices = await listener.take(0.0)
    return gap, [each.facts.get("n") for each in notices]


async def test_everyone_hears_what_they_may_see(news: News) -> None:
    with (
        news.listen(ALICE) as alice,
        news.listen(BOB) as bob,
        news.listen(OPERATOR) as operator,
        news.listen(STRANGER) as stranger,
    ):
        tell(news, ALICE, n=1)
        tell(news, BOB, n=2)
        assert await heard(alice) == (False, [1])
        assert await heard(bob) == (False, [2])
        assert await heard(operator) == (False, [1, 2])
        assert await heard(stranger) == (False, [])
    assert news.listeners == 0


async def test_nothing_is_told_unmasked(news: News) -> None:
    with news.listen(ALICE) as alice:
        tell(news, url="https://shop.example/?very-secret-token")
        _, (notice,) = await alice.take(0.0)
    assert notice.facts["url"] == "https://shop.example/?<TOKEN>"
    assert notice.facts["type"] == notice.kind == "call.started"
    assert notice.facts["at"].endswith("Z")


async def test_nothing_is_kept_while_nobody_listens(news: News) -> None:
    for number in range(5):
        tell(news, n=number)
    assert not news._kept
    with news.listen(ALICE) as alice:
        assert await heard(alice) == (False, [])


async def test_who_comes_back_hears_what_was_missed(news: News) -> None:
    with news.listen(ALICE) as alice:
        tell(news, n=1)
        _, (last,) = await alice.take(0.0)
    tell(news, n=2)
    tell(news, BOB, n=3)
    tell(news, n=4)
    with news.listen(ALICE, after=last.id) as alice:
        assert await heard(alice) == (False, [2, 4])
    with news.listen(ALICE, after=f"{last.id[:8]}-{last.number + 3}") as alice:
        assert await heard(alice) == (False, [])


async def test_a_gap_is_told(news: News, clock: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    with news.listen(ALICE) as alice:
        tell(news, n=1)
        _, (last,) = await alice.take(0.0)
    # Another server's id, and one from the future.
    for after in ("00000000-1", f"{last.id[:8]}-999"):
        with news.listen(ALICE, after=after) as alice:
            assert await heard(alice) == (True, [1])
    # So long away that nothing was kept any more.
    clock.now += module._WAKEFUL_SECONDS + 1
    tell(news, n=2)
    with news.listen(ALICE, after=last.id) as alice:
        assert await heard(alice) == (True, [])
        tell(news, n=3)
        assert await heard(alice) == (False, [3])


async def test_the_oldest_give_way(clock: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT", 3)
    news = News(Masker(), clock=clock)
    with news.listen(ALICE) as slow:
        for number in range(5):
            tell(news, n=number)
        assert len(slow.pending) == 3
        assert await heard(slow) == (True, [2, 3, 4])
        tell(news, n=5)
        assert await heard(slow) == (False, [5])
    epoch = news._epoch
    for after, expected in ((1, (True, [3, 4, 5])), (3, (False, [3, 4, 5])), (5, (False, [5]))):
        with news.listen(ALICE, after=f"{epoch}-{after}") as back:
            assert await heard(back) == expected


@pytest.mark.parametrize("after", ["", "x", "1", "deadbeef-", "deadbeef-1\n", "-1", "a" * 10_000])
def test_what_is_no_id_is_refused(news: News, after: str) -> None:
    with pytest.raises(InvalidArgument), news.listen(ALICE, after=after):
        pass
    assert news.listeners == 0


def test_a_key_has_so_many_listeners(news: News, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_LISTENERS", 1)
    with news.listen(ALICE), news.listen(BOB), pytest.raises(LimitReached), news.listen(ALICE):
        pass
    with news.listen(ALICE):
        pass


async def test_a_listener_waits_no_longer_than_it_says(news: News) -> None:
    with news.listen(ALICE) as alice:
        assert await alice.take(0.001) == (False, [])
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(alice.take(10))
            await asyncio.sleep(0)
            tell(news, n=1)
        assert [each.facts["n"] for each in waiting.result()[1]] == [1]


async def test_those_of_a_key_can_be_dismissed(news: News) -> None:
    with news.listen(ALICE) as alice, news.listen(BOB) as bob:
        tell(news, n=1)
        news.dismiss("alice")
        assert await heard(alice) == (False, [1])
        assert alice.ended
        assert not bob.ended


async def test_the_end_waits_until_all_have_left(news: News) -> None:
    async def follow() -> list[Notice]:
        found: list[Notice] = []
        with news.listen(ALICE) as alice:
            while not alice.ended:
                found += (await alice.take(10))[1]
        return found

    async with asyncio.TaskGroup() as group:
        following = group.create_task(follow())
        await asyncio.sleep(0)
        tell(news, n=1)
        await news.end()
        assert news.listeners == 0
    assert len(following.result()) == 1
    with pytest.raises(Stopping), news.listen(ALICE):
        pass


async def test_the_end_does_not_wait_for_ever(news: News) -> None:
    await news.end(0.001)
    news._ended = False
    with news.listen(ALICE):
        await news.end(0.001)


# --- what there is to tell ------------------------------------------------------------------------


async def told(listener: Listener, last: str) -> list[dict[str, Any]]:
    """Everything up to the first of that kind."""
    found: list[dict[str, Any]] = []
    async with asyncio.timeout(10):
        while last not in [each["type"] for each in found]:
            found += [each.facts for each in (await listener.take(10))[1]]
    return found


async def test_a_call_is_told_of_without_its_arguments(caller: Caller) -> None:
    with caller.kernel.news.listen(caller.principal) as listener:
        await caller.show("<title>Hello</title>")
        found = await told(listener, "call.finished")
    started = next(each for each in found if each["type"] == "call.started")
    finished = next(each for each in found if each["type"] == "call.finished")
    assert started.keys() == {"type", "at", "session", "session_id", "call", "tool"}
    assert (finished["call"], finished["tool"]) == (started["call"], "navigate")
    assert finished["ok"] is True
    assert finished["tab"] == "t1"
    assert finished["ms"] > 0
    assert "code" not in finished
    kinds = [each["type"] for each in found]
    assert kinds.index("session.opened") < kinds.index("tab.opened") < kinds.index("tab.navigated")
    gone = next(
        each for each in found if each["type"] == "tab.navigated" and "/page" in each["url"]
    )
    assert (gone["tab"], gone["sameDocument"]) == ("t1", False)


async def test_a_refused_call_tells_its_code_alone(caller: Caller) -> None:
    with caller.kernel.news.listen(caller.principal) as listener:
        await caller.refused("click", nonsense="s3cret")
        (finished,) = await told(listener, "call.finished")
    assert (finished["ok"], finished["code"]) == (False, "invalid_argument")
    assert "s3cret" not in str(finished)


async def test_inner_calls_name_the_outer(caller: Caller) -> None:
    with caller.kernel.news.listen(caller.principal) as listener:
        await caller.ok("batch", calls=[{"tool": "tabs", "args": {}}])
        found: list[dict[str, Any]] = []
        while len([each for each in found if each["type"] == "call.finished"]) < 2:
            found += [each.facts for each in (await listener.take(10))[1]]
    inner = next(each for each in found if each.get("tool") == "tabs")
    outer = next(each for each in found if each.get("tool") == "batch")
    assert inner["parent"] == outer["call"]


async def test_what_happens_in_a_session_is_told(caller: Caller) -> None:
    kernel = caller.kernel
    await caller.ok("open_session", session="quiet")
    await caller.ok("open_session", session="loud", dialogPolicy="dismiss")
    loud = kernel.sessions.find(caller.principal, "loud")
    with kernel.news.listen(caller.principal, loud) as listener:
        await caller.ok("tabs", session="quiet", action="new")
        caller.site.page(
            "/page", '<button onclick=\'confirm("Sure?");location="/download"\'>Go</button>'
        )
        await caller.ok("navigate", session="loud", url=caller.site.url("/page"))
        await caller.ok("click", session="loud", selector="role=button")
        found = await told(listener, "download.finished")
        await caller.ok("close_session", session="loud")
        found += await told(listener, "session.closed")
    assert {each["session"] for each in found} == {"loud"}
    dialog = next(each for each in found if each["type"] == "dialog.opened")
    assert (dialog["kind"], dialog["text"], dialog["tab"]) == ("confirm", "Sure?", "t1")
    download = next(each for each in found if each["type"] == "download.finished")
    assert (download["filename"], download["ok"], download["sizeBytes"]) == ("report.txt", True, 11)
    assert found[-1]["reason"] == "it was closed"
    kinds = {each["type"] for each in found}
    assert {"tab.opened", "tab.closed", "tab.navigated"} <= kinds <= set(KINDS)


async def test_a_crash_is_told(caller: Caller) -> None:
    await caller.show("x")
    tab = caller.kernel.sessions.find(caller.principal, "default").tabs[0]
    with caller.kernel.news.listen(caller.principal) as listener:
        devtools = tab.page.devtools[0]
        async with asyncio.TaskGroup() as group:
            group.create_task(_crash(devtools))
            found = await told(listener, "tab.crashed")
    assert found[-1]["tab"] == "t1"


async def _crash(devtools: Any) -> None:
    try:
        await devtools.send("Page.crash", {}, timeout=5)
    except Exception as error:  # noqa: BLE001
        assert "crash" in str(error).lower()  # noqa: PT017
