"""Machines for control groups: a corner of this one, and one that has the second version alone."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import pytest

from stockade.jails.cgroups import directories, hierarchies
from stockade.jails.cgroups.dialects import CONTROLLERS

PROC = Path("/proc")
FILES = {
    "memory": ("memory.max", "memory.swap.max", "memory.events"),
    "pids": ("pids.max", "pids.events"),
    "cpu": ("cpu.max", "cpu.stat"),
}
"""What each controller adds to a group of the second version."""


def proc_of(folder: Path, mounts: list[str], own: list[str]) -> Path:
    """A /proc that says this of the process that looks."""
    proc = folder / "proc"
    (proc / "self").mkdir(parents=True, exist_ok=True)
    (proc / "self/mountinfo").write_text("".join(f"{line}\n" for line in mounts))
    (proc / "self/cgroup").write_text("".join(f"{line}\n" for line in own))
    (proc / "self/stat").write_text(f"{os.getpid()} (server) S {os.getppid()} 1\n")
    for pid in (os.getpid(), os.getppid()):
        with suppress(FileExistsError):
            (proc / str(pid)).symlink_to(PROC / str(pid))
    return proc


def real() -> bool:
    """Whether groups can be made here at all."""
    found, _ = hierarchies.look(PROC)
    return {"memory", "tasks", "cpu"} <= {what for each in found for what in each.keeps}


@contextmanager
def corner(folder: Path) -> Iterator[Path]:
    """A group of our own in every hierarchy of this machine, seen as if it were the topmost.

    No server that is started meanwhile reaps in there.
    """
    found, _ = hierarchies.look(PROC)
    name = f"stockade-tests-{os.getpid()}-x{uuid4().hex[:8]}"
    mounts = []
    for number, each in enumerate(found):
        place = each.place / name
        place.mkdir()
        kind = "cgroup" if each.dialect.version == 1 else "cgroup2"
        offers = ",".join(sorted(CONTROLLERS[what] for what in each.keeps))
        mounts.append(f"{number} 1 0:{number} / {place} rw - {kind} {kind} rw,{offers}")
        if each.keeps:
            each.hand_on()
    try:
        yield proc_of(folder, mounts, ["0::/", "1:memory:/", "2:pids:/", "3:cpu:/"])
    finally:
        for each in found:
            (each.place / name).rmdir()


class Simulated:
    """A machine with the second version alone, as far as its files go.

    It cannot be had here: whether a kernel keeps the limits that are written is not shown by it.
    """

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.root = folder / "cgroup"
        self._folder = folder
        for name in ("write", "make", "discard"):
            patch.setattr(directories, name, getattr(self, name))
        self.root.mkdir()
        self._fill(self.root, {"memory", "pids", "cpu"})

    def proc(self, own: str) -> Path:
        mount = f"30 24 0:26 / {self.root} rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate"
        return proc_of(self._folder, [mount], [f"0::{own}"])

    def group(self, name: str, *members: int, hands_on: str = "", sealed: bool = False) -> Path:
        """Make a group that was there before us."""
        place = self.root / name
        self.make(place)
        (place / "cgroup.procs").write_text("".join(f"{each}\n" for each in members))
        (place / "cgroup.subtree_control").write_text(hands_on)
        if sealed:
            place.chmod(0o555)
        return place

    # --- as the kernel does ---------------------------------------------------------------------

    def write(self, file: Path, text: str) -> None:
        if not file.is_file():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        group = file.parent
        if file.name == "cgroup.subtree_control":
            wanted = {each.removeprefix("+") for each in text.split()}
            if not wanted <= set((group / "cgroup.controllers").read_text().split()):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            if group != self.root and directories.members(group):
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
            text = " ".join(sorted({*file.read_text().split(), *wanted}))
            for below in group.glob("*/"):
                self._fill(below, set(text.split()))
        elif file.name == "cgroup.procs":
            for other in self.root.rglob("cgroup.procs"):
                rest = directories.members(other.parent) - {int(text)}
                other.write_text("".join(f"{each}\n" for each in rest))
            text = "".join(f"{each}\n" for each in {*directories.members(group), int(text)})
        elif file.name == "cgroup.kill":
            for below in group.rglob("cgroup.procs"):
                below.write_text("")
        file.write_text(text)

    def make(self, group: Path) -> None:
        if not group.is_dir():
            group.mkdir()
            (group / "cgroup.type").write_text("domain\n")
            self._fill(group, set((group.parent / "cgroup.subtree_control").read_text().split()))

    def discard(self, group: Path) -> None:
        if any(each.is_dir() for each in group.iterdir()) or directories.members(group):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        for each in group.iterdir():
            each.unlink()
        group.rmdir()

    def _fill(self, group: Path, controllers: set[str]) -> None:
        (group / "cgroup.controllers").write_text(" ".join(sorted(controllers)))
        names = [name for controller in controllers for name in FILES[controller]]
        for name in ("cgroup.subtree_control", "cgroup.procs", "cgroup.kill", *names):
            (group / name).touch()
