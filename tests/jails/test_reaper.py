"""Nothing is left of a server that was killed: with real servers, real groups and real kills."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from stockade.jails.cgroups import Groups, Limits, directories
from stockade.jails.reaper import Janitor, Reaped, reap
from stockade.processes import Process, spawn
from tests.jails.cgroups.machines import corner, proc_of, real
from tests.support.leaks import alive, descendants
from tests.support.waiting import WAIT_SECONDS, until

JAILS = ("aaaa", "bbbb")

SERVER = f"""
import asyncio, os, sys
from pathlib import Path
from stockade.jails.cgroups import Groups, Limits
from stockade.jails.reaper import Janitor
from stockade.processes import spawn

async def main():
    groups = Groups.found(Path(sys.argv[1]))
    janitor = Janitor(groups)
    janitor.start()
    sleepers = []
    for jail in {JAILS!r}:
        group = groups.create(jail, Limits(tasks=50))
        held, go = os.pipe()
        script = "read _ <&7; sleep 600 & setsid sleep 600 & wait"
        shell = spawn(["/bin/sh", "-c", script], environment={{"PATH": "/usr/bin:/bin"}},
                      descriptors={{7: held}})
        group.add(shell.pid)
        os.close(held)
        os.close(go)
        sleepers.append(shell)
    Path(sys.argv[2]).write_text(f"{{janitor.pid}} {{groups.name}}\\n")
    await asyncio.to_thread(sys.stdin.read)
    await janitor.close()
    for each in sleepers:
        await each.end(0)

