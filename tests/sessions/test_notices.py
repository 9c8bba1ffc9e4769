"""What became of a session behind its caller's back is told once, whatever it was."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp.client import Client

from stockade.config import load
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from stockade.sessions.notices import Notices
from tests.support.callers import Caller
from tests.support.levels import LEVEL
from tests.support.mcp import STATELESS, on_the_web
from tests.support.serving import served
from tests.support.site import Site
from tests.support.waiting import until

GONE = "Its tabs, logins and refs are gone"


def test_each_is_taken_once_and_only_the_last_few_are_kept() -> None:
    notices = Notices()
    for number in [0, *range(7), 6]:
        notices.add(f"n{number}")
    notices.discard("n4")
    assert notices.take() == ["n2", "n3", "n5", "n6"]
    assert notices.take() == []


async def idle(caller: Caller) -> None:
    for session in caller.kernel.sessions.all():
        session.life.last_used -= 10_000
    await caller.kernel.sessions.tidy()


async def test_the_default_session_says_that_it_is_a_new_one(caller: Caller) -> None:
    await caller.show("<title>Home</title><button>Buy</button>")
    await idle(caller)
    told = await caller.text("snapshot")
    assert told.startswith("[warning: session default is a new one: the one before it ended, ")
    assert "because it was idle for 1800 s" in told
    assert GONE in told
    assert "warning" not in await caller.text("snapshot")


async def test_an_error_says_it_too(caller: Caller) -> None:
    await caller.show("<title>Home</title><button>Buy</button>")
    await caller.text("snapshot")
    await idle(caller)
    told = await caller.refused("click", ref="e1")
    assert told["code"] == "stale_ref"
    assert GONE in told["warnings"][0]
    assert "warnings" not in await caller.refused("click", ref="e1")


async def test_a_named_session_is_told_by_its_error_alone(caller: Caller) -> None:
    await caller.ok("open_session", session="work")
    await caller.show("<title>Home</title>", session="work")
    await idle(caller)
    told = await caller.refused("snapshot", session="work")
    assert told["code"] == "session_not_found"
    assert "idle for 1800 s" in told["error"]
    assert "warnings" not in await caller.ok("open_session", session="work")
    assert "warning" not in await caller.text("snapshot", session="work")


async def test_who_opens_a_name_again_is_told(caller: Caller) -> None:
    await caller.ok("open_session", session="work")
    await caller.show("<title>Home</title>", session="work")
    await idle(caller)
    opened = await caller.ok("open_session", session="work")
    assert GONE in opened["warnings"][0]
    assert "warning" not in await caller.text("snapshot", session="work")


async def test_what_was_closed_on_purpose_or_never_used_is_no_loss(caller: Caller) -> None:
    await caller.show("<title>Home</title>")
    await caller.ok("close_session")
    assert "warning" not in await caller.text("snapshot")
    await caller.ok("close_session")
    await caller.ok("tabs")
    await idle(caller)
    assert "warnings" not in await caller.ok("tabs")


async def test_a_batch_tells_it_once(caller: Caller) -> None:
    await caller.show("<title>Home</title>")
    await idle(caller)
    page = caller.site.url("/page")
    done = await caller.ok("batch", calls=[{"tool": "navigate", "args": {"url": page}}])
    assert GONE in done["warnings"][0]
    assert str(done).count(GONE) == 1


async def test_another_who_looks_does_not_hear_it_in_place_of_the_owner(caller: Caller) -> None:
    await caller.show("<title>Home</title>")
    session = caller.kernel.sessions.find(caller.principal, "default")
    session.notices.add("something happened")
    operator = caller.another(role="operator")
    assert "something" not in await operator.text("snapshot", session=session.id)
    assert "something happened" in await caller.text("snapshot")


async def test_a_browser_that_ended_is_told_by_calls_that_need_none(
    site: Site, tmp_path: Path
) -> None:
    settings = load(workspace=tmp_path / "workspace", isolation="process")
    async with running_kernel(settings) as kernel:
        who = Caller(kernel, Principal("agent"), site)
        await who.show("<title>Home</title>")
        (browser,) = kernel.sessions.browsers.alive
        os.kill(browser.pid, signal.SIGKILL)
        await until(lambda: not browser.alive)
        listed = await who.ok("tabs")
        assert "ended unexpectedly" in listed["warnings"][0]
        assert GONE in listed["warnings"][0]
        assert "warning" not in await who.text("snapshot")


async def test_a_profile_says_what_comes_back(site: Site, tmp_path: Path) -> None:
    settings = load(workspace=tmp_path / "workspace", isolation=LEVEL, persist_sessions=True)
    async with running_kernel(settings) as kernel:
        who = Caller(kernel, Principal("agent"), site)
        await who.show("<title>Home</title>")
        await idle(who)
        told = await who.ok("tabs")
        assert "cookies and storage come from profile default" in told["warnings"][0]


async def test_a_tab_that_was_closed_for_its_session(site: Site, tmp_path: Path) -> None:
    settings = load(workspace=tmp_path / "workspace", isolation=LEVEL, tab_idle=60)
    async with running_kernel(settings) as kernel:
        who = Caller(kernel, Principal("agent"), site)
        await who.show("<title>Home</title>")
        session = kernel.sessions.find(who.principal, "default")
        session.tabs[0].last_used -= 100
        await kernel.sessions.tidy()
        told = await who.text("snapshot")
        assert f"tab t1 ({site.url('/page')}) was closed, because it was unused for 60 s" in told


async def test_rest_says_it_in_results_errors_and_lists(site: Site, tmp_path: Path) -> None:
    """Each time the server has forgotten the session: as data, as an error, beside a list."""
    gone = "because it was idle for 0.2 s"
    async with served(tmp_path / "workspace", session_idle=0.2, isolation=LEVEL) as server:
        site.page("/", "<title>Home</title>")

        async def lost(tool: str, **arguments: Any) -> dict[str, Any]:
            await server.call("navigate", url=site.url("/"))
            found = server.client.get
            await until_gone(lambda: found("/v1/sessions/default"))
            return dict((await server.call(tool, **arguments)).json())

        assert gone in (await lost("tabs"))["warnings"][0]
        assert gone in (await lost("click", ref="e1"))["warnings"][0]
        assert gone in (await lost("console_read"))["aside"]


async def until_gone(ask: Callable[[], Awaitable[httpx.Response]]) -> None:
    while (await ask()).status_code != 404:
        await anyio.lowlevel.checkpoint()


@pytest.mark.parametrize("era", ["legacy", STATELESS])
async def test_mcp_says_it(caller: Caller, era: str) -> None:
    caller.site.page("/page", "<title>Home</title>")
    async with (
        on_the_web(caller.kernel, {"me": caller.principal}) as web,
        Client(web.transport("me"), mode=era) as client,
    ):
        await client.call_tool("navigate", {"url": caller.site.url("/page")})
        await idle(caller)
        told = await client.call_tool("snapshot", {})
        assert GONE in str(told.content)
        assert GONE not in str((await client.call_tool("snapshot", {})).content)
