"""The SDK's methods are those of the tools."""

from __future__ import annotations

from pathlib import Path

from stockade.cli.sdk.writing import FOLDER, modules, write
from stockade.client.stockade import Stockade
from stockade.client.tab import Tab
from stockade.tools import registry


def test_what_is_kept_is_what_would_be_written() -> None:
    kept = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py")}
    assert kept == modules(), "run `make docs`"


def test_every_tool_is_a_method() -> None:
    for tool in registry():
        home = Stockade if tool.reach == "server" else Tab
        name = f"{tool.name}_" if tool.name == "type" else tool.name
        method = getattr(home, name)
        assert method.__doc__ == tool.description


def test_what_is_no_more_is_removed(tmp_path: Path) -> None:
    (tmp_path / "gone.py").touch()
    write(tmp_path)
    assert {path.stem for path in tmp_path.glob("*.py")} == set(modules())
