from __future__ import annotations

import json

import pytest

from stockade.tools import registry
from tests.cli.commands import Home
from tests.support.site import Site

PAGE = "<title>Shop</title><button onclick=\"document.title='Bought'\">Buy</button><input aria-label=Name>"


async def test_tools_are_listed(home: Home) -> None:
    done = await home.run("call", "--list")
    assert len(done.out.splitlines()) == len(list(registry()))
    assert "snapshot\tcore\tread\t" in done.out
    data = (await home.run("call", "--list", "--json")).data["tools"]
    assert {each["name"] for each in data} == {each.name for each in registry()}


async def test_a_tool_explains_itself(home: Home) -> None:
    done = await home.run("call", "navigate", "--help")
    assert done.out.startswith("navigate: ")
    assert "url\tstring\trequired\t" in done.out
    data = (await home.run("call", "navigate", "-h", "--json")).data
    assert data["inputSchema"]["required"] == ["url"]
    assert "NAME=VALUE" in (await home.run("call", "--help")).out


async def test_without_a_server_a_call_stands_alone(home: Home, site: Site) -> None:
    site.page("/", PAGE)
    done = await home.run("call", "navigate", f"url={site.url('/')}", "--json", cold=True)
    assert done.code == 0
    assert done.data["ok"] is True
    assert done.data["title"] == "Shop"
    assert "no server runs" in done.err


async def test_with_a_server_calls_share_a_session(home: Home, site: Site) -> None:
    site.page("/", PAGE)
    async with home.server():
        await home.run("call", "navigate", f"url={site.url('/')}")
        shown = await home.run("call", "snapshot")
        assert shown.err == ""
        ref = shown.out.partition('button "Buy" [')[2].partition("]")[0]
        clicked = await home.run("call", "click", f"ref={ref}", "mode=none", "--json")
        assert clicked.data["ok"] is True
        tabs = (await home.run("call", "tabs", "--json")).data["tabs"]
        assert tabs[0]["title"] == "Bought"


async def test_sessions_are_apart(home: Home, site: Site) -> None:
    site.page("/", PAGE)
    async with home.server():
        await home.run("call", "open_session", "--session", "a")
        await home.run("call", "navigate", f"url={site.url('/')}", "--session", "a")
        mine = await home.run("call", "tabs", "--session", "a", "--json")
        assert len(mine.data["tabs"]) == 1
        assert (await home.run("call", "tabs", "--json")).data["tabs"] == []
        missing = await home.run("call", "tabs", "--session", "b")
        assert missing.code == 4


async def test_arguments_come_as_json_too(home: Home) -> None:
    async with home.server():
        new = '{"action": "new"}'
        await home.run("call", "tabs", "--args", new)
        await home.run("call", "tabs", "-", input=new)
        done = await home.run(
            "call", "tabs", "--args", '{"action": "list"}', "action=new", "--json"
        )
        assert len(done.data["tabs"]) == 3
        assert (await home.run("call", "tabs", "--args", "[]")).code == 2
        assert (await home.run("call", "tabs", "-", input="{")).code == 2


@pytest.mark.parametrize("server", [True, False], ids=["server", "alone"])
async def test_a_picture_becomes_a_file(home: Home, server: bool) -> None:
    async def pictured() -> None:
        done = await home.run("call", "screenshot", "format=png")
        assert done.code == 0
        path = done.out.splitlines()[-1]
        assert path.startswith(f"{home.workspace}/pictures/")
        assert path.endswith(".png")
        wanted = home.path / "shot.png"
        told = await home.run("call", "screenshot", "format=png", "--image", "shot.png", "--json")
        assert told.data["images"] == ["shot.png"]
        assert "data" not in told.data
        for file in (wanted, home.path / path):
            assert file.read_bytes().startswith(b"\x89PNG")

    if server:
        async with home.server():
            await pictured()
    else:
        await pictured()


async def tried(home: Home, *arguments: str) -> int:
    """The exit code of a call that goes wrong, as it should."""
    done = await home.run("call", *arguments)
    assert "stockade: " in done.err
    assert done.out == ""
    return done.code


async def test_exit_codes_say_what_went_wrong(home: Home) -> None:
    async with home.server():
        assert await tried(home, "nope", "a=b") == 4
        assert await tried(home, "navigate") == 2
        assert await tried(home, "navigate", "adress=x") == 2
        assert await tried(home, "navigate", "url=file:///etc/passwd") == 3
        assert await tried(home, "click", "ref=e999") == 6
        assert await tried(home, "tabs", "action=select", "tab=t99") == 4
        told = await home.run("call", "click", "ref=e999", "--json")
        assert (told.code, told.data["code"], told.err) == (6, "stale_ref", "")


async def test_exit_codes_are_the_same_alone(home: Home) -> None:
    assert await tried(home) == 2
    assert await tried(home, "nope") == 4
    assert await tried(home, "navigate", "url=file:///etc/passwd") == 3


async def test_page_text_cannot_steer_the_terminal(home: Home, site: Site) -> None:
    site.page("/", "<title>x</title><p>evil \x1b]0;title\x07 text</p>")
    async with home.server():
        await home.run("call", "navigate", f"url={site.url('/')}")
        text = await home.run_on_terminal("call", "snapshot")
        assert "evil" in text
        assert "\x1b" not in text


async def test_json_is_readable_for_people(home: Home) -> None:
    done = await home.run("call", "list_sessions")
    assert done.out.startswith("{\n")
    assert json.loads(done.out)["sessions"] == []
