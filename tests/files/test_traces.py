"""Traces are found by whom they belong to, and are not kept for ever."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from stockade.errors import InvalidArgument, Missing, QuotaExceeded
from stockade.files.traces import Traces
from stockade.policy.principal import Principal
from stockade.workspace import Workspace

ALICE = Principal("alice")


def made(place: Path, *, quota: int = 100, kept: float = 1000) -> Traces:
    return Traces(lambda: Workspace.open(place), place, quota=quota, kept=kept)


def saved(traces: Traces, content: bytes, owner: Principal = ALICE, user: str = "u1") -> str:
    return traces.save(owner, user, BytesIO(content), len(content)).name


def names(traces: Traces, owner: Principal = ALICE, user: str = "u1") -> list[str]:
    return [each.name for each in traces.all(owner, user)]


def age(place: Path, name: str, seconds: float) -> None:
    (path,) = place.rglob(name)
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_it_is_kept_for_its_user_alone(tmp_path: Path) -> None:
    place = tmp_path / "workspace"
    traces = made(place)
    traces.sweep()
    assert names(traces) == []
    assert not place.exists()
    name = saved(traces, b"zip")
    (path,) = place.rglob(name)
    assert (path.stat().st_mode & 0o777, path.stat().st_size) == (0o600, 3)
    with traces.open(ALICE, "u1", name) as file:
        assert file.read() == b"zip"
    for owner, user in (
        (ALICE, "u2"),
        (replace(ALICE, tenant="other"), "u1"),
        (replace(ALICE, id="bob"), "u1"),
        (replace(ALICE, client="c"), "u1"),
        (ALICE, "../u1\ud800"),
    ):
        assert names(traces, owner, user) == []
        with pytest.raises(Missing, match="not found"):
            traces.open(owner, user, name)
        with pytest.raises(Missing):
            traces.delete(owner, user, name)
    traces.delete(ALICE, "u1", name)
    assert names(traces) == []


def test_names_lead_nowhere_else(tmp_path: Path) -> None:
    traces = made(tmp_path / "workspace")
    name = saved(traces, b"zip")
    (path,) = tmp_path.rglob(name)
    link = path.with_name(name.replace(name[-10:-4], "ffffff"))
    link.symlink_to(path)
    path.with_name(name.replace(name[-10:-4], "eeeeee")).mkdir()
    assert names(traces)[-1:] == [name]
    for bad in ("", ".", "..", "../x.zip", "a/b.zip", "a\\b.zip", ".x.zip", "a\0.zip", "x" * 300):
        with pytest.raises(InvalidArgument, match="invalid filename"):
            traces.open(ALICE, "u1", bad)
    for unknown in ("x.zip", link.name, name.replace(name[-10:-4], "eeeeee"), f"{name}.zip"):
        with pytest.raises(Missing):
            traces.open(ALICE, "u1", unknown)


def test_the_oldest_make_room(tmp_path: Path) -> None:
    traces = made(tmp_path, quota=10)
    old, new = saved(traces, b"aaaa"), saved(traces, b"bbbb")
    age(tmp_path, old, 10)
    age(tmp_path, new, 5)
    elsewhere = saved(traces, b"cccccccc", user="u2")
    newest = saved(traces, b"dddd")
    assert names(traces) == [newest, new]
    assert names(traces, user="u2") == [elsewhere]
    with pytest.raises(QuotaExceeded):
        saved(traces, b"x" * 11)
    assert names(traces) == [newest, new]
    assert saved(made(tmp_path, quota=0), b"x" * 11) in names(traces)


def test_what_is_old_goes(tmp_path: Path) -> None:
    traces = made(tmp_path, kept=100)
    old, new, other = saved(traces, b"a"), saved(traces, b"b"), saved(traces, b"c", user="u2")
    age(tmp_path, old, 200)
    age(tmp_path, other, 200)
    assert names(made(tmp_path, kept=0)) == [new, old]
    assert names(traces) == [new]
    traces.sweep()
    assert not list(tmp_path.rglob(other))
    assert len(list((tmp_path / "traces").glob("*/*"))) == 1
