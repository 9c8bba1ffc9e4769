from __future__ import annotations

from pathlib import Path

import pytest

from stockade.cli.checks import jails
from stockade.config import Settings
from stockade.jails.cgroups import Groups
from stockade.jails.support import Support


def _settings(workspace: Path, isolation: str) -> Settings:
    return Settings.model_validate({"workspace": workspace, "isolation": isolation})


@pytest.mark.parametrize(
    ("isolation", "state"),
    [("auto", "ok"), ("bwrap", "ok"), ("process", "warning"), ("shared", "warning")],
)
async def test_they_work_here(tmp_path: Path, isolation: str, state: str) -> None:
    found = await jails.jails(_settings(tmp_path, isolation))
    assert (found.name, found.state) == ("jails", state)
    assert ("STOCKADE_ISOLATION" in found.remedy) == (state == "warning")


@pytest.mark.parametrize(
    ("isolation", "state"), [("auto", "warning"), ("process", "warning"), ("bwrap", "problem")]
)
async def test_they_do_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, isolation: str, state: str
) -> None:
    async def none(uid: int) -> Support:
        return Support(f"uid {uid} may make none", "Let it.")

    monkeypatch.setattr(jails, "support", none)
    found = await jails.jails(_settings(tmp_path, isolation))
    assert found.state == state
    assert "uid 61001 may make none" in found.said
    assert found.remedy == "Let it."


def test_the_limits_that_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert jails.control_groups().name == "cgroups"
    groups = Groups([], dict.fromkeys(["memory", "tasks"], "it is not ours. Ask for it"))
    monkeypatch.setattr(Groups, "found", classmethod(lambda _: groups))
    found = jails.control_groups()
    assert found.state == "warning"
    assert found.said == "they limit nothing, not memory, tasks: it is not ours"
    assert found.remedy == "Ask for it"
