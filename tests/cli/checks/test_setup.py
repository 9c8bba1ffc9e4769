from __future__ import annotations

import socket
from pathlib import Path

import pytest

from stockade.cli.checks import setup
from stockade.config import load
from stockade.workspace import Workspace


def test_variables_that_do_nothing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert setup.variables(load()).state == "ok"
    monkeypatch.setenv("STOCKADE_PROT", "1")
    assert "STOCKADE_PROT is not a setting" in setup.variables(load()).said


def test_the_policy_and_what_is_dangerous_in_it(tmp_path: Path) -> None:
    found = list(setup.policy(load(workspace=tmp_path, capabilities="default,eval")))
    assert [each.state for each in found] == ["ok", "warning"]
    assert "eval is on" in found[1].said
    (wrong,) = setup.policy(load(workspace=tmp_path, capabilities="everything"))
    assert wrong.state == "problem"


def test_the_workspace(tmp_path: Path) -> None:
    settings = load(workspace=tmp_path / "w")
    assert "is made when" in setup.workspace(settings).said
    assert not settings.workspace.exists()
    workspace = Workspace.open(settings.workspace)
    assert len(workspace.key) == 32
    assert setup.workspace(settings).state == "ok"
    workspace.path.chmod(0o755)
    assert setup.workspace(settings).remedy == f"chmod 700 {workspace.path}"
    workspace.path.chmod(0o700)
    workspace.write("key", b"short")
    assert setup.workspace(settings).state == "problem"


async def test_throw_away_directories_leave_no_workspace_behind(tmp_path: Path) -> None:
    settings = load(workspace=tmp_path / "new" / "w")
    async with setup.scratch(settings) as (place, found):
        assert place == settings.workspace / "scratch"
        assert found.state == "ok"
        assert place.is_dir()
    assert list(tmp_path.iterdir()) == []
    kept = Workspace.open(tmp_path / "kept").path
    async with setup.scratch(load(workspace=kept)):
        pass
    assert kept.is_dir()
    (kept / "scratch").touch()
    async with setup.scratch(load(workspace=kept)) as (place, found):
        assert (place, found.state) == (None, "problem")


async def test_who_cannot_be_let_in_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> bool:
        return False

    monkeypatch.setattr(setup, "reaches", never)
    async with setup.scratch(load(workspace=tmp_path)) as (place, found):
        assert (place, found.state) == (None, "warning")
        assert "CAP_SYS_ADMIN" in found.remedy


async def test_the_database(tmp_path: Path) -> None:
    settings = load(workspace=tmp_path)
    assert "is made when" in (await setup.database(settings)).said
    (tmp_path / "stockade.db").write_text("this is no database")
    assert (await setup.database(settings)).state == "problem"
    (tmp_path / "stockade.db").write_bytes(b"")
    assert (await setup.database(settings)).said.endswith("keys: 0")
    elsewhere = load(workspace=tmp_path, database_url="nonsense://x")
    assert (await setup.database(elsewhere)).state == "problem"


async def test_the_address(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings = load(workspace=tmp_path, port=taken.getsockname()[1])
        assert (await setup.address(settings)).state == "problem"
    assert (await setup.address(settings)).state == "ok"


async def test_a_server_that_does_not_answer_is_a_problem(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path / "w")
    workspace.lock()
    try:
        found = await setup.address(load(workspace=workspace.path))
    finally:
        workspace.unlock()
    assert found.state == "problem"
    assert "not ready" in found.said
