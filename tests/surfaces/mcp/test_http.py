from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client import Client
from mcp.types import ImageContent

from stockade.surfaces.mcp.http import McpEndpoint
from tests.support.callers import Caller
from tests.support.mcp import (
    HANDSHAKE,
    ROOT,
    STATELESS,
    Trial,
    Web,
    environment,
    on_the_web,
    with_tools,
)

both_eras = pytest.mark.parametrize("era", ["legacy", STATELESS])
ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
ABOUT = {"name": "test", "version": "1"}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": ABOUT},
}


@asynccontextmanager
async def web(caller: Caller, trial: Trial | None = None) -> AsyncIterator[Web]:
    """The endpoint, with a caller and somebody else."""
    kernel = with_tools(caller.kernel, trial.tools()) if trial is not None else caller.kernel
    other = replace(caller.principal, id=f"{caller.principal.id}-other")
    known = {"me": caller.principal, "other": other}
    async with asyncio.timeout(60), on_the_web(kernel, known) as served:
        yield served


@asynccontextmanager
async def raw(web: Web, token: str = "me") -> AsyncIterator[httpx2.AsyncClient]:
    headers = {**ACCEPT, "authorization": token}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as client:
        yield client


async def begun(client: httpx2.AsyncClient, url: str) -> str:
    """Shake hands; the id of the conversation."""
    answer = await client.post(url, json=HELLO)
    assert answer.status_code == 200, answer.text
    named: str = answer.headers["mcp-session-id"]
    headers = {"mcp-session-id": named}
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert (await client.post(url, json=note, headers=headers)).status_code == 202
    return named


def events(text: str) -> list[dict[str, Any]]:
    lines = (line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:"))
    return [json.loads(line) for line in lines if line.strip()]


@both_eras
async def test_the_sdk_browses_over_http(caller: Caller, era: str) -> None:
    caller.site.page("/page", "<button>Buy</button>")
    async with web(caller) as served, Client(served.transport("me"), mode=era) as client:
        assert "click" in {tool.name for tool in (await client.list_tools()).tools}
        await client.call_tool("navigate", {"url": caller.site.url("/page")})
        assert 'button "Buy"' in str((await client.call_tool("snapshot", {})).content)
        shot = await client.call_tool("screenshot", {})
        assert any(isinstance(each, ImageContent) for each in shot.content)
        [resource] = (await client.list_resources()).resources
        assert (await client.read_resource(resource.uri)).contents


@both_eras
async def test_progress_comes_while_the_call_is_under_way(caller: Caller, era: str) -> None:
    told: list[float] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async with web(caller, Trial()) as served, Client(served.transport("me"), mode=era) as client:
        await client.call_tool("counting", {}, progress_callback=heard)
    assert told == [1, 2, 3]


@both_eras
async def test_cancelling_a_request_cancels_its_call(caller: Caller, era: str) -> None:
    trial = Trial()
    async with web(caller, trial) as served, Client(served.transport("me"), mode=era) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "slow", {})
            await trial.began.wait()
            group.cancel_scope.cancel()
        await trial.cleaned_up.wait()
        assert not (await client.call_tool("counting", {})).is_error


@both_eras
async def test_who_connects_again_finds_its_sessions(caller: Caller, era: str) -> None:
    async with web(caller) as served:
        async with Client(served.transport("me"), mode=era) as client:
            await client.call_tool("tabs", {"action": "new"})
        async with Client(served.transport("me"), mode=era) as client:
            found = (await client.call_tool("tabs", {})).structured_content
            assert found is not None
            assert len(found["tabs"]) == 1
        async with Client(served.transport("other"), mode=era) as client:
            found = (await client.call_tool("tabs", {})).structured_content
            assert found is not None
            assert found["tabs"] == []


