"""Children: started with exactly what they are given, ended as a whole."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from stockade.errors import LaunchFailed
from stockade.processes import closed_above, read_pipe, spawn, unprivileged
from tests.support.leaks import alive
from tests.support.waiting import until

SHELL = "/bin/sh"


async def test_a_child_gets_its_descriptors_its_environment_and_nothing_else() -> None:
    read, write = os.pipe()
    process = spawn(
        [SHELL, "-c", "echo $ONLY >&7; env | wc -l >&7; ls /proc/self/fd | tr '\\n' ' ' >&7"],
        environment={"ONLY": "this", "PATH": "/usr/bin:/bin"},
        descriptors={7: write},
    )
    os.close(write)
    assert await process.end(5) == 0
    with os.fdopen(read, encoding="utf-8") as pipe:
        only, count, descriptors = pipe.read().splitlines()
    assert only == "this"
    assert int(count) <= 4
    # Input, output, errors, ours, and the one `ls` looks with.
    assert set(descriptors.split()) <= {"0", "1", "2", "3", "7"}


async def test_the_whole_group_is_killed() -> None:
    read, write = os.pipe()
    process = spawn(
        [SHELL, "-c", "sleep 600 & echo $! >&7; wait"],
        environment={"PATH": "/usr/bin:/bin"},
        descriptors={7: write},
    )
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as pipe:
        grandchild = int(await asyncio.to_thread(pipe.readline))
    assert alive(grandchild)
    assert await process.end(0.01) == -signal.SIGKILL
    async with asyncio.timeout(5):
        while alive(grandchild):
            await asyncio.to_thread(os.sched_yield)


async def test_a_grandchild_does_not_outlive_a_child_that_ends_by_itself() -> None:
    read, write = os.pipe()
    process = spawn(
        [SHELL, "-c", "sleep 600 & echo $! >&7"],
        environment={"PATH": "/usr/bin:/bin"},
        descriptors={7: write},
    )
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as pipe:
        grandchild = int(await asyncio.to_thread(pipe.readline))
    assert await process.end(5) == 0
    async with asyncio.timeout(5):
        while alive(grandchild):
            await asyncio.to_thread(os.sched_yield)


async def test_the_tail_of_its_errors_is_kept() -> None:
    process = spawn(
        [SHELL, "-c", "for i in $(seq 100); do echo line $i >&2; done; exit 3"],
        environment={"PATH": "/usr/bin:/bin"},
    )
    assert await process.wait() == 3
    text = process.error_output
    assert text.splitlines()[-1] == "line 100"
    assert "line 1\n" not in text
    await process.end(0)


async def test_a_line_that_comes_in_pieces_is_one() -> None:
    read, write = os.pipe()
    process = spawn(
        [SHELL, "-c", "printf 'one ' >&2; read line <&7; echo two >&2"],
        environment={"PATH": "/usr/bin:/bin"},
        descriptors={7: read},
    )
    os.close(read)
    await until(lambda: process.error_output == "one ")
    os.close(write)
    await process.wait()
    assert process.error_output == "one two"
    await process.end(0)


async def test_what_cannot_be_started_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(LaunchFailed):
        spawn([str(tmp_path / "nothing")], environment={})
    text = tmp_path / "text"
    text.write_text("not a program", encoding="utf-8")
    text.chmod(0o755)
    with pytest.raises(LaunchFailed):
        spawn([str(text)], environment={})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has privileges to drop")
async def test_root_drops_its_privileges() -> None:
    read, write = os.pipe()
    process = spawn(
        unprivileged([SHELL, "-c", "id -u >&7; id -G >&7"], 61001),
        environment={"PATH": "/usr/bin:/bin"},
        descriptors={7: write},
    )
    os.close(write)
    assert await process.end(5) == 0
    with os.fdopen(read, encoding="utf-8") as pipe:
        assert pipe.read().split() == ["61001", "61001"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has privileges to drop")
async def test_a_child_sees_its_own_place_behind_a_closed_door_and_nothing_beside(
    tmp_path: Path,
) -> None:
    closed = tmp_path / "closed"
    within = closed / "scratch" / "own"
    within.mkdir(parents=True)
    closed.chmod(0o700)
    within.parent.chmod(0o711)
    os.chown(within, 61001, 61001)
    (closed / "key").write_text("secret", encoding="utf-8")
    assert closed_above(within.parent, 61001) in (closed, *closed.parents)
    script = f"pwd >&7; ls {closed} >&7 2>&1; cat {closed}/key >&7 2>&1; echo new > {within}/file"
    read, write = os.pipe()
    process = spawn(
        unprivileged([SHELL, "-c", script], 61001, within=within),
        environment={"PATH": "/usr/bin:/bin"},
        descriptors={7: write},
    )
    os.close(write)
    assert await process.end(5) == 0, process.error_output
    with os.fdopen(read, encoding="utf-8") as pipe:
        place, listed, read_key = pipe.read().splitlines()
    assert place == str(within)
    assert listed == "scratch"
    assert "No such file" in read_key
    assert (within / "file").read_text(encoding="utf-8") == "new\n"
    assert str(closed) not in Path("/proc/self/mounts").read_text(encoding="utf-8")


async def test_no_more_is_read_of_a_child_than_is_wanted() -> None:
    for wanted, found in ((5, b"abcde"), (100, b"abcdefgh")):
        ours, theirs = os.pipe()
        script = "printf abc; sleep 0; printf defgh"
        child = spawn([SHELL, "-c", script], environment={}, descriptors={1: theirs})
        os.close(theirs)
        assert await read_pipe(ours, wanted) == found
        await child.end(5)
