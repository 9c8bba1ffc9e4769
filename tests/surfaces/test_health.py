"""Health: found out by asking."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from stockade.egress import gateway
from stockade.sessions import examination
from stockade.surfaces import health
from tests.support.leaks import descendants
from tests.support.levels import only_shared
from tests.support.serving import WAIT_SECONDS, Served, served
from tests.support.site import Site


async def test_a_server_without_browsers_is_well(server: Served) -> None:
    answer = await server.stranger.get("/health")
    body = answer.json()
    assert answer.status_code == 200
    assert body == {
        "ok": True,
        "version": version("stockade"),
        "engine": "chromium",
        "running": False,
        "browserConnected": False,
        "browserRunning": False,
        "recovering": False,
        "activeTabs": 0,
        "activeSessions": 0,
        "consecutiveFailures": 0,
        "memory": body["memory"],
        "browsers": 0,
        "uptime": body["uptime"],
    }
    assert body["uptime"] >= 0
    assert body["memory"]["rssMb"] > body["memory"]["heapUsedMb"] > 10
    sum_of_parts = body["memory"]["heapUsedMb"] + body["memory"]["nativeMemMb"]
    assert body["memory"]["rssMb"] == sum_of_parts


@only_shared
async def test_the_truth_in_every_phase(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser that works, hangs, goes on, hangs for good and is replaced, is killed."""
    monkeypatch.setattr(health, "_PATIENCE", 0.3)
    monkeypatch.setattr(health, "_FRESH", -1.0)
    monkeypatch.setattr(examination, "_ANSWER_PATIENCE", 0.3)
    async with served(tmp_path_factory.mktemp("workspace")) as server:

        async def look() -> tuple[int, dict[str, Any]]:
            answer = await server.stranger.get("/health")
            return answer.status_code, answer.json()

        async def call() -> int:
            return (await server.call("tabs", action="new")).status_code

        async def mine() -> list[int]:
            before = descendants(os.getpid())
            assert await call() == 200
            return [each.pid for each in descendants(os.getpid()) - before]

        pids = await mine()
        status, well = await look()
        assert (status, well["ok"], well["recovering"]) == (200, True, False)
        assert (well["browsers"], well["activeSessions"], well["activeTabs"]) == (1, 1, 1)
        assert (well["browserConnected"], well["browserRunning"]) == (True, True)
        assert re.search(r"[\d.]{5}", well["engine"])

        signal_all(pids, signal.SIGSTOP)
        # Several at once, of which each is a look of its own here.
        for status, body in await asyncio.gather(look(), look()):
            assert (status, body["ok"], body["recovering"]) == (503, False, True)
            assert body["error"] == "1 of 1 browsers do not answer"
            assert (body["code"], body["engine"]) == ("engine_error", "chromium")
            assert (body["browserConnected"], body["browserRunning"]) == (False, True)
            assert (body["browsers"], body["activeSessions"]) == (1, 1)
        signal_all(pids, signal.SIGCONT)
        status, body = await look()
        assert (status, body["consecutiveFailures"]) == (200, 2)
        assert await call() == 200
        assert (await look())[1]["consecutiveFailures"] == 0

        # Nobody calls, and it is healed all the same: the third look finds it out.
        signal_all(pids, signal.SIGSTOP)
        async with asyncio.timeout(WAIT_SECONDS):
            while (found := await look())[1]["recovering"]:
                assert found[0] == 503
        status, body = found
        assert (status, body["ok"], body["browserRunning"]) == (503, False, False)
        assert "does not answer" in body["reason"]
        # The session that had tabs in it hears of it, once.
        assert [await call(), (await look())[0], (await look())[1]["browsers"]] == [410, 200, 0]

        for pid in await mine():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(WAIT_SECONDS):
            while (found := await look())[0] == 200 or found[1]["recovering"]:
                assert found[0] == 503 or found[1]["browserRunning"]
        assert found[1]["reason"] == "the browser ended unexpectedly"
        assert [await call(), await call(), (await look())[0]] == [410, 200, 200]

        metrics = (await server.client.get("/metrics")).text
        assert "stockade_browser_restarts_total 2.0" in metrics


async def test_without_a_way_out_it_says_so_and_has_one_again(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    monkeypatch.setattr(health, "_FRESH", -1.0)
    monkeypatch.setattr(gateway, "_FIRST_PAUSE", 0.5)
    site.page("/", "<title>Home</title>")
    others = _egress_processes()
    async with served(tmp_path_factory.mktemp("workspace")) as server:
        assert (await server.call("navigate", url=site.url("/"))).status_code == 200
        away = site.url("/", host="127.0.0.2")
        denied = await server.call("navigate", url=away)
        assert (denied.status_code, denied.json()["code"]) == (403, "egress_denied")
        metrics = (await server.client.get("/metrics")).text
        assert 'stockade_egress_denied_total{rule="port",traffic="page"} 1.0' in metrics
        received = re.search(r'stockade_egress_bytes_total{direction="received"} (\S+)', metrics)
        assert received is not None
        assert float(received[1]) > len("<title>Home</title>")
        (pid,) = _egress_processes() - others
        os.kill(pid, signal.SIGKILL)

        async def well() -> bool:
            return (await server.stranger.get("/health")).status_code == 200

        async with asyncio.timeout(WAIT_SECONDS):
            while await well():
                pass
            down = (await server.stranger.get("/health")).json()
            while not await well():
                pass
        assert "nothing gets out" in down["error"]
        assert (await server.call("navigate", url=site.url("/"))).status_code == 200
        assert (await server.call("navigate", url=away)).json()["code"] == "egress_denied"


def _egress_processes() -> set[int]:
    found = set()
    for each in descendants(os.getpid()):
        with suppress(OSError):
            if b"stockade.egress" in Path(f"/proc/{each.pid}/cmdline").read_bytes():
                found.add(each.pid)
    return found


def signal_all(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


async def test_metrics_are_for_operators(server: Served) -> None:
    _, agent = await server.key(name="agent")
    answer = await server.stranger.get("/metrics", headers=agent)
    assert (answer.status_code, answer.json()["code"]) == (403, "role_required")
    _, operator = await server.key(name="operator", role="operator")
    assert (await server.stranger.get("/metrics", headers=operator)).status_code == 200


async def test_metrics_say_what_is_there_now(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    async with served(tmp_path_factory.mktemp("workspace")) as server:

        async def metric(name: str) -> float:
            text = (await server.client.get("/metrics")).text
            return next(
                float(line.split()[-1]) for line in text.splitlines() if line.startswith(name)
            )

        assert await metric("stockade_sessions ") == 0
        await server.call("tabs", action="new")
        await server.call("tabs", action="new")
        assert await metric("stockade_sessions ") == 1
        assert await metric("stockade_tabs ") == 2
        assert await metric("stockade_browsers ") == 1
        assert await metric("stockade_browser_launches_total ") == 1
        assert await metric('stockade_calls_total{outcome="ok",tool="tabs"}') == 2
        await server.client.delete("/v1/sessions/default")
        assert await metric("stockade_sessions ") == 0
        assert await metric("stockade_browser_launches_total ") == 1
        text = (await server.client.get("/metrics?token=abc")).text
        assert "token=abc" not in text
        assert 'route="/v1/sessions/{session}/tools/{tool}"' in text
