from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest

from stockade.cli.clients import CLIENTS, NAME, Client, Places, client, snippet, stdio_entry
from stockade.errors import InvalidArgument

LINUX = Places(Path("/project"), Path("/home/me"), {}, "linux")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("claude-code", "/project/.mcp.json"),
        ("claude-desktop", "/home/me/.config/Claude/claude_desktop_config.json"),
        ("codex", "/home/me/.codex/config.toml"),
        ("cursor", "/home/me/.cursor/mcp.json"),
        ("gemini", "/home/me/.gemini/settings.json"),
        ("vscode", "/project/.vscode/mcp.json"),
        ("windsurf", "/home/me/.codeium/windsurf/mcp_config.json"),
        ("zed", "/home/me/.config/zed/settings.json"),
    ],
)
def test_files_are_where_clients_look(name: str, path: str) -> None:
    assert str(client(name).place(LINUX)) == path


def test_the_environment_moves_files() -> None:
    places = Places(Path("/p"), Path("/h"), {"XDG_CONFIG_HOME": "/x", "CODEX_HOME": "/c"}, "linux")
    assert client("zed").place(places) == Path("/x/zed/settings.json")
    assert client("codex").place(places) == Path("/c/config.toml")


def test_on_a_mac_files_are_elsewhere() -> None:
    places = Places(Path("/p"), Path("/Users/me"), {}, "darwin")
    desktop = client("claude-desktop").place(places)
    assert desktop == Path(
        "/Users/me/Library/Application Support/Claude/claude_desktop_config.json"
    )
    assert client("zed").place(places) == Path("/Users/me/.config/zed/settings.json")


@pytest.mark.parametrize("which", CLIENTS, ids=lambda which: which.name)
def test_a_snippet_is_the_file_a_client_reads(which: Client) -> None:
    stdio = stdio_entry(Path("/w s/ä"))
    text = snippet(which, stdio)
    found = tomllib.loads(text) if which.format == "toml" else json.loads(text)
    entry = found[which.container][NAME]
    assert entry["args"] == ["mcp"]
    assert entry["env"] == {"STOCKADE_WORKSPACE": "/w s/ä"}
    assert entry.get("type") == ("stdio" if which.name == "vscode" else None)


def test_the_command_is_this_installation() -> None:
    entry = stdio_entry(arguments=("--toolsets", "all"))
    assert Path(entry["command"]).is_absolute()
    assert os.access(entry["command"], os.X_OK)
    assert entry["args"] == ["mcp", "--toolsets", "all"]
    assert "env" not in entry


def test_no_path_into_a_cache_is_written_down(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    cached = tmp_path / ".cache" / "uv" / "archive-v0" / "Xy12" / "bin" / "python"
    monkeypatch.setattr("sys.executable", str(cached))
    entry = stdio_entry()
    assert Path(entry["command"]).name == "uvx"
    assert entry["args"][-2:] == ["stockade", "mcp"]
    assert ".cache" not in json.dumps(entry)


def test_an_unknown_client_is_told_the_nearest() -> None:
    with pytest.raises(InvalidArgument) as caught:
        client("cursr")
    assert caught.value.hint == "Did you mean cursor?"
    with pytest.raises(InvalidArgument) as caught:
        client("qqqq")
    assert "windsurf" in caught.value.hint
