"""The hierarchies of control groups that this machine lets us make groups in."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from stockade.jails.cgroups import directories
from stockade.jails.cgroups.dialects import CONTROLLERS, V1, V2, Dialect

__all__ = ["Hierarchy", "look"]

_LEAF = "supervisor"
"""Where a server goes that sits in the group it divides: in the second version, a group that hands
its controllers on holds groups, and no processes."""

_NOT_MOUNTED = (
    "no control groups are mounted here. Mount cgroup2 at /sys/fs/cgroup; "
    "in a container, start it with its own writable /sys/fs/cgroup"
)
_NOT_OURS = (
    "control groups are mounted, but this process may not make any. Start the server with "
    "`systemd-run --user --scope -p Delegate=yes`, as a service with Delegate=yes, or as root; "
    "in a container, mount /sys/fs/cgroup writable"
)
_NOT_HANDED_ON = (
    "the controller {controller} is not handed on to us. For a user's services: "
    "`systemctl edit user@.service`, with Delegate=cpu memory pids under [Service]"
)
_SHARED = (
    "processes that are not the server's are in the control group it would divide. Start it in a "
    "group of its own: `systemd-run --user --scope -p Delegate=yes`"
)


@dataclass(frozen=True)
class Hierarchy:
    """A tree of groups, and the group of it in which we make our own."""

    dialect: Dialect
    place: Path
    keeps: frozenset[str]
    """Which of the limits it can keep."""

    def hand_on(self, *below: Path) -> None:
        """See that groups in our place, and in these below it, can have limits."""
        if self.dialect is not V2 or not self.keeps:
            return
        for group in (self.place, *below):
            absent = {CONTROLLERS[each] for each in self.keeps} - _words(_handed_on(group))
            if not absent:
                continue
            _hand_on(group, absent)


def look(proc: Path) -> tuple[list[Hierarchy], dict[str, str]]:
    """What can be used here, and why each of the other limits cannot be kept; nothing is changed.

    `proc` is where /proc is mounted.
    """
    own = dict(_own(proc))
    found: list[Hierarchy] = []
    kept: set[str] = set()
    missing = dict.fromkeys(CONTROLLERS, _NOT_MOUNTED)
    # The second version first: what it keeps need not be asked of the first.
    for mount in sorted(_mounts(proc), key=lambda each: each.dialect is V1):
        wanted = mount.offers - kept
        place = _writable(mount, own)
        if not wanted or any(each.dialect is mount.dialect is V2 for each in found):
            continue
        if place is None:
            missing.update(dict.fromkeys(wanted, _NOT_OURS))
            continue
        keeps, lacks = _kept(mount, place, wanted, proc)
        missing.update(lacks)
        kept |= keeps
        if keeps or mount.dialect is V2:
            found.append(Hierarchy(mount.dialect, place, frozenset(keeps)))
    return found, {what: why for what, why in missing.items() if what not in kept}


@dataclass(frozen=True)
class _Mount:
    dialect: Dialect
    root: PurePosixPath
    """The group that is to be seen at its top."""
    point: Path
    offers: frozenset[str]
    controller: str
    """By which the group of a process is found; the second version has no name for it."""


def _mounts(proc: Path) -> Iterator[_Mount]:
    for line in (proc / "self/mountinfo").read_text(encoding="utf-8").splitlines():
        before, _, after = line.partition(" - ")
        root, point = (_plain(each) for each in before.split(" ")[3:5])
        kind, _, options = after.split(" ", 2)
        if kind == "cgroup2":
            yield _Mount(V2, PurePosixPath(root), Path(point), frozenset(CONTROLLERS), "")
        elif kind == "cgroup":
            named = set(options.split(","))
            offers = frozenset(what for what, name in CONTROLLERS.items() if name in named)
            if offers:
                first = CONTROLLERS[min(offers)]
                yield _Mount(V1, PurePosixPath(root), Path(point), offers, first)


def _plain(text: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, character)
    return text


def _own(proc: Path) -> Iterator[tuple[str, PurePosixPath]]:
    """Our own group in each hierarchy."""
    for line in (proc / "self/cgroup").read_text(encoding="utf-8").splitlines():
        _, controllers, path = line.split(":", 2)
        for each in controllers.split(","):
            yield each, PurePosixPath(path)


def _writable(mount: _Mount, own: Mapping[str, PurePosixPath]) -> Path | None:
    """The topmost group above us, or our own, in which we may make groups.

    There the next server finds what this one has left, wherever it was started.
    """
    ours = own.get(mount.controller, mount.root)
    ours = ours.relative_to(mount.root) if ours.is_relative_to(mount.root) else PurePosixPath()
    for place in reversed([mount.point / ours, *(mount.point / up for up in ours.parents)]):
        if os.access(place, os.W_OK | os.X_OK) and os.access(place / "cgroup.procs", os.W_OK):
            return place
    return None


def _kept(
    mount: _Mount, place: Path, wanted: frozenset[str], proc: Path
) -> tuple[set[str], dict[str, str]]:
    """Which of these a place can keep, and why not the others."""
    if mount.dialect is V1:
        return set(wanted), {}
    offered = _words(place / "cgroup.controllers")
    handed_on = _words(_handed_on(place))
    free = _is_root(place) or _all_kin(directories.members(place), proc)
    keeps, lacks = set(), {}
    for what in wanted:
        controller = CONTROLLERS[what]
        if controller not in offered:
            lacks[what] = _NOT_HANDED_ON.format(controller=controller)
        elif controller not in handed_on and not free:
            lacks[what] = _SHARED
        else:
            keeps.add(what)
    return keeps, lacks


def _handed_on(group: Path) -> Path:
    return group / "cgroup.subtree_control"


def _words(file: Path) -> set[str]:
    return set(file.read_text(encoding="ascii").split())


def _is_root(group: Path) -> bool:
    """Whether it is the one group that may hold processes and hand on its controllers as well."""
    return not (group / "cgroup.type").exists()


def _hand_on(group: Path, controllers: set[str]) -> None:
    text = " ".join(f"+{each}" for each in sorted(controllers))
    for last in (False, False, False, True):
        if not _is_root(group):
            _clear(group)
        try:
            directories.write(_handed_on(group), text)
        except OSError as error:
            # What we have moved may have started another meanwhile.
            if error.errno != errno.EBUSY or last:
                raise
        else:
            return


def _clear(group: Path) -> None:
    """Move what is in a group into a leaf of it."""
    inside = directories.members(group)
    if inside:
        leaf = group / _LEAF
        directories.make(leaf)
        for pid in inside:
            with suppress(ProcessLookupError):
                directories.add(leaf, pid)


def _all_kin(pids: set[int], proc: Path) -> bool:
    """Whether they are all ours: above us, ourselves, and below us."""
    own = int((proc / "self/stat").read_text(encoding="utf-8").split(" ", 1)[0])
    above = set(_line(own, proc))
    return all(pid in above or own in _line(pid, proc) for pid in pids)


def _line(pid: int, proc: Path) -> Iterator[int]:
    """A process, its parent, and so on."""
    while pid:
        yield pid
        try:
            text = (proc / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        pid = int(text.rpartition(")")[2].split()[1])
