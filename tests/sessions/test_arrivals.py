"""Whatever appears in a directory is told."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from stockade.sessions.arrivals import Arrivals
from tests.sessions.ground import until


@pytest.fixture
async def arrivals() -> AsyncIterator[Arrivals]:
    arrivals = Arrivals()
    yield arrivals
    arrivals.close()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield descriptor
    os.close(descriptor)


async def test_what_is_made_and_what_is_moved_here(
    arrivals: Arrivals, opened: int, tmp_path: Path
) -> None:
    told: list[str] = []
    off = arrivals.watch(opened, told.append)
    (tmp_path / "a.part").touch()
    (tmp_path / "a.part").rename(tmp_path / "a")
    (tmp_path / "übung").mkdir()
    await until(lambda: len(told) == 3)
    assert told == ["a.part", "a", "übung"]
    off()
    off()
    (tmp_path / "late").touch()
    other: list[str] = []
    arrivals.watch(opened, other.append)
    (tmp_path / "later").touch()
    await until(lambda: other == ["later"])
    assert len(told) == 3


async def test_several_are_told_apart(arrivals: Arrivals, tmp_path: Path) -> None:
    told: list[tuple[int, str]] = []
    descriptors = []

    def teller(number: int) -> Callable[[str], None]:
        return lambda name: told.append((number, name))

    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        descriptors.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
        arrivals.watch(descriptors[-1], teller(number))
    for number in (2, 0, 1):
        (tmp_path / str(number) / "file").touch()
    await until(lambda: len(told) == 3)
    assert told == [(2, "file"), (0, "file"), (1, "file")]
    for descriptor in descriptors:
        os.close(descriptor)


async def test_a_directory_that_was_moved_is_still_the_one(
    arrivals: Arrivals, opened: int, tmp_path: Path
) -> None:
    told: list[str] = []
    moved = tmp_path.with_name("moved")
    tmp_path.rename(moved)
    tmp_path.mkdir()
    arrivals.watch(opened, told.append)
    (tmp_path / "false").touch()
    (moved / "real").touch()
    await until(lambda: told)
    assert told == ["real"]
    (moved / "real").unlink()
    moved.rmdir()


async def test_what_cannot_be_watched_is_not_watched(arrivals: Arrivals) -> None:
    off = arrivals.watch(-1, lambda _: pytest.fail("nothing can come"))
    off()
