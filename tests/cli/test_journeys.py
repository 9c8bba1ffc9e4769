"""A whole day of an agent, with the SDK's own client and the real command, by every way in."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import BlobResourceContents, TextContent, TextResourceContents

from tests.cli.commands import COMMAND, Home
from tests.support.site import Site

CAPABILITIES = "default,file-io"
SHOP = """<title>Shop</title><h1>Shop</h1>
<form onsubmit="event.preventDefault(); out.textContent = 'Thanks ' + who.value">
<label>Name <input id=who></label><button>Send</button></form>
<button onclick="out.textContent = confirm('Really?') ? 'confirmed' : 'kept'">Delete</button>
<a href=/popup target=_blank>Help</a> <a href=/report.csv>Report</a>
<label>Letter <input type=file onchange="this.files[0].text().then((t) => out.textContent = 'got ' + t)"></label>
<p role=status id=out></p><div id=host></div><iframe src={frame} width=500 height=120></iframe>
<script>const root = host.attachShadow({{mode: 'closed'}});
root.innerHTML = '<button>Inside</button>';
root.firstChild.onclick = () => {{ out.textContent = 'shadow' }};</script>"""
FRAME = """<label>Code <input id=c></label><button onclick="p.textContent = 'code ' + c.value">Check</button>
<p role=status id=p></p>"""


class Agent:
    """An MCP client with a task."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must succeed."""
        result = await self.session.call_tool(tool, arguments)
        first = result.content[0]
        assert isinstance(first, TextContent)
        assert not result.is_error, first.text
        return first.text

    async def fails(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must not."""
        result = await self.session.call_tool(tool, arguments)
        first = result.content[0]
        assert isinstance(first, TextContent)
        assert result.is_error
        body: dict[str, Any] = json.loads(first.text)
        return body


@asynccontextmanager
async def over_stdio(home: Home, *arguments: str) -> AsyncIterator[Agent]:
    parameters = StdioServerParameters(
        command=str(COMMAND), args=["mcp", *arguments], env=home.environment(), cwd=home.path
    )
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield Agent(session)


@asynccontextmanager
async def alone(home: Home) -> AsyncIterator[Agent]:
    wanted = ("--toolsets", "core,forms,media", "--capabilities", CAPABILITIES)
    async with over_stdio(home, *wanted) as agent:
        yield agent


@asynccontextmanager
async def joined(home: Home) -> AsyncIterator[Agent]:
    async with (
        home.server("--capabilities", CAPABILITIES),
        over_stdio(home, "--toolsets", "core,forms,media") as agent,
    ):
        yield agent


@asynccontextmanager
async def over_http(home: Home) -> AsyncIterator[Agent]:
    async with home.server("--capabilities", CAPABILITIES) as said:
        token = (home.workspace / "admin.token").read_text(encoding="utf-8").strip()
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=60) as http,
            streamable_http_client(
                f"{said['url']}/mcp?toolsets=core,forms,media", http_client=http
            ) as (
                reading,
                writing,
                *_,
            ),
            ClientSession(reading, writing) as session,
        ):
            await session.initialize()
            yield Agent(session)


WAYS = {"stdio": alone, "joined": joined, "http": over_http}


@pytest.mark.parametrize("way", WAYS)
async def test_a_day_of_an_agent(way: str, home: Home, site: Site) -> None:
    site.page("/", SHOP.format(frame=site.other.url("/frame")))
    site.other.page("/frame", FRAME)
    site.page("/popup", "<title>Help</title><h1>How to</h1>")
    site.page(
        "/report.csv",
        "a,b\n1,2\n",
        content_type="text/csv",
        headers={"content-disposition": "attachment; filename=report.csv"},
    )
    async with WAYS[way](home) as agent:
        await agent.call("navigate", url=site.url("/"))

        await agent.call(
            "fill_form",
            fields=[{"selector": "label=Name", "value": "Ann"}],
            submit={"selector": "role=button[name=Send]"},
        )
        assert "Thanks Ann" in await agent.call("snapshot")

        await agent.call("wait_for", selector="label=Code")
        await agent.call("fill", selector="label=Code", value="42")
        assert "code 42" in await agent.call("click", selector="role=button[name=Check]")

        assert "shadow" in await agent.call("click", selector="role=button[name=Inside]")

        asked = await agent.fails("click", selector="role=button[name=Delete]")
        assert asked["dialogs"][0]["message"] == "Really?"
        assert "confirmed" in await agent.call("answer_dialog", accept=True)

        opened = json.loads(await agent.call("click", selector="text=Help"))
        (popup,) = opened["structure"]["newTabs"]
        assert "How to" in await agent.call("snapshot", tab=popup["tab"])

        letter = base64.b64encode(b"Dear shop").decode()
        await agent.call("upload_file", selector="label=Letter", name="letter.txt", content=letter)
        await agent.call("wait_for", text="got Dear shop")

        sent = json.loads(await agent.call("click", selector="text=Report"))
        (download,) = sent["downloads"]
        read = await agent.session.read_resource(download["uri"])
        (content,) = read.contents
        if isinstance(content, BlobResourceContents):
            assert base64.b64decode(content.blob) == b"a,b\n1,2\n"
        else:
            assert isinstance(content, TextResourceContents)
            assert content.text == "a,b\n1,2\n"

        picture = await agent.session.call_tool("screenshot", {})
        assert [part.type for part in picture.content][:2] == ["text", "image"]


async def test_a_large_page_stays_within_the_budget(home: Home, site: Site) -> None:
    document = Path("/usr/share/doc/python3-doc/html/library/os.html")
    site.page("/os", document.read_bytes())
    async with over_stdio(home) as agent:
        moved = await agent.call("navigate", url=site.url("/os"))
        assert len(moved) / 4 <= 650
        assert len(await agent.call("snapshot")) / 4 <= 3200
        whole = await agent.call("snapshot", mode="interactive", maxResultTokens=20_000)
        assert whole.count("[e") > 1500


async def test_two_clients_never_see_each_others_tabs(home: Home, site: Site) -> None:
    site.page("/", "<title>Mine</title>")
    async with home.server() as said, over_stdio(home) as one, over_stdio(home) as two:
        await one.call("navigate", url=site.url("/"))
        assert "Mine" not in await two.call("tabs")
        assert site.url("/") not in await two.call("list_sessions")
        (mine,) = json.loads(await one.call("list_sessions"))["sessions"]
        refused = await two.fails("snapshot", session=mine["session_id"])
        assert refused["code"] == "session_not_found"
        assert said["url"].startswith("http://127.0.0.1")
