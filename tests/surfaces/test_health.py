"""Health: found out by asking."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from contextlib import suppress
from importlib.metadata import version

import pytest

from stockade.surfaces import health
from tests.support.leaks import descendants
from tests.support.serving import WAIT_SECONDS, Served, served


async def test_a_server_without_browsers_is_well(server: Served) -> None:
    answer = await server.stranger.get("/health")
    body = answer.json()
    assert answer.status_code == 200
    assert body == {
        "ok": True,
        "version": version("stockade"),
        "engine": "chromium",
        "browsers": 0,
        "sessions": 0,
        "uptime": body["uptime"],
    }
    assert body["uptime"] >= 0


async def test_a_browser_that_hangs_is_found_out(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_PATIENCE", 0.3)
    monkeypatch.setattr(health, "_FRESH", -1.0)
    async with served(tmp_path_factory.mktemp("workspace")) as server:
        before = descendants(os.getpid())
        assert (await server.call("tabs", action="new")).status_code == 200
        well = (await server.stranger.get("/health")).json()
        assert (well["ok"], well["browsers"], well["sessions"]) == (True, 1, 1)
        assert re.search(r"[\d.]{5}", well["engine"])
        mine = [each.pid for each in descendants(os.getpid()) - before]
        for pid in mine:
            os.kill(pid, signal.SIGSTOP)
        try:
            # Several at once, which is one look.
            answers = await asyncio.gather(*(server.stranger.get("/health") for _ in range(5)))
        finally:
            for pid in mine:
                os.kill(pid, signal.SIGCONT)
        for answer in answers:
            assert answer.status_code == 503
            body = answer.json()
            assert body["ok"] is False
            assert body["error"] == "1 of 1 browsers do not answer"
            assert body["code"] == "engine_error"
            assert (body["browsers"], body["sessions"]) == (1, 1)
        assert (await server.stranger.get("/health")).status_code == 200


async def test_a_browser_that_is_gone_is_no_sickness(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_FRESH", -1.0)
    async with served(tmp_path_factory.mktemp("workspace")) as server:
        before = descendants(os.getpid())
        assert (await server.call("tabs", action="new")).status_code == 200
        mine = [each.pid for each in descendants(os.getpid()) - before]
        for pid in mine:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(WAIT_SECONDS):
            while True:
                answer = await server.stranger.get("/health")
                assert answer.status_code == 200
                if answer.json()["browsers"] == 0:
                    break


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
