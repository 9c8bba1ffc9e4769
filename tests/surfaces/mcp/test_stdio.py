from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.types import ImageContent, TextContent

from tests.support.browsers import writable_by_browser
from tests.support.leaks import alive, descendants
from tests.support.mcp import (
    STATELESS,
    all_gone,
    browsers_below,
    environment,
    speaker_to,
    started,
    started_by_client,
)
from tests.support.site import Site

PROGRAM = "tests.surfaces.mcp.program"
CLIENT = "tests.surfaces.mcp.client_program"


@pytest.mark.parametrize("era", ["legacy", STATELESS, "auto"])
async def test_the_sdk_starts_us_and_browses(tmp_path: Path, site: Site, era: str) -> None:
    site.page("/page", "<title>Hello</title><button>Buy</button>")
    async with Client(started_by_client(PROGRAM, str(tmp_path)), mode=era) as client:
        assert "click" in {tool.name for tool in (await client.list_tools()).tools}
        await client.call_tool("navigate", {"url": site.url("/page")})
        [text] = (await client.call_tool("snapshot", {})).content
        assert isinstance(text, TextContent)
        assert 'button "Buy"' in text.text
        shot = await client.call_tool("screenshot", {})
        assert any(isinstance(each, ImageContent) for each in shot.content)


async def test_nothing_but_the_protocol_is_on_the_wire(tmp_path: Path) -> None:
    async with started(PROGRAM, str(tmp_path)) as process:
        speaker = speaker_to(process)
        await speaker.shake_hands()
        await speaker.call("list_sessions")
        speaker.finish()
        said, errors = await process.communicate()
        assert all(json.loads(line) for line in said.splitlines())
        assert b"this is no protocol" in errors
        assert process.returncode == 0


async def test_it_ends_with_its_input_and_so_does_the_browser(tmp_path: Path) -> None:
    async with started(PROGRAM, str(tmp_path)) as process:
        speaker = speaker_to(process)
        await speaker.shake_hands()
        await speaker.call("tabs", action="new")
        ours = {each.pid for each in descendants(process.pid)}
        assert browsers_below(process.pid)
        speaker.finish()
        assert await process.wait() == 0
        await all_gone(ours)


async def test_a_signal_ends_it_and_the_browser(tmp_path: Path) -> None:
    async with started(PROGRAM, str(tmp_path)) as process:
        speaker = speaker_to(process)
        await speaker.shake_hands()
        await speaker.call("tabs", action="new")
        ours = {each.pid for each in descendants(process.pid)}
        assert browsers_below(process.pid)
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
        await all_gone(ours)


async def test_it_ends_when_nobody_reads_it_any_more(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    async with started(PROGRAM, str(tmp_path), stdout=writing) as process:
        os.close(writing)
        os.close(reading)
        assert process.stdin is not None
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        await process.stdin.drain()
        assert await process.wait() == 0


@pytest.mark.parametrize("whom", ["client", "server"])
async def test_a_killed_client_or_server_leaves_no_browser(tmp_path: Path, whom: str) -> None:
    # What a killed server had in its temporary directory stays there for the next one to sweep.
    temporary = writable_by_browser(tmp_path / "tmp")
    given = {"stderr": None, "env": {**environment(), "TMPDIR": str(temporary)}}
    async with started(CLIENT, PROGRAM, str(tmp_path / "workspace"), **given) as client:
        assert client.stdout is not None
        assert await client.stdout.readline() == b"ready\n"
        ours = {each.pid for each in descendants(client.pid)}
        assert browsers_below(client.pid)
        [server] = [each.pid for each in descendants(client.pid) if each.parent == client.pid]
        os.kill(client.pid if whom == "client" else server, signal.SIGKILL)
        await all_gone(ours)
        assert alive(client.pid) == (whom == "server")


async def test_a_file_of_requests_is_answered(tmp_path: Path) -> None:
    about = {"name": "file", "version": "1"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
    bodies = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "tabs"}},
    ]
    script = tmp_path / "requests.jsonl"
    script.write_text("\n".join(map(json.dumps, bodies)), encoding="utf-8")
    with script.open("rb") as requests:
        async with started(PROGRAM, str(tmp_path / "w"), stdin=requests) as process:
            said, _ = await process.communicate()
    answers = [json.loads(line) for line in said.splitlines()]
    assert {each["id"] for each in answers if "result" in each} == {1, 2, 3}
    assert process.returncode == 0
