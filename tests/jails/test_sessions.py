"""Sessions in jails: what each begins with, and the jails that wait for them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from stockade.config import load
from stockade.engines.cdp import ChromiumEngine
from stockade.engines.port import Context
from stockade.engines.values import Cookie
from stockade.errors import InvalidArgument
from stockade.jails.life import State
from stockade.kernel.dispatch import Kernel
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from stockade.sessions.manager import Sessions
from tests.support.leaks import alive
from tests.support.site import Site
from tests.support.waiting import until

pytestmark = pytest.mark.xdist_group("jails")

ALICE = Principal("alice")


@asynccontextmanager
async def jailed(folder: Path, **settings: Any) -> AsyncIterator[Sessions]:
    chosen = load(workspace=folder / "workspace", isolation="bwrap", **settings)
    async with Sessions(ChromiumEngine(), chosen) as sessions:
        yield sessions


async def test_it_begins_with_what_it_is_given(tmp_path: Path, site: Site) -> None:
    site.page("/", "<title>Home</title>")
    states: list[State] = []

    async with jailed(tmp_path) as sessions:
        session = sessions.open(ALICE, "one")

        async def inject(context: Context) -> None:
            assert session.jail is not None
            states.append(session.jail.life.state)
            await context.set_cookies([Cookie("sid", "given", "127.0.0.1", "/")])

        session.after_start.append(inject)
        tab = await session.tab()
        jail = session.jail
        assert jail is not None
        assert (session.isolation, states, jail.life.state) == (
            "bwrap", [State.READY], State.RUNNING
        )  # fmt: skip
        await tab.page.navigate(site.url("/"))
        assert site.requests[-1].headers["cookie"] == "sid=given"
        await sessions.close(session)
        assert jail.life.over
        assert sessions.jailer.jails == []


async def test_one_is_ready_for_who_comes_next_and_none_is_used_twice(
    tmp_path: Path, site: Site
) -> None:
    site.page("/", "<title>Home</title>")
    async with jailed(tmp_path, jail_pool=1) as sessions:
        assert sessions.jailer.jails == []
        used = []
        for name in ("one", "two"):
            session = sessions.open(ALICE, name)
            await (await session.tab()).page.navigate(site.url("/"))
            assert session.jail is not None
            used.append(session.jail.id)
            await until(lambda: _ready(sessions) == 1)
            waiting = next(each for each in sessions.jailer.jails if each.life.state is State.READY)
            used.append(waiting.id)
            await sessions.close(session)
        # The second got what had waited since the first came.
        assert used[1] == used[2]
        assert len(set(used)) == 3
        assert sessions.browsers.launched == 3
        processes = [each.pid for each in sessions.browsers.alive]
        await sessions.stop_browsers()
        assert not any(map(alive, processes))


def _ready(sessions: Sessions) -> int:
    return sum(each.life.state is State.READY for each in sessions.jailer.jails)


async def test_a_session_asks_for_more_and_never_for_less(tmp_path: Path, site: Site) -> None:
    site.page("/", "<title>Home</title>")
    chosen = load(workspace=tmp_path / "workspace", isolation="process")
    async with running_kernel(chosen) as kernel:
        told = await _ok(kernel, "open_session", session="more", isolation="bwrap")
        assert told["isolation"] == "bwrap"
        await _ok(kernel, "navigate", session="more", url=site.url("/"))
        assert len(kernel.sessions.jailer.jails) == 1
        await _ok(kernel, "navigate", url=site.url("/"))
        assert len(kernel.sessions.jailer.jails) == 1
        rows = (await _ok(kernel, "list_sessions"))["sessions"]
        assert {each["id"]: each["isolation"] for each in rows} == {
            "more": "bwrap",
            "default": "process",
        }
    strict = load(workspace=tmp_path / "workspace", isolation="bwrap")
    async with running_kernel(strict) as kernel:
        reply = await kernel.call(ALICE, "open_session", {"session": "x", "isolation": "process"})
        assert isinstance(reply.error, InvalidArgument)
        assert "not less" in reply.text


async def _ok(kernel: Kernel, tool: str, **given: Any) -> dict[str, Any]:
    reply = await kernel.call(ALICE, tool, given)
    assert reply.ok, reply.text
    assert reply.data is not None
    return reply.data
