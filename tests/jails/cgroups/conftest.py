"""What the tests of control groups share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from stockade.jails.cgroups import Groups
from stockade.processes import Process, spawn
from tests.jails.cgroups.machines import Simulated, corner, real

Start = Callable[..., Process]


@pytest.fixture
def groups(tmp_path: Path) -> Iterator[Groups]:
    """Those of this machine, in a corner of it."""
    if not real():
        pytest.skip("this machine does not let us make control groups")
    with corner(tmp_path) as proc:
        yield Groups.found(proc)


@pytest.fixture
def simulated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Simulated:
    return Simulated(tmp_path, monkeypatch)


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Start programs that end with the test."""
    started: list[Process] = []

    def begin(*argv: str, descriptors: dict[int, int] | None = None) -> Process:
        process = spawn(argv, environment={"PATH": "/usr/bin:/bin"}, descriptors=descriptors)
        started.append(process)
        return process

    yield begin
    for each in started:
        each.kill()
        await each.end(0)
