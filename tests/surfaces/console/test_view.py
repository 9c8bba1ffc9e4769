"""What the console shows."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from stockade.surfaces.console.view import _origin, _snippet, _span
from tests.support.levels import LEVEL
from tests.support.serving import Served, served
from tests.support.site import Site


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, "0 s"), (59.9, "59 s"), (60, "1 min 0 s"), (3725, "1 h 2 min"), (90061, "1 d 1 h")],
)
def test_a_time_in_its_two_largest_units(seconds: float, expected: str) -> None:
    assert _span(seconds) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://user:pw@example.com:8443/a?b=c#d", "https://example.com:8443"),
        ("about:blank", "blank"),
        ("not an address", "an address of its own"),
    ],
)
def test_of_an_address_only_the_origin_is_shown(url: str, expected: str) -> None:
    assert _origin(url) == expected


def test_the_snippet_is_json_to_paste() -> None:
    assert json.loads(_snippet("/bin/stockade", "")) == {
        "mcpServers": {"stockade": {"command": "/bin/stockade", "args": ["mcp"]}}
    }
    entry = json.loads(_snippet("/bin/stockade", "/ws"))["mcpServers"]["stockade"]
    assert entry["env"] == {"STOCKADE_WORKSPACE": "/ws"}


async def shown(server: Served) -> str:
    answer = await server.client.get("/console")
    assert answer.status_code == 200
    return answer.text


async def test_sessions_and_where_their_tabs_are(server: Served, site: Site) -> None:
    assert "None is open" in await shown(server)
    site.page("/secret-path", "<title>secret title</title>")
    await server.call("navigate", url=site.url("/secret-path?secret=1"))
    await server.call("tabs", action="new")
    page = await shown(server)
    assert site.url("")[: -len("/")] in page + "/"
    assert f"http://127.0.0.1:{site.port}" in page
    assert "secret" not in page
    assert "default" in page
    assert re.search(r"<dt>Tabs</dt><dd>2</dd>", page)
    assert "Everything answers" in page


async def test_the_posture_and_how_to_connect(server: Served) -> None:
    page = await shown(server)
    for part in ("action", "human", "navigation", "read", "Any http or https page.", LEVEL):
        assert part in page
    assert "Everyone needs a token." in page
    assert f"claude mcp add --transport http stockade {server.url}/mcp" in page
    found = re.search(r"<code>(\{.*?\})</code>", page, re.DOTALL)
    assert found is not None
    entry = json.loads(unescape(found[1]))["mcpServers"]["stockade"]
    assert entry["args"] == ["mcp"]
    assert Path(entry["env"]["STOCKADE_WORKSPACE"]) == server.workspace


async def test_what_is_dangerous_is_said_aloud(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = tmp_path_factory.mktemp("workspace")
    async with served(
        place,
        no_auth=True,
        capabilities=("default", "eval"),
        allowed_origins=("example.com",),
        blocked_origins=("a.example.com",),
    ) as server:
        page = await shown(server)
        assert "agents can run any script" in page
        assert "Only example.com, except a.example.com." in page
        assert "Anyone on this machine is an agent" in page


async def test_what_is_secret_is_masked_here_too(
    tmp_path_factory: pytest.TempPathFactory, site: Site
) -> None:
    async with served(tmp_path_factory.mktemp("workspace")) as server:
        _, headers = await server.key(name="<b>bold</b>")
        await server.call("open_session", "a-name", headers=headers)
        page = await shown(server)
        assert "&lt;b&gt;bold&lt;/b&gt;" in page
        assert "<b>bold" not in page
