from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from stockade.policy.capabilities import DANGEROUS, Capability
from tests.cli.commands import COMMAND, Home
from tests.support.site import LOOPBACK, Site

ROOT = Path(__file__).parent.parent.parent


async def test_programs_are_told_in_one_line(home: Home) -> None:
    async with home.server() as ready:
        about = json.loads((home.workspace / "server.json").read_text())
        assert about["url"] == ready["url"]
        assert about["pid"] == ready["pid"]
        assert ready["mcp_url"] == f"{ready['url']}/mcp"
        assert ready["login_url"].startswith(f"{ready['url']}/login?code=")
        assert ready["token_file"] == str(home.workspace / "admin.token")
        assert ready["posture"] == {
            "isolation": "bwrap",
            "capabilities": ["action", "human", "navigation", "read"],
            "allowed_origins": [],
            "blocked_origins": [],
            "confirmations": [],
            "egress_allow": LOOPBACK.split(","),
        }
        assert ready["warnings"] == []
        async with httpx.AsyncClient(trust_env=False) as client:
            assert (await client.get(f"{ready['url']}/health")).json()["ok"] is True
    assert not (home.workspace / "server.json").exists()


async def test_options_reach_the_server(home: Home, site: Site) -> None:
    async with home.server(
        *("--capabilities", "default,eval", "--allowed-origins", "example.com,*.example.org"),
        *("--isolation", "shared", "--no-auth", "--blocked-origins", "bad.example.org"),
        *("--allow", "localhost:3000", "--allow", "10.0.0.7:*", "--dev"),
    ) as ready:
        assert ready["posture"]["isolation"] == "shared"
        assert "eval" in ready["posture"]["capabilities"]
        assert ready["posture"]["allowed_origins"] == ["example.com", "*.example.org"]
        assert ready["posture"]["blocked_origins"] == ["bad.example.org"]
        assert {"localhost:3000", "10.0.0.7:*"} < set(ready["posture"]["egress_allow"])
        assert f"[::1]:{site.port}" in ready["posture"]["egress_allow"], "it listens"
        assert ready["warnings"] == [
            f"eval is on: {DANGEROUS[Capability.EVAL]}",
            "no token is asked for: every program on this machine is an agent",
        ]


async def test_people_are_told_what_to_do_next(home: Home) -> None:
    process = await home.start("serve", "--port", "0", "--capabilities", "default,file-io")
    assert process.stdout is not None
    try:
        text = ""
        while "Posture" not in text:
            line = await process.stdout.readline()
            assert line
            text += line.decode()
    finally:
        process.terminate()
        _, errors = await process.communicate()
    assert process.returncode == 0
    lines = text.splitlines()
    url = lines[0].removeprefix("Stockade is ready at ")
    assert url.startswith("http://127.0.0.1:")
    assert f"{url}/login?code=" in lines[1]
    paste = json.loads(text[text.index("{") : text.rindex("}") + 1])
    assert paste["mcpServers"]["stockade"]["command"] == str(COMMAND)
    assert f"{url}/mcp" in text
    assert str(home.workspace / "admin.token") in text
    assert "Posture: isolation bwrap" in text
    loud = f"WARNING file-io is on: {DANGEROUS[Capability.FILE_IO]}"
    assert errors.decode().count(loud) == 1


async def test_compat_says_what_it_turned_on_and_who_may(home: Home) -> None:
    process = await home.start("serve", "--port", "0", "--compat", "--capabilities", "default")
    assert process.stdout is not None
    try:
        text = ""
        while "Posture" not in text:
            line = await process.stdout.readline()
            assert line
            text += line.decode()
        url = text.splitlines()[0].removeprefix("Stockade is ready at ")
        async with httpx.AsyncClient(trust_env=False, base_url=url) as client:
            assert (await client.get("/tabs?userId=a")).json()["tabs"] == []
            assert (await client.get("/v1/sessions")).status_code == 401
    finally:
        process.terminate()
        _, errors = await process.communicate()
    assert f"The tab API of camofox-browser is at {url}" in text
    assert "--compat has set    persist_sessions=true" in text, "and not what the operator has set"
    assert "WARNING compat is on: the tab API's routes are open" in errors.decode()


async def test_an_open_tab_api_is_among_the_warnings_in_json(home: Home) -> None:
    async with home.server(STOCKADE_COMPAT="1") as ready:
        assert any("compat is on" in each for each in ready["warnings"])


