"""What is done to a group through its files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stockade.jails.cgroups import Groups, Limits, directories
from tests.jails.cgroups.conftest import Start
from tests.support.waiting import until


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        directories.write(tmp_path / "memory.max", "1")
    assert not list(tmp_path.iterdir())


def test_nobody_is_taken_for_ourselves(tmp_path: Path) -> None:
    (tmp_path / "cgroup.procs").write_text("0\n0\n")
    assert directories.members(tmp_path) == {0}
    assert directories.processes([tmp_path]) == set()
    directories.kill([tmp_path])  # which would have ended this test


def test_where_there_is_nothing_nothing_happens(tmp_path: Path) -> None:
    gone = [tmp_path / "gone"]
    directories.kill(gone)
    assert directories.processes(gone) == set()
    assert directories.remove(gone)


async def test_what_is_in_groups_below_is_killed_too(groups: Groups, start: Start) -> None:
    group = groups.create("nested", Limits())
    places = [each / "nested" for each in groups.own]
    sleepers = [start("/bin/sleep", "600") for _ in range(3)]
    for place in places:
        (place / "deep/er").mkdir(parents=True)
        for name, sleeper in zip((".", "deep", "deep/er"), sleepers, strict=True):
            directories.add(place / name, sleeper.pid)
    assert directories.processes(places) == {each.pid for each in sleepers}
    assert not directories.remove(places)
    directories.kill(places)
    assert [await each.wait() for each in sleepers] == [-9, -9, -9]
    await until(lambda: directories.remove(places))
    assert not any(each.exists() for each in places)
    await group.remove()


async def test_without_the_kernels_help_a_fork_bomb_is_killed_all_the_same(
    groups: Groups, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = directories.write

    def older(file: Path, text: str) -> None:
        if file.name == "cgroup.kill":
            raise FileNotFoundError(file)
        real(file, text)

    monkeypatch.setattr(directories, "write", older)
    group = groups.create("bomb", Limits(tasks=64))
    here, there = os.pipe()
    bomb = start(
        "/bin/sh", "-c", "read _ <&7; f() { f & f; }; f 2>/dev/null", descriptors={7: here}
    )
    os.close(here)
    group.add(bomb.pid)
    os.write(there, b"go\n")
    os.close(there)
    await until(lambda: len(group.processes()) > 20 or group.events().task_refusals > 0)
    group.kill()
    await until(lambda: not group.processes())
    await group.remove()
