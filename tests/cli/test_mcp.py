from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.cli.commands import Home
from tests.support.leaks import alive, descendants

PATIENCE = 60.0
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Client:
    """A client of `stockade mcp`, at its simplest."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._last = 0

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._last += 1
        await self._write({"id": self._last, "method": method, "params": params})
        assert self.process.stdout is not None
        while True:
            async with asyncio.timeout(PATIENCE):
                line = await self.process.stdout.readline()
            assert line, await self.process.communicate()
            message = json.loads(line)
            if message.get("id") == self._last:
                found: dict[str, Any] = message["result"]
                return found

    async def _write(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        await self.process.stdin.drain()

    async def begin(self) -> None:
        await self.ask("initialize", **HELLO)
        await self._write({"method": "notifications/initialized"})

    async def call(self, tool: str, **arguments: Any) -> Any:
        result = await self.ask("tools/call", name=tool, arguments=arguments)
        return json.loads(result["content"][0]["text"])

    async def ended(self) -> int:
        async with asyncio.timeout(PATIENCE):
            await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode


@asynccontextmanager
async def joined(home: Home, *arguments: str, **environment: str) -> AsyncIterator[Client]:
    process = await home.start("mcp", *arguments, environment=environment)
    client = Client(process)
    try:
        await client.begin()
        yield client
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def gone(pids: set[int]) -> None:
    """Wait until none of them runs."""
    async with asyncio.timeout(PATIENCE):
        while any(map(alive, pids)):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_alone_it_brings_its_own_browser(home: Home) -> None:
    async with joined(home) as client:
        listed = await client.ask("tools/list")
        assert {"navigate", "snapshot", "click"} <= {each["name"] for each in listed["tools"]}
        opened = await client.call("tabs", action="new")
        assert opened["tabs"][0]["url"] == "about:blank"
        browser = {each.pid for each in descendants(client.process.pid)}
        assert browser
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert await client.ended() == 0
        await gone(browser)
    assert list(home.workspace.rglob("*")) == [home.workspace / "scratch"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_ends_it_and_its_browser(home: Home, number: signal.Signals) -> None:
    async with joined(home) as client:
        await client.call("tabs", action="new")
        browser = {each.pid for each in descendants(client.process.pid)}
        client.process.send_signal(number)
        assert await client.ended() == 128 + number
        await gone(browser)


async def test_a_client_that_is_killed_takes_it_along(home: Home) -> None:
    async with joined(home) as client:
        await client.call("tabs", action="new")
        browser = {each.pid for each in descendants(client.process.pid)}
        client.process.kill()
        await client.ended()
        await gone(browser)


@pytest.mark.parametrize("level", ["", "info"])
async def test_calls_are_logged_only_when_asked_for(home: Home, level: str) -> None:
    async with joined(home, STOCKADE_LOG_LEVEL=level) as client:
        await client.call("list_sessions")
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.stderr is not None
        async with asyncio.timeout(PATIENCE):
            said = await client.process.stderr.read()
            await client.process.wait()
    assert (b"list_sessions" in said) is bool(level)


async def test_a_server_is_joined(home: Home) -> None:
    async with home.server():
        async with joined(home) as client:
            await client.call("tabs", action="new")
            assert not descendants(client.process.pid)
            sessions = (await home.run("sessions", "list", "--json")).data["sessions"]
            assert [each["id"] for each in sessions] == ["default"]
            assert client.process.stdin is not None
            client.process.stdin.close()
            assert await client.ended() == 0
        async with asyncio.timeout(PATIENCE):
            while (await home.run("sessions", "list", "--json")).data["sessions"]:
                pass


async def test_joining_is_light(home: Home) -> None:
    async with home.server():
        found = await home.imports("mcp", "--toolsets", "core")
    assert not found & {"fastapi", "httpx", "mcp", "rich", "sqlalchemy", "starlette", "structlog"}


async def test_clients_of_a_server_see_their_own_sessions_only(home: Home) -> None:
    async with home.server(), joined(home) as one, joined(home) as two:
        await one.call("open_session", session="mine")
        assert [each["id"] for each in (await one.call("list_sessions"))["sessions"]] == ["mine"]
        assert (await two.call("list_sessions"))["sessions"] == []
        assert (await two.call("tabs", session="mine"))["code"] == "session_not_found"


async def test_a_server_that_ends_ends_its_clients(home: Home) -> None:
    async with home.server():
        process = await home.start("mcp")
        client = Client(process)
        await client.begin()
    assert await client.ended() == 1


async def test_joining_says_what_the_server_decides(home: Home) -> None:
    async with home.server():
        done = await home.run("mcp", "--capabilities", "all", "--isolation", "shared")
        assert done.code == 0
        assert "--isolation" in done.err
        assert "keeps these off" in done.err
        assert done.out == ""


async def test_toolsets_and_capabilities_choose_the_tools(home: Home) -> None:
    async with joined(home, "--capabilities", "read") as client:
        names = {each["name"] for each in (await client.ask("tools/list"))["tools"]}
        assert "snapshot" in names
        assert "click" not in names
    for server in (False, True):
        if server:
            async with home.server():
                done = await home.run("mcp", "--toolsets", "nonsense")
        else:
            done = await home.run("mcp", "--toolsets", "nonsense")
        assert done.code in {1, 2}
        assert "not a toolset" in done.err
        assert done.out == ""


async def test_dangerous_capabilities_are_said_aloud(home: Home) -> None:
    done = await home.run("mcp", "--capabilities", "default,eval")
    assert done.code == 0
    assert "WARNING eval is on" in done.err
    assert done.out == ""


async def test_alone_it_says_its_posture(home: Home) -> None:
    done = await home.run("mcp", "--isolation", "process", "--allowed-origins", "example.com")
    assert "stockade: isolation process · capabilities action" in done.err
    assert "origins example.com" in done.err
    assert done.out == ""
