"""How the program is started again, wherever it was installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from stockade.cli import installed
from stockade.cli.installed import Installation


class _Distribution:
    def __init__(self, told: str | None) -> None:
        self._told = told

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self._told


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without a search path, and a package that came from the index."""
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/nowhere")
    monkeypatch.setattr(installed, "distribution", lambda _: _Distribution(None))
    return tmp_path


def command(home: Path, executable: Path, **environment: str) -> list[str]:
    return Installation(executable, home, {"PATH": "/nowhere", **environment}).command


def test_what_lasts_is_started_by_its_path(home: Path) -> None:
    assert command(home, Path(sys.executable))[0] == str(Path(sys.executable).parent / "stockade")
    kept = home / ".local/share/uv/tools/stockade/bin/python"
    assert command(home, kept) == [str(kept), "-m", "stockade"]
    venv = home / ".local/share/pipx/venvs/stockade/bin/python"
    assert command(home, venv) == [str(venv), "-m", "stockade"]


@pytest.mark.parametrize(
    ("path", "environment"),
    [
        (".cache/uv/archive-v0/Xy12/bin/python", {}),
        ("Library/Caches/uv/archive-v0/Xy12/bin/python", {}),
        ("elsewhere/archive-v0/Xy12/bin/python", {"UV_CACHE_DIR": "{home}/elsewhere"}),
        ("xdg/uv/environments-v2/Xy12/bin/python", {"XDG_CACHE_HOME": "{home}/xdg"}),
    ],
)
def test_what_uvx_keeps_is_started_by_uvx(
    home: Path, path: str, environment: dict[str, str]
) -> None:
    given = {name: value.format(home=home) for name, value in environment.items()}
    assert command(home, home / path, **given) == ["uvx", "stockade"]
    beside = home / "bin"
    beside.mkdir()
    (beside / "uvx").touch(mode=0o755)
    assert command(home, home / path, UV=str(beside / "uv"), **given)[0] == str(beside / "uvx")
    assert command(home, home / path, **{**given, "PATH": str(beside)})[0] == str(beside / "uvx")


@pytest.mark.parametrize(
    "path", [".local/pipx/.cache/a1b2/bin/python", ".cache/pipx/a1b2/bin/python"]
)
def test_what_pipx_runs_is_started_by_pipx(home: Path, path: str) -> None:
    assert command(home, home / path) == ["pipx", "run", "stockade"]


@pytest.mark.parametrize(
    ("told", "source"),
    [
        ('{"url": "file:///src/stockade-1.0.whl"}', "file:///src/stockade-1.0.whl"),
        (
            '{"url": "https://x/s.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}',
            "git+https://x/s.git@abc",
        ),
    ],
)
def test_where_it_came_from_is_said(
    home: Path, monkeypatch: pytest.MonkeyPatch, told: str, source: str
) -> None:
    monkeypatch.setattr(installed, "distribution", lambda _: _Distribution(told))
    cached = home / ".cache/uv/archive-v0/Xy12/bin/python"
    assert command(home, cached) == ["uvx", "--from", source, "stockade"]


def test_any_other_cache_does_not_last(home: Path) -> None:
    cached = Installation(home / ".cache/other/bin/python", home)
    assert not cached.lasts
    assert cached.command == [str(cached.executable), "-m", "stockade"]
    assert Installation(home / "venv/bin/python", home).lasts
