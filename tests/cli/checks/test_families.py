from __future__ import annotations

from pathlib import Path

from stockade.cli.checks import families
from stockade.config import load
from tests.support.extension import write_extension


def test_extensions_that_are_offered(tmp_path: Path) -> None:
    assert list(families.extensions(load(workspace=tmp_path))) == []
    settings = load(workspace=tmp_path, capabilities="default,extensions")
    (empty,) = families.extensions(settings)
    assert str(tmp_path / "extensions") in empty.remedy
    write_extension(tmp_path / "extensions" / "tint")
    (tmp_path / "extensions" / "broken").mkdir()
    broken, tint = families.extensions(settings)
    assert (broken.state, tint.state) == ("warning", "ok")
    assert tint.said == "tint: Tint 1.0"


def test_how_long_diagnostics_are_kept(tmp_path: Path) -> None:
    assert families.diagnostics(load(workspace=tmp_path)) is None
    settings = load(
        workspace=tmp_path, capabilities="default,diagnostics", diagnostics_retention_days=3
    )
    (tmp_path / "diagnostics").mkdir()
    (tmp_path / "diagnostics" / "a.jsonl").write_bytes(b" " * 2**20)
    found = families.diagnostics(settings)
    assert found is not None
    assert found.said == "1.0 MB, kept for 3 days"
