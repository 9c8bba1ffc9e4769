"""Jails opened and destroyed while everything around them is killed: nothing is left, no answer wrong."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.leaks import cgroups, descendants, processes
from tests.support.serving import Program, program
from tests.support.site import Request, Response, Site
from tests.support.soak import Soak
from tests.support.waiting import until

_JAILS = 200
_AT_ONCE = 3
_ENDS = 20
"""Of as many jails, one server is killed."""
_PATIENCE = 60.0
_TOLD = {
    "browser_gone",
    "page_crashed",
    "browser_launch_failed",
    "navigation_failed",
    "egress_denied",
}
_TOLD |= {"tab_closed", "navigation_race", "session_not_found", "memory_limit", "tasks_limit"}
_TOLD |= {"timeout", "tab_not_found", "dialog_open", "engine_error", "cpu_limit"}


@dataclass
class Tally:
    """What happened."""

    done: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


@pytest.mark.soak
async def test_nothing_is_left_whatever_is_killed(tmp_path: Path, soak: Soak) -> None:
    tally = Tally()
    left = soak.rounds(_JAILS)
    before = cgroups()
    async with Site.serve() as site:
        site.route("/say", _say)
        number = 0
        while left > 0:
            count = min(left, _ENDS)
            left -= count
            number += 1
            log = tmp_path / f"log{number}"
            async with program(
                tmp_path / "workspace",
                tmp_path / "scratch",
                log=log,
                isolation="bwrap",
                egress_allow=f"127.0.0.1:{site.port}",
                max_sessions=20,
            ) as server:
                chance = random.Random(f"{soak.seed} {number}")
                await _while_things_are_killed(server, site, count, chance, tally)
                below = {each.pid for each in descendants(server.pid)}
                assert below, "it has an egress process at least"
                server.signal(signal.SIGKILL)
                await server.process.wait()
                await _nothing_is_left_of(below, before)
            tally.done["server killed"] += 1
    print(dict(tally.done))  # noqa: T201
    broken = [
        line
        for each in tmp_path.glob("log*")
        for line in each.read_text(encoding="utf-8", errors="replace").splitlines()
        if '"stack"' in line
    ]
    assert tally.wrong == [], "\n".join(broken)[-3000:]
    assert tally.done["right"] >= soak.rounds(_JAILS) // 4
    assert tally.done["killed"] >= 1


async def _nothing_is_left_of(below: set[int], before: set[str]) -> None:
    await until(lambda: not _alive(below) and cgroups() <= before)


async def _say(request: Request) -> Response:
    return Response(f"<title>{request.params['what']}</title><h1>Here</h1>")


async def _while_things_are_killed(
    server: Program, site: Site, count: int, chance: random.Random, tally: Tally
) -> None:
    async with server.client() as client:
        client.timeout = httpx.Timeout(_PATIENCE)
        room = asyncio.Semaphore(_AT_ONCE)
        killing = asyncio.Event()

        async def one(number: int) -> None:
            async with room:
                await _visit(client, site, f"{chance.randrange(1 << 30)}-{number}", tally)

        async with asyncio.TaskGroup() as group:
            killer = group.create_task(_kill(server.pid, chance, tally, killing))
            visits = [group.create_task(one(number)) for number in range(count)]
            await asyncio.wait(visits)
            killing.set()
            killer.cancel()
        # Whatever was killed: who comes now is served.
        for _ in range(5):
            if await _visit(client, site, "last", tally):
                return
        tally.wrong.append("nobody was served any more")


async def _visit(client: httpx.AsyncClient, site: Site, name: str, tally: Tally) -> bool:
    """Open a session, look at a page of its own, close it: right, or a typed failure."""
    session = f"s{name}"
    try:
        opened = await _call(client, session, "open_session")
        assert opened["ok"], opened
        for turn in range(3):
            what = f"{name}.{turn}"
            said = await _call(client, session, "navigate", url=site.url(f"/say?what={what}"))
            if not said["ok"]:
                tally.done[said["code"]] += 1
                if said["code"] not in _TOLD:
                    tally.wrong.append(str(said)[:300])
                return False
            if not said["title"]:
                # Its renderer was killed after it had come.
                tally.done["title unknown"] += 1
            elif said["title"] != what:
                tally.wrong.append(f"{what} was asked for, {said['title']} is there")
        tally.done["right"] += 1
        return True
    finally:
        await _call(client, session, "close_session")


async def _call(client: httpx.AsyncClient, session: str, tool: str, **given: Any) -> dict[str, Any]:
    answer = await client.post(f"/v1/sessions/{session}/tools/{tool}", json=given)
    body: dict[str, Any] = answer.json()
    return body


async def _kill(server: int, chance: random.Random, tally: Tally, over: asyncio.Event) -> None:
    """Every now and then something below the server ends."""
    while not over.is_set():
        with suppress(TimeoutError):
            async with asyncio.timeout(chance.uniform(0.2, 1.5)):
                await over.wait()
                return
        found = [each for each in descendants(server) if each.state not in "ZX"]
        kind = chance.choice(("chrom", "bwrap", "bwrap", "python", "headless"))
        chosen = [each.pid for each in found if each.name.startswith(kind)] or [
            each.pid for each in found
        ]
        if chosen:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(chosen), signal.SIGKILL)
                tally.done["killed"] += 1


def _alive(pids: set[int]) -> bool:
    return any(
        pid in found and found[pid].state not in "ZX" for found in (processes(),) for pid in pids
    )