async def test_a_stolen_conversation_is_not_there(caller: Caller) -> None:
    async with web(caller) as served, raw(served) as mine, raw(served, "other") as thief:
        named = {"mcp-session-id": await begun(mine, served.url)}
        ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        assert (await mine.post(served.url, json=ping, headers=named)).status_code == 200
        stolen = await thief.post(served.url, json=ping, headers=named)
        made_up = await thief.post(served.url, json=ping, headers={"mcp-session-id": "0" * 32})
        assert stolen.status_code == made_up.status_code == 404
        assert stolen.content == made_up.content
        assert (await thief.delete(served.url, headers=named)).status_code == 404
        assert (await mine.post(served.url, json=ping, headers=named)).status_code == 200


async def test_the_same_key_with_less_policy_has_less(caller: Caller) -> None:
    """The caller of each request counts, not the one that began the conversation."""
    principal = caller.principal
    careful = replace(principal, policy=principal.policy.narrowed(capabilities=frozenset()))
    known = {"me": principal, "careful": careful}
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    async with on_the_web(caller.kernel, known) as served, raw(served) as mine:
        headers = {"mcp-session-id": await begun(mine, served.url)}
        answer = await mine.post(served.url, json=listing, headers=headers)
        everything = {tool["name"] for tool in events(answer.text)[-1]["result"]["tools"]}
        headers["authorization"] = "careful"
        answer = await mine.post(served.url, json=listing, headers=headers)
        less = {tool["name"] for tool in events(answer.text)[-1]["result"]["tools"]}
    assert less < everything
    assert "navigate" not in less


@both_eras
async def test_toolsets_are_in_the_address(caller: Caller, era: str) -> None:
    async with web(caller, Trial()) as served:
        async with Client(served.transport("me", "?toolsets=gallery"), mode=era) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == ["gallery"]
        async with Client(served.transport("me", "?toolsets=core,%20gallery"), mode=era) as client:
            assert len((await client.list_tools()).tools) == len(Trial().tools())
        async with Client(served.transport("me", "?toolsets="), mode=era) as client:
            assert "gallery" not in {tool.name for tool in (await client.list_tools()).tools}


async def test_a_toolset_of_nobody_is_refused(caller: Caller) -> None:
    async with web(caller) as served, raw(served) as client:
        answer = await client.post(f"{served.url}?toolsets=none", json=HELLO)
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid_argument"


async def test_a_call_whose_client_went_away_ends_with_the_endpoint(caller: Caller) -> None:
    """In the era of handshakes a client may come back for its answer, so the call goes on."""
    trial = Trial()
    slow = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "slow"}}
    async with web(caller, trial) as served:
        async with raw(served) as client, anyio.create_task_group() as group:
            headers = {"mcp-session-id": await begun(client, served.url)}
            group.start_soon(partial(client.post, served.url, json=slow, headers=headers))
            await trial.began.wait()
            group.cancel_scope.cancel()
        async with Client(served.transport("me")) as client:
            await client.list_tools()
        assert not trial.cleaned_up.is_set()
    assert trial.cleaned_up.is_set()


async def test_an_error_in_the_body_comes_out_as_it_is(caller: Caller) -> None:
    with pytest.raises(KeyError):
        async with McpEndpoint(caller.kernel):
            raise KeyError("x")


async def test_who_cannot_be_served_is_told_and_the_next_one_is_served(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setitem(sys.modules, "stockade.surfaces.mcp.streamable", None)
        async with web(caller) as served, raw(served) as client:
            assert (await client.post(served.url, json=HELLO)).status_code == 500
            broken.undo()
            assert (await client.post(served.url, json=HELLO)).status_code == 200


async def test_nothing_heavy_is_imported_before_the_first_request() -> None:
    program = (
        "import sys, stockade.surfaces.mcp.http, stockade.surfaces.mcp.socket\n"
        "sys.exit('mcp' in sys.modules or 'mcp_types' in sys.modules)"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, cwd=ROOT, env=environment()
    )
    assert await process.wait() == 0