asyncio.run(main())
"""


@pytest.fixture
def proc(tmp_path: Path) -> Iterator[Path]:
    if not real():
        pytest.skip("this machine does not let us make control groups")
    with corner(tmp_path) as proc:
        yield proc


@pytest.fixture
def groups(proc: Path) -> Groups:
    return Groups.found(proc)


@dataclass
class Server:
    """A server with two jails, in each of which three processes run."""

    process: Process
    said: Path
    pipe: int
    janitor: int = 0
    places: list[Path] = field(default_factory=list)

    def heard(self, tops: list[Path]) -> bool:
        """Whether everything of it runs."""
        assert self.process.alive, self.process.error_output
        if not self.said.exists() or not (said := self.said.read_text().split()):
            return False
        self.janitor = int(said[0])
        self.places = [each / said[1] for each in tops]
        return len(self.jailed) == 6

    @property
    def jailed(self) -> set[int]:
        return directories.processes(self.places)

    @property
    def gone(self) -> bool:
        return not any(each.exists() for each in self.places)

    async def end(self) -> int:
        """Let it end in order."""
        with suppress(OSError):
            os.close(self.pipe)
        return await self.process.end(WAIT_SECONDS)


@pytest.fixture
async def servers(groups: Groups, tmp_path: Path) -> AsyncIterator[list[Server]]:
    """Two servers on one machine."""
    found = [_start(tmp_path, tmp_path / name) for name in ("one", "other")]
    try:
        for each in found:
            await until(lambda each=each: each.heard(groups.places))  # type: ignore[misc]
        yield found
    finally:
        for each in found:
            await each.end()
            directories.kill(each.places)
            await until(lambda each=each: directories.remove(each.places))  # type: ignore[misc]


def _start(folder: Path, said: Path) -> Server:
    theirs, ours = os.pipe()
    process = spawn(
        [sys.executable, "-c", SERVER, str(folder / "proc"), str(said)],
        environment={},
        descriptors={0: theirs},
    )
    os.close(theirs)
    return Server(process, said, ours)


async def test_the_janitor_leaves_nothing_of_a_killed_server(
    servers: list[Server], groups: Groups
) -> None:
    killed, other = servers
    jailed = killed.jailed
    assert len(jailed) == len(other.jailed) == 6
    # What a terminal sends to everything that was started from it does not reach the janitor.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(killed.janitor, number)
    os.kill(killed.process.pid, signal.SIGKILL)
    await until(lambda: killed.gone and not any(map(alive, jailed)))
    await until(lambda: not alive(killed.janitor))
    assert await asyncio.to_thread(reap, groups) == []
    assert len(other.jailed) == 6
    assert alive(other.janitor)


async def test_the_janitor_is_in_none_of_the_groups(servers: list[Server]) -> None:
    for each in servers:
        assert each.janitor not in each.jailed
        assert os.getsid(each.janitor) == each.janitor


async def test_without_the_janitor_the_next_server_finds_and_lists_what_is_left(
    servers: list[Server], groups: Groups
) -> None:
    killed, other = servers
    jailed = killed.jailed
    os.kill(killed.janitor, signal.SIGKILL)
    await until(lambda: not alive(killed.janitor))
    os.kill(killed.process.pid, signal.SIGKILL)
    await killed.process.wait()
    assert killed.jailed
    with ThreadPoolExecutor(3) as pool:
        # Three that begin at once: one of them does it.
        work = [asyncio.wrap_future(pool.submit(reap, groups)) for _ in range(3)]
        found = [each for some in await asyncio.gather(*work) for each in some]
    (reaped,) = found
    assert (reaped.server, reaped.jails) == (killed.process.pid, JAILS)
    # A process group dies with its first process, so that at least those that had left it remain.
    assert 2 <= reaped.processes <= 6
    assert killed.gone
    await until(lambda: not any(map(alive, jailed)))
    assert reap(groups) == []
    assert len(other.jailed) == 6


async def test_a_server_that_ends_in_order_leaves_nothing_for_the_janitor(
    servers: list[Server],
) -> None:
    for each in servers:
        assert await each.end() == 0, each.process.error_output
        assert each.gone
        await until(lambda each=each: not alive(each.janitor))  # type: ignore[misc]


async def test_the_janitor_does_nothing_after_an_orderly_end(groups: Groups) -> None:
    janitor, other = Janitor(groups), Groups(groups._hierarchies, {})
    janitor.start()
    janitor.start()
    assert janitor.pid is not None
    group = other.create("aaaa", Limits())
    sleeper = spawn(["/bin/sleep", "600"], environment={})
    group.add(sleeper.pid)
    await janitor.close()
    await janitor.close()
    assert janitor.pid is None
    assert group.processes() == [sleeper.pid]
    group.kill()
    await sleeper.end(WAIT_SECONDS)
    await group.remove()


async def test_a_janitor_that_was_killed_is_no_hindrance(groups: Groups) -> None:
    janitor = Janitor(groups)
    janitor.start()
    assert janitor.pid is not None
    os.kill(janitor.pid, signal.SIGKILL)
    await until(lambda: janitor.pid is None)
    await janitor.close()


async def test_where_there_are_no_groups_there_is_no_janitor(tmp_path: Path) -> None:
    before = descendants(os.getpid())
    janitor = Janitor(Groups.found(proc_of(tmp_path, [], [])))
    janitor.start()
    assert janitor.pid is None
    assert descendants(os.getpid()) == before
    await janitor.close()


def test_a_server_whose_process_we_cannot_see_is_left_alone(groups: Groups) -> None:
    place = groups.places[0] / "stockade-4000000-1"
    (place / "cccc").mkdir(parents=True)
    lock = os.open(place, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_SH)
    assert reap(groups) == []
    os.close(lock)
    assert reap(groups) == [Reaped(4_000_000, ("cccc",), 0)]
    assert reap(groups) == []


def test_what_only_looks_like_a_servers_is_left_alone(groups: Groups) -> None:
    names = ("stockade-tests-1", "stockade-12", "stockade-1-2-3")
    for name in names:
        (groups.places[0] / name).mkdir()
    assert reap(groups) == []
    for name in names:
        (groups.places[0] / name).rmdir()
