from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from mcp.client import Client

from stockade.policy.principal import Principal
from stockade.surfaces.mcp.socket import listening
from tests.support.callers import Caller
from tests.support.mcp import (
    STATELESS,
    Trial,
    speaker_to,
    started,
    started_by_client,
    with_tools,
    without_sessions,
)

BRIDGE = "tests.surfaces.mcp.bridge_program"
HEAVY = {
    *("mcp", "mcp_types", "pydantic", "pydantic_core", "structlog", "starlette", "fastapi"),
    *("sqlalchemy", "httpx", "anyio", "msgspec", "typer", "rich", "uvicorn", "prometheus_client"),
    *("stockade.errors", "stockade.config", "stockade.kernel", "email", "urllib.request"),
}


@asynccontextmanager
async def server(caller: Caller, path: Path, trial: Trial | None = None) -> AsyncIterator[None]:
    kernel = with_tools(caller.kernel, trial.tools()) if trial is not None else caller.kernel

    def known(client: str) -> Principal:
        return replace(caller.principal, client=client)

    async with asyncio.timeout(60), listening(kernel, path, known):
        yield


async def test_it_imports_next_to_nothing() -> None:
    async with started(BRIDGE, "-", "--imports") as process:
        said, _ = await process.communicate()
    modules = set(said.decode().splitlines())
    assert "stockade.surfaces.mcp.bridge" in modules
    assert not HEAVY & modules


@pytest.mark.parametrize("era", ["legacy", STATELESS])
async def test_the_sdk_browses_through_it(caller: Caller, tmp_path: Path, era: str) -> None:
    path = tmp_path / "mcp.sock"
    caller.site.page("/page", "<button>Buy</button>")
    async with server(caller, path):
        async with Client(started_by_client(BRIDGE, str(path)), mode=era) as client:
            await client.call_tool("navigate", {"url": caller.site.url("/page")})
            result = await client.call_tool("snapshot", {})
            assert 'button "Buy"' in str(result.content)
            assert caller.kernel.sessions.all()
        await without_sessions(caller.kernel)


async def test_it_ends_well_when_its_input_does(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path), started(BRIDGE, str(path)) as process:
        speaker = speaker_to(process)
        await speaker.shake_hands()
        number = await speaker.begin("tools/list")
        speaker.finish()
        said, errors = await process.communicate()
    assert [json.loads(line)["id"] for line in said.splitlines()] == [number]
    assert (process.returncode, errors) == (0, b"")


async def test_a_server_that_goes_away_is_told_in_one_line(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    async with started(BRIDGE, str(path)) as process:
        async with server(caller, path):
            await speaker_to(process).shake_hands()
        errors = await process.stderr.read() if process.stderr is not None else b""
        assert await process.wait() == 1
    assert errors == b"stockade mcp: the server has gone away\n"


async def test_it_waits_for_a_server_that_is_about_to_listen(
    caller: Caller, tmp_path: Path
) -> None:
    path = tmp_path / "mcp.sock"
    async with started(BRIDGE, str(path)) as process:
        speaker = speaker_to(process)
        number = await speaker.begin("ping")
        async with server(caller, path):
            assert (await speaker.hear())["id"] == number


async def test_without_a_server_it_says_so(tmp_path: Path) -> None:
    async with started(BRIDGE, str(tmp_path / "none")) as process:
        said, errors = await process.communicate()
    assert (process.returncode, said) == (1, b"")
    assert errors.startswith(b"stockade mcp: the server cannot be reached")
    assert errors.count(b"\n") == 1


async def test_a_refusal_is_told_with_its_remedy(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path), started(BRIDGE, str(path), "none") as process:
        _, errors = await process.communicate()
    assert process.returncode == 1
    assert errors.startswith(b"stockade mcp: 'none' is not a toolset There are: core")


async def test_the_toolsets_are_passed_on(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path, Trial()), started(BRIDGE, str(path), "gallery") as process:
        speaker = speaker_to(process)
        await speaker.shake_hands()
        tools = (await speaker.ask("tools/list"))["result"]["tools"]
        assert [each["name"] for each in tools] == ["gallery"]


async def test_bytes_are_passed_on_whatever_they_are(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path), started(BRIDGE, str(path)) as process:
        speaker = speaker_to(process)
        await speaker.say(b"\xff\x00")
        assert (await speaker.hear())["error"]["code"] == -32700
        await speaker.say(b"x" * 5_000_000)
        assert (await speaker.hear())["error"]["code"] == -32600
        await speaker.shake_hands()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
async def test_its_end_ends_what_its_client_had(
    caller: Caller, tmp_path: Path, number: signal.Signals
) -> None:
    path, trial = tmp_path / "mcp.sock", Trial()
    async with server(caller, path, trial), started(BRIDGE, str(path)) as process:
        speaker = speaker_to(process)
        await speaker.shake_hands()
        await speaker.begin("tools/call", name="slow", arguments={})
        await trial.began.wait()
        process.send_signal(number)
        await trial.cleaned_up.wait()
