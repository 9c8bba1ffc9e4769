"""Throw-away directories are deleted, also those of processes that were killed."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from stockade.scratch import Scratch, _reached, reaches, sweep
from tests.support.leaks import descriptors
from tests.support.waiting import until

USER = 61001


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def age(path: Path) -> None:
    old = time.time() - 3600
    os.utime(path, (old, old))


def test_it_is_private_and_can_be_removed_twice(place: Path) -> None:
    profile = Scratch(USER)
    assert profile.path.parent == place
    assert profile.path.stat().st_mode & 0o777 == 0o700
    if os.geteuid() == 0:
        assert profile.path.stat().st_uid == USER
    profile.remove()
    profile.remove()
    assert list(place.iterdir()) == []


def test_one_that_is_still_written_to_is_deleted_all_the_same(place: Path) -> None:
    """The children of a killed browser die a moment after it."""
    scratch = Scratch()
    writing = threading.Event()

    def write() -> None:
        number = 0
        while scratch.path.exists() and number < 500:
            number += 1
            with suppress(OSError):
                (scratch.path / str(number)).mkdir()
                (scratch.path / str(number) / "file").touch()
            writing.set()

    writer = threading.Thread(target=write)
    writer.start()
    writing.wait()
    scratch.remove()
    writer.join()
    assert list(place.iterdir()) == []


async def test_one_is_reached_behind_a_closed_door_and_no_other_way(place: Path) -> None:
    inner = place / "closed" / "scratch"
    inner.mkdir(parents=True)
    inner.parent.chmod(0o700)
    inner.chmod(0o700)
    _reached.clear()
    # A directory that does not let its own user pass is no way.
    assert await reaches(USER, inner) is (os.geteuid() != 0)
    inner.chmod(0o711)
    _reached.clear()
    assert await reaches(USER, inner)
    assert list(inner.iterdir()) == []


@pytest.mark.parametrize("turns", [1, 2, 50])
async def test_whoever_stops_waiting_for_one_leaves_none(place: Path, turns: int) -> None:
    removed = []

    class Watched(Scratch):
        def remove(self) -> None:
            super().remove()
            removed.append(self)

    async def made() -> None:
        (await Watched.made(USER)).remove()

    for _ in range(20):
        async with asyncio.TaskGroup() as group:
            making = group.create_task(made())
            for _ in range(turns):
                await asyncio.sleep(0)
            making.cancel()
    await until(lambda: len(removed) == 20)
    assert list(place.iterdir()) == []
    assert not any(str(place) in target for target in descriptors().values())


def test_without_a_uid_it_is_ours_alone(place: Path) -> None:
    ours = Scratch()
    assert ours.path.stat().st_uid == os.geteuid()
    ours.remove()


def test_only_the_dead_are_swept(place: Path) -> None:
    living = Scratch(USER)
    age(living.path)
    dead = place / "stockade-browser-dead"
    dead.mkdir()
    (dead / "Cookies").write_text("x", encoding="utf-8")
    unborn = place / "stockade-unborn-young"
    unborn.mkdir()
    stillborn = place / "stockade-unborn-old"
    stillborn.mkdir()
    age(stillborn)
    target = place / "elsewhere"
    target.mkdir()
    (place / "stockade-browser-link").symlink_to(target)
    (place / "stockade-browser-file").touch()
    foreign = place / "somebody-else"
    foreign.mkdir()
    assert sweep() == 2
    assert not dead.exists()
    assert not stillborn.exists()
    for left in (living.path, unborn, target, foreign, place / "stockade-browser-file"):
        assert left.exists()
    assert sweep() == 0
    living.remove()


def test_whatever_can_be_found_is_locked(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no moment at which a sweep could take a new directory for an abandoned one."""
    seen = []

    def locking(descriptor: int, operation: int) -> None:
        seen.append([path.name for path in place.glob("stockade-browser-*")])
        real(descriptor, operation)

    real = fcntl.flock
    monkeypatch.setattr(fcntl, "flock", locking)
    scratch = Scratch(USER)
    assert seen == [[]]
    assert sweep() == 0
    assert scratch.path.exists()
    scratch.remove()


OWNER = """import signal, sys
from stockade.scratch import Scratch
scratch = Scratch(61001)
print(scratch.path, flush=True)
signal.pause()
"""


async def test_a_killed_owner_s_is_swept_at_once(place: Path) -> None:
    owner = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        OWNER,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(place)},
    )
    assert owner.stdout is not None
    path = Path((await owner.stdout.readline()).decode().strip())
    assert sweep() == 0
    owner.send_signal(signal.SIGKILL)
    await owner.wait()
    assert path.exists()
    assert sweep() == 1
    assert not path.exists()


async def test_it_cannot_be_given_to_a_uid_that_is_none(place: Path) -> None:
    root_of_nobody = ("unshare", "--user", "--map-root-user", sys.executable, "-c", OWNER)
    owner = await asyncio.create_subprocess_exec(
        *root_of_nobody,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(place)},
    )
    _, said = await owner.communicate()
    assert b"LaunchFailed: uid 61001, which browsers run as, is none here" in said
    assert list(place.iterdir()) == []


def test_its_files_are_opened_and_nothing_else(place: Path) -> None:
    scratch = Scratch(USER)
    path = scratch.path
    real = path / "real"
    real.write_text("content", encoding="utf-8")
    if os.geteuid() == 0:
        os.chown(real, USER, USER)
    with os.fdopen(scratch.open_file("real")) as file:
        assert file.read() == "content"
    (path / "folder").mkdir()
    (path / "folder" / "inner").touch()
    (path / "link").symlink_to(real)
    os.mkfifo(path / "fifo")
    for name in (
        "link",
        "folder",
        "fifo",
        "absent",
        "folder/inner",
        "../elsewhere",
        ".",
        "",
        str(real),
    ):
        with pytest.raises(OSError):
            os.close(scratch.open_file(name))
    scratch.remove()


@pytest.mark.skipif(os.geteuid() != 0, reason="a file of another uid takes root")
def test_a_file_that_its_user_did_not_make_is_not_opened(place: Path) -> None:
    scratch = Scratch(USER)
    (scratch.path / "ours").write_text("secret", encoding="utf-8")
    with pytest.raises(FileNotFoundError):
        scratch.open_file("ours")
    scratch.remove()


def test_files_can_be_discarded(place: Path) -> None:
    scratch = Scratch(USER)
    (scratch.path / "a").touch()
    outside = place / "b"
    outside.touch()
    (scratch.path / "link").symlink_to(outside)
    for name in ("a", "a", "link", "../b", str(outside)):
        scratch.discard(name)
    assert list(scratch.path.iterdir()) == []
    assert outside.exists()
    scratch.remove()
    scratch.discard("a")
