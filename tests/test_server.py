"""The server as a whole: how it starts, what it leaves, and how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import stat
from pathlib import Path

import pytest

from stockade.config import Settings
from stockade.errors import BadSetting, SetupError, WorkspaceInUse
from stockade.policy.capabilities import DEFAULT
from stockade.server import Ready, base_policy, running_kernel, serve
from tests.support.leaks import alive, descendants
from tests.support.serving import logging_restored, program, served, until
from tests.support.site import Site


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def test_the_policy_is_what_the_settings_say(place: Path) -> None:
    policy = base_policy(
        Settings(workspace=place, allowed_origins=("example.com",), blocked_origins=("a.b",))
    )
    assert policy.capabilities == DEFAULT
    assert [rule.text for rules in policy.allowed for rule in rules] == ["example.com"]
    assert [rule.text for rule in policy.blocked] == ["a.b"]
    assert base_policy(Settings(workspace=place)).allowed == ()


async def test_a_kernel_starts_nothing_until_it_is_asked(place: Path) -> None:
    before = descendants(os.getpid())
    async with running_kernel(Settings(workspace=place)) as kernel:
        assert kernel.sessions.all() == []
        assert descendants(os.getpid()) == before
    assert list(place.rglob("*")) == [place / "scratch"]


# --- how it starts --------------------------------------------------------------------------------


async def test_the_first_start_makes_everything_and_the_next_keeps_it(place: Path) -> None:
    async with served(place) as server:
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
        for name in ("admin.token", "server.json", "stockade.db", "lock"):
            assert stat.S_IMODE((place / name).stat().st_mode) == 0o600, name
        about = json.loads((place / "server.json").read_bytes())
        assert about["url"] == server.url
        assert about["pid"] == os.getpid()
        token = server.token
        assert (place / "mcp.sock").is_socket()
    assert not (place / "server.json").exists()
    assert not (place / "mcp.sock").exists()
    async with served(place) as server:
        assert server.token == token
        assert (await server.client.get("/v1/keys")).status_code == 200


async def test_it_can_be_reached_in_the_moment_it_says_that_it_is_ready(place: Path) -> None:
    reached: list[str] = []

    def ready(now: Ready) -> None:
        host, port = now.url.removeprefix("http://").split(":")
        socket.create_connection((host, int(port)), timeout=5).close()
        reached.append(json.loads((place / "server.json").read_bytes())["url"])
        assert now.login_url.startswith(f"{now.url}/login?code=")
        assert now.token_file == place / "admin.token"
        os.kill(os.getpid(), signal.SIGTERM)

    with logging_restored():
        async with asyncio.timeout(20):
            await serve(Settings(workspace=place, port=0), ready=ready)
    assert reached


@pytest.mark.parametrize("harm", ["deleted", "damaged"])
async def test_a_lost_admin_token_is_replaced(place: Path, harm: str) -> None:
    async with served(place) as server:
        old = server.token
    if harm == "deleted":
        (place / "admin.token").unlink()
    else:
        (place / "admin.token").write_bytes(b"\xff\xfe nonsense")
    async with served(place) as server:
        assert server.token != old
        assert (await server.client.get("/v1/keys")).status_code == 200


async def test_a_lost_database_is_made_again(place: Path) -> None:
    async with served(place):
        pass
    (place / "stockade.db").unlink()
    async with served(place) as server:
        assert (await server.client.get("/v1/keys")).status_code == 200


async def test_a_port_in_use_is_named(place: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, logging_restored():
        port = taken.getsockname()[1]
        with pytest.raises(SetupError, match=f"port {port} is in use"):
            await serve(Settings(workspace=place, port=port))
    # Nothing is held after a failed start.
    async with served(place) as server:
        assert (await server.stranger.get("/health")).status_code == 200


async def test_two_servers_cannot_have_one_workspace(place: Path) -> None:
    async with served(place) as server:
        with logging_restored(), pytest.raises(WorkspaceInUse):
            await serve(Settings(workspace=place, port=0))
        assert json.loads((place / "server.json").read_bytes())["url"] == server.url
        assert (await server.stranger.get("/health")).status_code == 200


async def test_off_loopback_a_token_is_always_wanted(place: Path) -> None:
    with logging_restored(), pytest.raises(BadSetting, match="loopback"):
        await serve(Settings(workspace=place, port=0, host="0.0.0.0"), no_auth=True)
    async with served(place, host="0.0.0.0") as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert (await server.stranger.get("/v1/sessions")).status_code == 401
        assert (await server.client.get("/v1/sessions")).status_code == 200


async def test_a_wrong_setting_is_no_start(place: Path) -> None:
    for wrong in (
        Settings(workspace=place, port=0, capabilities=("flying",)),
        Settings(workspace=place, port=0, public_hosts=("http://x/",)),
    ):
        with logging_restored(), pytest.raises(BadSetting):
            await serve(wrong)


# --- how it ends ----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_ends_it_with_its_browsers(
    tmp_path: Path, place: Path, number: signal.Signals
) -> None:
    async with program(place, tmp_path / "scratch") as server:
        async with server.client() as client:
            answer = await client.post("/v1/sessions/default/tools/tabs", json={"action": "new"})
            assert answer.status_code == 200
        browsers = [each.pid for each in descendants(server.pid)]
        assert browsers
        server.signal(number)
        code, log = await server.ended()
        assert code == 0, log
        assert not any(map(alive, browsers))
        assert not (place / "server.json").exists()
        assert list((tmp_path / "scratch").iterdir()) == []
        rows = [json.loads(line) for line in log.splitlines()]
        assert [row["msg"] for row in rows if row["logger"] == "stockade.server"] == [
            "ready",
            "stopping",
        ]


async def test_a_killed_server_leaves_no_browser_and_the_next_one_starts(
    tmp_path: Path, place: Path
) -> None:
    async with program(place, tmp_path / "scratch") as server:
        async with server.client() as client:
            await client.post("/v1/sessions/default/tools/tabs", json={"action": "new"})
        browsers = [each.pid for each in descendants(server.pid)]
        assert browsers
        server.signal(signal.SIGKILL)
        code, _ = await server.ended()
        assert code == -signal.SIGKILL
        await until(lambda: not any(map(alive, browsers)))
        assert (place / "server.json").exists()
    async with program(place, tmp_path / "scratch") as server:
        assert server.first_line.startswith(server.url)
        async with server.client() as client:
            assert (await client.get("/v1/sessions")).json()["sessions"] == []
            answer = await client.post("/v1/sessions/default/tools/tabs", json={"action": "new"})
            assert answer.status_code == 200
        server.signal(signal.SIGTERM)
        assert (await server.ended())[0] == 0
    shutil.rmtree(tmp_path / "scratch")


async def test_calls_under_way_are_finished_after_the_signal(
    tmp_path: Path, place: Path, site: Site
) -> None:
    gate = asyncio.Event()
    site.page("/slow", "<button>there</button>", delay=gate)
    async with program(place, tmp_path / "scratch") as server, server.client() as client:
        async with asyncio.TaskGroup() as group:
            path = "/v1/sessions/default/tools/navigate"
            call = group.create_task(client.post(path, json={"url": site.url("/slow")}))
            await site.wait_asked("/slow")
            server.signal(signal.SIGTERM)
            await until(lambda: not (place / "server.json").exists())
            gate.set()
        assert call.result().status_code == 200
        assert call.result().headers["connection"] == "close"
        assert (await server.ended())[0] == 0


async def test_a_second_signal_does_not_wait(tmp_path: Path, place: Path, site: Site) -> None:
    async with program(place, tmp_path / "scratch") as server, server.client() as client:
        async with asyncio.TaskGroup() as group:
            path = "/v1/sessions/default/tools/navigate"
            call = group.create_task(client.post(path, json={"url": site.url("/never")}))
            await site.wait_asked("/never")
            browsers = [each.pid for each in descendants(server.pid)]
            server.signal(signal.SIGTERM)
            await until(lambda: not (place / "server.json").exists())
            server.signal(signal.SIGTERM)
        assert call.result().status_code == 503
        assert call.result().json()["code"] == "stopping"
        code, log = await server.ended()
        assert code == 0, log
        assert '"outcome":"cancelled"' in log
        assert not any(map(alive, browsers))


async def test_a_second_server_process_is_told_who_has_the_workspace(
    tmp_path: Path, place: Path
) -> None:
    async with program(place, tmp_path / "scratch") as first:
        async with program(place, tmp_path / "scratch") as second:
            assert second.first_line.startswith("WorkspaceInUse")
            assert str(first.pid) in second.first_line
            assert (await second.ended())[0] == 9
        async with first.client() as client:
            assert (await client.get("/health")).status_code == 200
        first.signal(signal.SIGTERM)
        assert (await first.ended())[0] == 0


async def test_no_token_code_or_cookie_is_in_any_log(tmp_path: Path, place: Path) -> None:
    async with program(place, tmp_path / "scratch", log_level="debug") as server:
        token = (place / "admin.token").read_text(encoding="utf-8").strip()
        code = server.first_line.partition("code=")[2]
        async with server.client() as client:
            made = await client.post("/v1/keys", json={"name": "another"})
            entered = await client.get(server.first_line)
            await client.get("/v1/sessions", headers={"authorization": "Bearer wrong-token-123"})
            await client.get(f"/v1/tools?token={token}")
            await client.post("/v1/sessions/default/tools/nope", json={"password": "pass-phrase"})
        cookie = entered.headers["set-cookie"].partition("=")[2].partition(";")[0]
        server.signal(signal.SIGTERM)
        _, log = await server.ended()
    assert log.count('"msg":"req"') == log.count('"msg":"res"') >= 5
    assert len(code) > 40
    secrets = (token, made.json()["token"], code, cookie, "wrong-token-123", "pass-phrase")
    for secret in secrets:
        assert secret not in log
        assert secret[-20:] not in log
    for line in log.splitlines():
        json.loads(line)


async def test_ending_in_the_middle_of_a_start_leaves_nothing(place: Path) -> None:
    with logging_restored():
        async with asyncio.TaskGroup() as group:
            task = group.create_task(serve(Settings(workspace=place, port=0)))
            await until((place / "lock").exists)
            task.cancel()
    async with served(place) as server:
        assert (await server.client.get("/v1/keys")).status_code == 200
