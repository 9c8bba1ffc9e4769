from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import ImageContent, ResourceLink, TextContent

from stockade.policy.capabilities import Capability
from stockade.surfaces.mcp.caller import Caller as Known
from stockade.surfaces.mcp.endpoint import made
from tests.support.callers import Caller
from tests.support.mcp import CORE, STATELESS, Trial, with_tools

ERAS = ["legacy", STATELESS]
both_eras = pytest.mark.parametrize("era", ERAS)


@asynccontextmanager
async def client_of(
    caller: Caller, era: str, *, toolsets: frozenset[str] = CORE, trial: Trial | None = None
) -> AsyncIterator[Client]:
    """The SDK's client, in this process."""
    kernel = with_tools(caller.kernel, trial.tools()) if trial is not None else caller.kernel
    server = made(kernel, lambda _: Known(caller.principal, toolsets))
    async with Client(server, mode=era) as client:
        yield client


def error_in(content: list[Any]) -> dict[str, Any]:
    [text] = content
    assert isinstance(text, TextContent)
    body: dict[str, Any] = json.loads(text.text)
    return body


async def test_it_says_what_it_is(caller: Caller) -> None:
    async with client_of(caller, "legacy") as client:
        assert client.server_info is not None
        assert client.server_info.name == "stockade"
        assert client.server_info.version == version("stockade")
        assert client.instructions is not None
        assert "untrusted" in client.instructions
        assert len(client.instructions) < 1600


async def test_the_instructions_name_the_toolsets_there_are(caller: Caller) -> None:
    async with client_of(caller, "legacy", trial=Trial()) as client:
        assert client.instructions is not None
        assert "gallery" in client.instructions


@both_eras
async def test_only_what_may_be_called_is_listed(caller: Caller, era: str) -> None:
    policy = caller.principal.policy.narrowed(capabilities=frozenset({Capability.READ}))
    careful = replace(caller, principal=replace(caller.principal, policy=policy))
    async with client_of(careful, era) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
    assert "snapshot" in names
    assert not {"navigate", "click"} & names
    async with client_of(caller, era, trial=Trial()) as client:
        assert "gallery" not in {tool.name for tool in (await client.list_tools()).tools}
    both = frozenset({"core", "gallery"})
    async with client_of(caller, era, trial=Trial(), toolsets=both) as client:
        assert "gallery" in {tool.name for tool in (await client.list_tools()).tools}


@both_eras
async def test_refusals_are_results_that_a_model_can_read(caller: Caller, era: str) -> None:
    policy = caller.principal.policy.narrowed(capabilities=frozenset({Capability.READ}))
    careful = replace(caller, principal=replace(caller.principal, policy=policy))
    async with client_of(careful, era) as client:
        wrong = {
            "unknown_tool": await client.call_tool("clikc", {}),
            "capability_disabled": await client.call_tool("navigate", {"url": "http://x.test/"}),
            "invalid_argument": await client.call_tool("find", {"query": ["hunter2"]}),
            "session_not_found": await client.call_tool("snapshot", {"session": "other"}),
        }
        for code, result in wrong.items():
            assert result.is_error
            body = error_in(result.content)
            assert (body["ok"], body["code"]) == (False, code)
            assert "hunter2" not in str(body)
    async with client_of(caller, era, trial=Trial()) as client:
        body = error_in((await client.call_tool("gallery", {})).content)
        assert (body["code"], body["toolset"]) == ("tool_not_enabled", "gallery")


@both_eras
async def test_a_page_is_opened_and_seen(caller: Caller, era: str) -> None:
    caller.site.page("/page", "<title>Hello</title><button>Buy</button>")
    async with client_of(caller, era) as client:
        result = await client.call_tool("navigate", {"url": caller.site.url("/page")})
        assert not result.is_error
        [text] = (await client.call_tool("snapshot", {})).content
        assert isinstance(text, TextContent)
        assert 'button "Buy"' in text.text
        shot = await client.call_tool("screenshot", {})
        assert any(isinstance(each, ImageContent) for each in shot.content)
        [resource] = (await client.list_resources()).resources
        [content] = (await client.read_resource(resource.uri)).contents
        assert content.uri == resource.uri
        assert len((await client.list_resource_templates()).resource_templates) == 2


@both_eras
async def test_data_pictures_and_links(caller: Caller, era: str) -> None:
    both = frozenset({"core", "gallery"})
    async with client_of(caller, era, trial=Trial(), toolsets=both) as client:
        shown = (await client.call_tool("gallery", {})).content
        assert [type(each) for each in shown] == [TextContent, ImageContent, ResourceLink]
        torn = await client.call_tool("torn", {})
        assert torn.structured_content == {"ok": True, "text": "a\ufffdb"}


@both_eras
async def test_progress_is_told_to_whoever_asks(caller: Caller, era: str) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async with client_of(caller, era, trial=Trial()) as client:
        assert not (await client.call_tool("counting", {})).is_error
        await client.call_tool("counting", {}, progress_callback=heard)
    assert told == [(1, 3, "at 1"), (2, 3, "at 2"), (3, 3, "at 3")]


@both_eras
async def test_cancelling_a_request_cancels_its_call(caller: Caller, era: str) -> None:
    trial = Trial()
    async with client_of(caller, era, trial=trial) as client, anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "slow", {})
        await trial.began.wait()
        group.cancel_scope.cancel()
    async with asyncio.timeout(10):
        await trial.cleaned_up.wait()


@both_eras
@pytest.mark.parametrize("address", ["stockade://ses_0/downloads/1", "hunter2"])
async def test_a_resource_that_is_not_there(caller: Caller, era: str, address: str) -> None:
    async with client_of(caller, era) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(address)
    assert caught.value.code == (-32002 if era == "legacy" else -32602)
    assert caught.value.data["code"] == "artifact_not_found"
    assert "hunter2" not in str(caught.value.data)


@both_eras
async def test_a_fault_of_ours_is_not_described(
    caller: Caller, era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("/secret/path")

    monkeypatch.setattr(caller.kernel.artifacts, "find", broken)
    async with client_of(caller, era) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource("stockade://a/downloads/b")
    assert caught.value.code == -32603
    assert "secret" not in str(caught.value.error)


@both_eras
async def test_a_wrong_cursor_is_a_wrong_argument(caller: Caller, era: str) -> None:
    async with client_of(caller, era) as client:
        with pytest.raises(MCPError) as caught:
            await client.list_resources(cursor="x")
    assert caught.value.code == -32602
