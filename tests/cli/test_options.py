from __future__ import annotations

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
