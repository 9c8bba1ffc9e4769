"""Many users at once, for a long time: nobody sees another's marks, and nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import statistics
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.soak.citizen import Citizen, Troubles
from tests.soak.town import settle
from tests.support.leaks import descendants
from tests.support.loop_stalls import LoopStalls
from tests.support.serving import program
from tests.support.site import Site
from tests.support.soak import Soak

_CITIZENS = 50
_HOUSES = 4
_SECONDS = 600
_SECONDS_IN_SHORT = 12
"""As few as let every pause of the breaking be long enough to be noticed."""
_FEWEST = 3
_SETTLE = 60.0
_GROWTH = 40 * 1024
"""Kilobytes that the server may have grown by: what it learnt once, not what it keeps per use."""


@pytest.mark.soak
async def test_many_for_long(tmp_path: Path, soak: Soak) -> None:
    citizens = max(_FEWEST, soak.rounds(_CITIZENS))
    seconds = _SECONDS if soak.full else _SECONDS_IN_SHORT
    limits = {"max_sessions": citizens + 10, "max_tabs": 1000, "max_tabs_per_session": _HOUSES + 1}
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    async with (
        Site.serve() as site,
        program(
            tmp_path / "workspace",
            scratch,
            log=tmp_path / "log",
            compat=True,
            capabilities="default,eval",
            **limits,
        ) as server,
        _talking(server.url) as client,
        server.client() as admin,
    ):
        settle(site)
        troubles = Troubles()
        async with _talking(server.url) as talk:
            await _warm_up(Citizen(999, talk, site, soak.random, troubles, _HOUSES))
        await _quiet(server.pid, client)
        before = _Belongings.of(server.pid, scratch)
        until = time.monotonic() + seconds
        town: list[Citizen] = []
        async with _talking(server.url) as talk, asyncio.TaskGroup() as tasks:
            for number in range(citizens):
                chance = random.Random(f"{soak.seed} {number}")
                town.append(Citizen(number, talk, site, chance, troubles, _HOUSES))
            living = [tasks.create_task(each.live(until)) for each in town]
            tasks.create_task(_break_things(server.pid, soak.random, troubles, seconds))
            await asyncio.wait(living)
        for each in town:
            assert (await client.delete(f"/sessions/{each.user}")).status_code == 200
        await _quiet(server.pid, client)
        after = _Belongings.of(server.pid, scratch)
        done = sum((each.done for each in town), Counter[str]())
        clicks = sorted(second for each in town for second in each.clicks)
        print(  # noqa: T201
            f"{citizens} sessions, {seconds} s: {dict(done)}; broken {troubles.count} times; "
            f"click p50 {statistics.median(clicks) * 1000:.0f} ms, "
            f"p95 {clicks[int(len(clicks) * 0.95)] * 1000:.0f} ms; {before} -> {after}"
        )
        assert not await LoopStalls(admin, tmp_path / "log").new()
        assert troubles.count >= 2
        assert done["lost"] >= 1
        assert after.descriptors <= before.descriptors, (before, after)
        assert after.files == before.files
        assert after.kilobytes - before.kilobytes < _GROWTH, (before, after)


def _talking(url: str) -> httpx.AsyncClient:
    many = httpx.Limits(max_connections=None)
    return httpx.AsyncClient(base_url=url, trust_env=False, limits=many)


async def _warm_up(citizen: Citizen) -> None:
    """Everything has been loaded once, and is gone again."""
    await citizen.enter()
    for does in (citizen.build, citizen.click, citizen.say, citizen.picture, citizen.ask):
        await does()
    await citizen.links()
    await citizen.back()
    await citizen.client.delete(f"/sessions/{citizen.user}")


async def _break_things(pid: int, chance: random.Random, troubles: Troubles, seconds: int) -> None:
    """Kill a renderer now and then, and in the middle of it all one whole browser."""
    pauses = 6
    for number in range(pauses - 1):
        await asyncio.sleep(seconds / pauses)
        whole = number == pauses // 2 - 1
        victims = [each for each in _browsers(pid) if ("--type=" not in each[1]) == whole]
        renderers = [each for each in victims if whole or "--type=renderer" in each[1]]
        if renderers:
            troubles.count += 1
            os.kill(chance.choice(renderers)[0], signal.SIGKILL)
            troubles.last = time.monotonic()


def _browsers(pid: int) -> list[tuple[int, str]]:
    found = []
    for each in descendants(pid):
        try:
            words = Path(f"/proc/{each.pid}/cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if "--type=" in words or "--remote-debugging-pipe" in words:
            found.append((each.pid, words))
    return found


async def _quiet(pid: int, client: httpx.AsyncClient) -> None:
    """Wait until no session is left and no browser runs for one."""
    async with asyncio.timeout(_SETTLE):
        while True:
            health: dict[str, Any] = (await client.get("/health")).json()
            if not health["activeSessions"] and not _browsers(pid):
                return
            await asyncio.sleep(0.1)


class _Belongings:
    """What the server holds at one moment."""

    def __init__(self, descriptors: int, files: set[str], kilobytes: int) -> None:
        self.descriptors = descriptors
        self.files = files
        self.kilobytes = kilobytes

    @classmethod
    def of(cls, pid: int, scratch: Path) -> _Belongings:
        proc = Path(f"/proc/{pid}")
        status = (proc / "status").read_text(encoding="utf-8")
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        files = {str(each.relative_to(scratch)) for each in scratch.rglob("*")}
        return cls(len(list((proc / "fd").iterdir())), files, int(resident.split()[1]))

    def __repr__(self) -> str:
        return f"{self.descriptors} descriptors, {self.kilobytes // 1024} MB"
