from __future__ import annotations

import json
import stat
import tomllib
from pathlib import Path

import pytest

from stockade.cli.clients import client
from stockade.cli.merging import merge
from stockade.errors import Conflict

CODE = client("claude-code")
CODEX = client("codex")
STDIO = {"command": "/opt/stockade", "args": ["mcp"]}


def test_a_file_is_made_with_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "mcp.json"
    merged = merge(CODE, path, STDIO)
    assert (merged.outcome, merged.backup) == ("created", None)
    assert json.loads(path.read_text()) == {"mcpServers": {"stockade": STDIO}}
    assert [entry.name for entry in path.parent.iterdir()] == ["mcp.json"]


def test_other_servers_stay_and_the_old_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    before = '{"mcpServers": {"other": {"command": "x"}}, "theme": "dark"}\n'
    path.write_text(before)
    path.chmod(0o640)
    merged = merge(CODE, path, STDIO)
    assert merged.outcome == "changed"
    assert json.loads(path.read_text()) == {
        "mcpServers": {"other": {"command": "x"}, "stockade": STDIO},
        "theme": "dark",
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert merged.backup is not None
    assert merged.backup.read_text() == before
    assert stat.S_IMODE(merged.backup.stat().st_mode) == 0o600


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    merge(CODE, path, STDIO)
    before = path.stat()
    assert merge(CODE, path, STDIO).outcome == "unchanged"
    assert path.stat().st_ino == before.st_ino
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    "content",
    [
        b'{"mcpServers": {',
        b"not json",
        b"\xff\xfe{}",
        b'{"mcpServers": []}',
        b'{"mcpServers": null}',
        b"[]",
        b'"text"',
    ],
)
def test_a_file_that_cannot_be_understood_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(content)
    with pytest.raises(Conflict) as caught:
        merge(CODE, path, STDIO)
    assert "stockade init claude-code" in caught.value.hint
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "mcp.json"
    real.parent.mkdir()
    real.write_text("{}")
    link = tmp_path / "mcp.json"
    link.symlink_to(real)
    merge(CODE, link, STDIO)
    assert link.is_symlink()
    assert json.loads(real.read_text())["mcpServers"]["stockade"] == STDIO


def test_a_file_that_cannot_be_written_stays_whole(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("x")
    with pytest.raises(OSError, match="irectory"):
        merge(CODE, blocked / "mcp.json", STDIO)
    assert blocked.read_text() == "x"


def test_toml_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    before = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n'
    path.write_text(before)
    assert merge(CODEX, path, STDIO).outcome == "changed"
    assert path.read_text().startswith(before)
    assert tomllib.loads(path.read_text())["mcp_servers"] == {
        "other": {"command": "y"},
        "stockade": STDIO,
    }
    newer = {**STDIO, "env": {"STOCKADE_WORKSPACE": "/w"}}
    merge(CODEX, path, newer)
    assert tomllib.loads(path.read_text())["mcp_servers"]["stockade"] == newer
    assert merge(CODEX, path, newer).outcome == "unchanged"


@pytest.mark.parametrize(
    "content",
    [
        "mcp_servers = {other = {command = 'y'}}\n",
        '[mcp_servers."stockade"]\ncommand = "old"\n',
        "[mcp_servers\n",
        'text = """\n[mcp_servers.stockade]\n"""\n',
    ],
)
def test_toml_that_cannot_take_the_entry_is_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(content)
    with pytest.raises(Conflict):
        merge(CODEX, path, STDIO)
    assert path.read_text() == content
    assert list(tmp_path.iterdir()) == [path]