async def test_both_streams_together_are_json_where_that_is_wanted(home: Home) -> None:
    process = await home.start(
        *("serve", "--port", "0", "--log-format", "json", "--compat"),
        environment={
            "MAX_SESSIONS": "2",
            "CAMOFOX_ACCESS_KEY": "s3cret-key",
            "VNC_PASSWORD": "s3cret-key",
            "PROXY_HOST": "127.0.0.1",
            "PROXY_PORT": "9",
            "PROXY_USERNAME": "me",
            "PROXY_PASSWORD": "s3cret-key",
        },
    )
    assert process.stdout is not None
    first = await process.stdout.readline()
    url = json.loads(first)["url"]
    async with httpx.AsyncClient(trust_env=False) as client:
        await client.get(f"{url}/tabs?userId=agent1")
        await client.get(f"{url}/health")
    process.terminate()
    out, err = await process.communicate()
    rows = [json.loads(line) for line in (first + out + err).splitlines()]
    assert rows[0]["unused"] == ["VNC_PASSWORD is not used: there is no screen to share"]
    assert rows[0]["posture"]["proxies"] == ["http://127.0.0.1:9"]
    asked = [(row["msg"], row["userId"]) for row in rows[1:] if "path" in row]
    assert asked == [("req", "agent1"), ("res", "agent1")]
    assert b"s3cret-key" not in first + out + err


async def test_a_workspace_in_use_is_refused(home: Home) -> None:
    async with home.server() as ready:
        done = await home.run("serve", "--port", "0", cold=True)
        assert done.code == 5
        first, hint = done.err.splitlines()[-2:]
        assert f"pid {ready['pid']}" in first
        assert "STOCKADE_WORKSPACE" in hint


async def test_a_port_in_use_is_refused(home: Home) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = await home.run("serve", "--port", str(port))
    assert done.code == 7
    assert f"port {port} is in use" in done.err
    assert "--port" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--capabilities", "everything"],
        ["--allowed-origins", "ftp://example.com"],
        ["--isolation", "hopes"],
        ["--port", "99999"],
        ["--no-auth", "--host", "0.0.0.0", "--port", "0"],
    ],
    ids=" ".join,
)
async def test_a_bad_setting_is_refused(home: Home, arguments: list[str]) -> None:
    done = await home.run("serve", *arguments)
    assert done.code == 2
    assert done.err.count("stockade: ") == 1
    assert done.out == ""


def test_make_passes_arguments_on() -> None:
    done = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "run", "ARGS=--port 0 --json"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "scripts/packages run\n" in done.stdout
    assert done.stdout.endswith("exec .venv/bin/stockade serve --port 0 --json\n")


async def test_the_working_directory_stays_clean(home: Home) -> None:
    async with home.server():
        await home.run("call", "screenshot")
    assert list(home.path.iterdir()) == [home.workspace]


async def test_variables_that_do_nothing_are_named(home: Home) -> None:
    process = await home.start(
        "serve",
        "--port",
        "0",
        "--json",
        environment={"STOCKADE_PROT": "1", "CAMOFOX_INTERACTIVE": "2"},
    )
    assert process.stdout is not None
    said = json.loads(await process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    await process.communicate()
    assert any("STOCKADE_PROT" in line and "STOCKADE_PORT" in line for line in said["unused"])
    assert any("CAMOFOX_INTERACTIVE" in line for line in said["unused"])


async def test_without_a_browser_nobody_is_told_that_it_is_ready(home: Home) -> None:
    remedy = "Set STOCKADE_CHROMIUM to a Chromium that is there."
    async with home.server(STOCKADE_CHROMIUM="/nonexistent/chromium") as ready:
        assert ready["ready"] is False
        assert ready["warnings"] == [f"there is no chromium where it should be. {remedy}"]
        async with httpx.AsyncClient(trust_env=False) as client:
            health = await client.get(f"{ready['url']}/health")
        assert health.status_code == 503
        assert health.json()["reason"] == ready["warnings"][0]
    process = await home.start(
        "serve", "--port", "0", environment={"STOCKADE_CHROMIUM": "/nonexistent/chromium"}
    )
    assert process.stdout is not None
    try:
        first = (await process.stdout.readline()).decode()
        while b"Posture" not in await process.stdout.readline():
            continue
    finally:
        process.terminate()
        _, errors = await process.communicate()
    assert "ready" not in first
    assert "no session can be opened" in first
    assert f"PROBLEM there is no chromium where it should be. {remedy}" in errors.decode()
