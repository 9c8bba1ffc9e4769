"""Throw-away directories are deleted, also those of processes that were killed."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest

from stockade.scratch import Scratch, sweep


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def age(path: Path) -> None:
    old = time.time() - 3600
    os.utime(path, (old, old))


def test_it_is_private_and_can_be_removed_twice(place: Path) -> None:
    profile = Scratch(61001)
    assert profile.path.parent == place
    assert profile.path.stat().st_mode & 0o777 == 0o700
    if os.geteuid() == 0:
        assert profile.path.stat().st_uid == 61001
    profile.remove()
    profile.remove()
    assert not profile.path.exists()


def test_only_the_dead_are_swept(place: Path) -> None:
    living = Scratch(61001)
    age(living.path)
    dead = place / "stockade-browser-dead"
    dead.mkdir()
    (dead / "Cookies").write_text("x", encoding="utf-8")
    age(dead)
    newborn = place / "stockade-browser-new"
    newborn.mkdir()
    target = place / "elsewhere"
    target.mkdir()
    (place / "stockade-browser-link").symlink_to(target)
    assert sweep() == 1
    assert not dead.exists()
    assert living.path.exists()
    assert newborn.exists()
    assert target.exists()
    living.remove()
