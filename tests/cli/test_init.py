from __future__ import annotations

import json
import tomllib

import pytest

from stockade.cli.clients import CLIENTS, Places
from tests.cli.commands import COMMAND, Home


async def test_without_a_client_all_are_listed(home: Home) -> None:
    done = await home.run("init", cold=True)
    for each in CLIENTS:
        assert f"{each.name}\t{each.title}\t" in done.out
    assert f'"command": "{COMMAND}"' in done.out
    data = (await home.run("init", "--json")).data
    assert [each["client"] for each in data["clients"]] == [each.name for each in CLIENTS]
    assert data["entry"]["args"] == ["mcp"]


async def test_printing_writes_nothing(home: Home) -> None:
    done = await home.run("init", "claude-code")
    printed = json.loads(done.out.partition("\n")[2])
    assert printed["mcpServers"]["stockade"] == {
        "command": str(COMMAND),
        "args": ["mcp"],
        "env": {"STOCKADE_WORKSPACE": str(home.workspace)},
    }
    assert list(home.path.iterdir()) == []


async def test_the_usual_workspace_needs_no_mention(home: Home) -> None:
    done = await home.run("init", "cursor", "--json", STOCKADE_WORKSPACE="")
    assert "env" not in done.data["clients"][0]["entry"]


async def test_toolsets_are_passed_on(home: Home) -> None:
    done = await home.run("init", "zed", "--toolsets", "all", "--json")
    assert done.data["clients"][0]["entry"]["args"] == ["mcp", "--toolsets", "all"]


@pytest.mark.parametrize("which", CLIENTS, ids=lambda which: which.name)
async def test_every_client_can_be_written(home: Home, which: object) -> None:
    client = next(each for each in CLIENTS if each is which)
    path = client.place(Places(home.path, home.path))
    done = await home.run("init", client.name, "--write")
    assert done.code == 0
    assert f"{path} created" in done.out
    text = path.read_text()
    found = tomllib.loads(text) if client.format == "toml" else json.loads(text)
    assert found[client.container]["stockade"]["command"] == str(COMMAND)
    again = await home.run("init", client.name, "--write", "--json")
    assert again.data["clients"][0]["outcome"] == "unchanged"
    assert path.read_text() == text


async def test_what_was_there_is_kept(home: Home) -> None:
    path = home.path / ".vscode" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{\n  // mine\n  "servers": {"other": {"command": "x"}},\n}\n')
    done = await home.run("init", "vscode", "claude-code", "--write", "--print", "--json")
    first, second = done.data["clients"]
    assert (first["outcome"], second["outcome"]) == ("changed", "created")
    assert "// mine" in path.read_text()
    assert '"other"' in path.read_text()
    assert '"other"' in (path.parent / first["backup"]).read_text()


async def test_a_broken_file_is_not_touched(home: Home) -> None:
    path = home.path / ".mcp.json"
    path.write_text('{"mcpServers": {')
    done = await home.run("init", "claude-code", "--write")
    assert done.code == 2
    assert "was left as it is" in done.err
    assert path.read_text() == '{"mcpServers": {'
    assert list(home.path.iterdir()) == [path]


async def test_wrong_uses(home: Home) -> None:
    assert "--write needs" in (await home.run("init", "--write")).err
    assert "Did you mean cursor?" in (await home.run("init", "cursr")).err
