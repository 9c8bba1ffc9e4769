"""The control groups of a server: one of its own in each hierarchy, and in it one for each jail."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from stockade.errors import LaunchFailed
from stockade.jails.cgroups import directories
from stockade.jails.cgroups.dialects import Limits
from stockade.jails.cgroups.group import Group
from stockade.jails.cgroups.hierarchies import Hierarchy, look

__all__ = ["Groups", "owner", "started"]

_PROC = Path("/proc")
_NAME = re.compile(r"stockade-(\d+)-(\d+)")
_TRIES = 10


def started(pid: int) -> int | None:
    """When a process was started, in the kernel's ticks; nothing where it runs no more."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else int(fields[19])


def owner(name: str) -> tuple[int, int] | None:
    """The process a server's group is named after, and when that was started."""
    found = _NAME.fullmatch(name)
    return (int(found[1]), int(found[2])) if found else None


class Groups:
    """What this machine lets us limit, and the groups that we have made."""

    def __init__(self, hierarchies: Sequence[Hierarchy], missing: Mapping[str, str]) -> None:
        self._hierarchies = hierarchies
        self.missing = dict(missing)
        """Which limits cannot be kept here, why, and what to do about it."""
        self.name = f"stockade-{os.getpid()}-{started(os.getpid())}"
        self._guard = threading.Lock()
        self._jails: dict[str, Group] = {}
        self._locks: list[int] = []

    @classmethod
    def found(cls, proc: Path = _PROC) -> Groups:
        """Those of this machine, or of the one whose /proc is given."""
        return cls(*look(proc))

    @property
    def holds(self) -> frozenset[str]:
        """Which of the limits `memory`, `tasks` and `cpu` can be kept here."""
        return frozenset().union(*(each.keeps for each in self._hierarchies))

    @property
    def places(self) -> list[Path]:
        """The directories in which servers make their groups."""
        return [each.place for each in self._hierarchies]

    @property
    def own(self) -> list[Path]:
        """The directories of this server, which are there while it has jails."""
        return [each / self.name for each in self.places]

    def create(self, jail: str, limits: Limits) -> Group:
        """A group for a jail; what cannot be limited here is not."""
        places = [each / jail for each in self.own]
        keepers = {
            what: (each.dialect, place)
            for each, place in zip(self._hierarchies, places, strict=True)
            for what in each.keeps
        }
        group = Group(jail, places, keepers, partial(self._removed, jail))
        with self._guard:
            self._jails[jail] = group
            try:
                self._make(places)
                group.limit(limits)
            except OSError as error:
                directories.remove(places)
                self._leave(jail)
                raise _failure(error) from error
        return group

    async def close(self) -> None:
        """Remove whatever is left, with what runs in it."""
        for each in list(self._jails.values()):
            await each.remove()

    def _make(self, places: list[Path]) -> None:
        for _ in range(_TRIES):
            # What another who shares our name has removed meanwhile is made again.
            with suppress(FileNotFoundError):
                if not self._locks:
                    self._enter()
                for each in places:
                    directories.make(each)
                return
            self._release()
        raise FileNotFoundError(errno.ENOENT, "the server's control group does not stay")

    def _enter(self) -> None:
        for hierarchy, own in zip(self._hierarchies, self.own, strict=True):
            directories.make(own)
            # Held until we end, however we end: for those who do not see our process.
            self._locks.append(os.open(own, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
            fcntl.flock(self._locks[-1], fcntl.LOCK_SH | fcntl.LOCK_NB)
            hierarchy.hand_on(own)

    def _removed(self, jail: str) -> None:
        with self._guard:
            self._leave(jail)

    def _leave(self, jail: str) -> None:
        """Remove our own groups with the last jail's."""
        if self._jails.pop(jail, None) is None or self._jails:
            return
        for each in self.own:
            # Not while others who share our name have jails in it.
            with suppress(OSError):
                directories.discard(each)
        self._release()

    def _release(self) -> None:
        while self._locks:
            os.close(self._locks.pop())


def _failure(error: OSError) -> LaunchFailed:
    return LaunchFailed(
        f"the jail's control group cannot be made: {error.strerror}",
        hint="`stockade doctor` says which limits can be kept here.",
        step="limits",
        errno=error.errno,
    )
