from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from stockade.cli.checks import machine
from stockade.cli.checks.commands import Ended

UID = 61001


class Usage(NamedTuple):
    total: int
    used: int
    free: int


async def _missing(*_: object, **__: object) -> None:
    return None


async def _failing(*_: object, **__: object) -> Ended:
    return Ended(1, "", "unshare: unshare failed: Operation not permitted\n")


async def test_this_machine() -> None:
    assert machine.python().state == "ok"
    for finding in (
        await machine.unprivileged_user(UID),
        await machine.fonts(),
    ):
        assert finding.state == "ok", finding
    assert machine.disk(Path("/no/such/place")).said.endswith("free in /")
    assert machine.program().state == machine.clock().state == "ok"
    assert machine.shared_memory().name == "shared memory"


def test_an_old_python_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 0))
    assert machine.python().state == "problem"


async def test_rights_that_cannot_be_dropped_are_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(machine, "attempt", _failing)
    found = await machine.unprivileged_user(UID)
    assert found.state == "problem"
    assert "setpriv" in found.remedy
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert (await machine.unprivileged_user(UID)).said.endswith("uid 1000 like us")


async def test_what_is_missing_is_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "attempt", _missing)
    monkeypatch.setattr(machine, "_font_files", lambda: ["mono.ttf"])
    assert (await machine.fonts()).remedy == "Install fonts-dejavu-core."
    monkeypatch.setattr(machine, "_font_files", lambda: ["DejaVuSans.ttf"])
    assert (await machine.fonts()).state == "ok"


def test_little_room_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(64, 0, 64 * 2**20))
    assert machine.shared_memory().state == "warning"
    assert "--shm-size" in machine.shared_memory().remedy
    assert machine.disk(Path("/tmp")).state == "warning"


def test_a_clock_that_was_set_back_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_000_000_000.0)
    assert "before this program was" in machine.clock().said


def test_fonts_are_found_in_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "Noto Sans.OTF").touch()
    (tmp_path / "readme.txt").touch()
    monkeypatch.setattr(machine, "_FONT_FOLDERS", (str(tmp_path),))
    assert machine._font_files() == ["Noto Sans.OTF"]
