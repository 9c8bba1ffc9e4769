"""What is done to a group through the files of its directories, one in each hierarchy."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

__all__ = ["add", "discard", "kill", "make", "members", "processes", "remove", "write"]

_PROCESSES = "cgroup.procs"
_ROUNDS = 64
"""In which what is being killed may have started others."""


def write(file: Path, text: str) -> None:
    """Write to a file of the kernel's; one that is not there is not made."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode("ascii"))
    finally:
        os.close(descriptor)


def make(directory: Path) -> None:
    """Make a group, unless it is there."""
    # Path.mkdir(exist_ok=True) looks again, and fails if another has removed it meanwhile.
    with suppress(FileExistsError):
        directory.mkdir()


def discard(directory: Path) -> None:
    """Remove a group that nothing is in."""
    directory.rmdir()


def add(directory: Path, pid: int) -> None:
    """Put a process in; what it starts from now on is in there too."""
    write(directory / _PROCESSES, str(pid))


def members(directory: Path) -> set[int]:
    """What is in this very group; 0 stands for those that have no number in our pid namespace."""
    return {int(line) for line in (directory / _PROCESSES).read_text(encoding="ascii").split()}


def processes(directories: Iterable[Path]) -> set[int]:
    """What runs in any of them, or below it."""
    found: set[int] = set()
    for each in directories:
        for directory in _below(each):
            with suppress(OSError):
                found |= members(directory)
    # To signal 0 would be to signal ourselves.
    return found - {0}


def kill(directories: Iterable[Path]) -> None:
    """Kill everything in them, with whatever it has started meanwhile."""
    places = list(directories)
    for each in places:
        if not _told(each / "cgroup.kill", "1"):
            # Nothing new may begin while we go through what is there.
            for directory in _below(each):
                _told(directory / "pids.max", "0")
    seen: set[int] = set()
    for _ in range(_ROUNDS):
        new = processes(places) - seen
        if not new:
            return
        for pid in new:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        seen |= new


def remove(directories: Iterable[Path]) -> bool:
    """Remove what is empty; whether nothing is left."""
    left = False
    for each in directories:
        for directory in _below(each):
            try:
                discard(directory)
            except FileNotFoundError:
                continue
            except OSError:
                left = True
    return not left


def _below(directory: Path) -> list[Path]:
    """It and every group in it, the innermost first."""
    return [Path(found) for found, _, _ in os.walk(directory, topdown=False)]


def _told(file: Path, text: str) -> bool:
    try:
        write(file, text)
    except OSError:
        return False
    return True
