from __future__ import annotations

import socket
from pathlib import Path

import pytest

from stockade.cli import options
from stockade.errors import BadSetting


def test_the_command_line_stands_above_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STOCKADE_PORT", "1")
    (tmp_path / "stockade.toml").write_text("port = 2\nhost = '127.0.0.2'\n")
    found = options.settings(workspace=tmp_path, port=3, host=None)
    assert (found.port, found.host) == (3, "127.0.0.2")
    with pytest.raises(BadSetting):
        options.settings(workspace=tmp_path, isolation="none")


def test_the_usual_workspace_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("STOCKADE_WORKSPACE", raising=False)
    assert options.is_default(options.settings())
    assert options.is_default(options.settings(workspace=tmp_path / ".stockade"))
    assert not options.is_default(options.settings(workspace=tmp_path / "other"))


def test_pages_get_to_no_debugging_port(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as app,
        socket.create_server(("127.0.0.1", 0)) as debugging,
    ):
        ports = [each.getsockname()[1] for each in (app, debugging)]
        address = f"http://127.0.0.1:{ports[1]}"
        found = options.settings(workspace=tmp_path, dev=True, attach_cdp=address).egress_allow
    assert [f"localhost:{port}" in found for port in ports] == [True, False]
