from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from stockade.telemetry.metrics import Metrics
from stockade.telemetry.watchdog import LONGEST, watched_loop
from tests.support.loop_stalls import LoopStalls
from tests.support.serving import program
from tests.support.site import LOOPBACK, Site


def _work(seconds: float) -> None:
    """Keep the loop by work, not by waiting."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def _counted(metrics: Metrics, kind: str) -> float:
    lines = metrics.text().decode().splitlines()
    name = f'stockade_loop_blocked_seconds_count{{kind="{kind}"}} '
    return sum(float(each.removeprefix(name)) for each in lines if each.startswith(name))


async def _beats() -> None:
    """Until the loop has been looked at again."""
    for _ in range(5):
        await asyncio.sleep(LONGEST / 2)


async def test_who_keeps_the_loop_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    metrics = Metrics()
    with watched_loop(metrics):
        await _beats()
        _work(5 * LONGEST)
        await _beats()
    assert _counted(metrics, "busy") == 1
    said = capsys.readouterr()
    assert "test_watchdog.py" in said.err + said.out
    assert "_work" in said.err + said.out


async def test_short_work_is_not_told_of() -> None:
    metrics = Metrics()
    with watched_loop(metrics):
        for _ in range(10):
            _work(LONGEST / 10)
            await asyncio.sleep(0)
        await _beats()
    assert _counted(metrics, "busy") == 0


async def test_it_ends() -> None:
    metrics = Metrics()
    with watched_loop(metrics):
        pass
    _work(3 * LONGEST)
    await _beats()
    assert _counted(metrics, "busy") == 0


async def test_a_server_that_begins_to_work_keeps_nobody_waiting(tmp_path: Path) -> None:
    """What is loaded with a first list and a first call was loaded on the loop."""
    (tmp_path / "scratch").mkdir()
    log = tmp_path / "log"
    async with (
        Site.serve() as site,
        program(
            tmp_path / "workspace", tmp_path / "scratch", log=log, egress_allow=LOOPBACK
        ) as server,
        server.client() as admin,
    ):
        url = site.page("/", "<button>Press</button>")
        assert (await admin.get("/v1/tools")).status_code == 200
        for tool, given in (("navigate", {"url": url}), ("snapshot", {}), ("screenshot", {})):
            answer = await admin.post(f"/v1/sessions/default/tools/{tool}", json=given)
            assert answer.status_code == 200, answer.text
        assert await LoopStalls(admin, log).new() == []
