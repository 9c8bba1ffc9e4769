"""What a server that was killed has left: cleared away at once by its janitor, or by the next."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from stockade.jails.cgroups import Groups, directories
from stockade.jails.cgroups.groups import owner, started
from stockade.processes import Process, spawn

__all__ = ["Janitor", "Reaped", "reap"]

_SHELL = "/bin/sh"
_SCRIPT = Path(__file__).with_name("janitor.sh")
_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
_GRACE = 2.0
_DONE = b"done\n"

_TRIES = 100
_BETWEEN_TRIES = 0.05


class Janitor:
    """A small process that outlives the server and clears away after it.

    It reads from a pipe whose other end only the server has. When that closes without a word, the
    server was killed.
    """

    def __init__(self, groups: Groups) -> None:
        self._groups = groups
        self._pipe = -1
        self._process: Process | None = None

    @property
    def pid(self) -> int | None:
        """The process, while there is one."""
        return self._process.pid if self._process is not None and self._process.alive else None

    def start(self) -> None:
        """Start it; where there are no groups there is nothing for it to do."""
        if self._process is not None or not self._groups.own:
            return
        theirs, ours = os.pipe()
        try:
            argv = [_SHELL, str(_SCRIPT), *map(str, self._groups.own)]
            self._process = spawn(argv, environment=_ENVIRONMENT, descriptors={0: theirs})
            self._pipe = ours
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)

    async def close(self) -> None:
        """Remove what is left, and let it go without having done anything.

        A second time does nothing.
        """
        await self._groups.close()
        process, self._process = self._process, None
        if process is None:
            return
        try:
            os.write(self._pipe, _DONE)
        except BrokenPipeError:
            pass  # it was killed, and there is nobody to tell
        finally:
            os.close(self._pipe)
        await process.end(_GRACE)


@dataclass(frozen=True)
class Reaped:
    """What one server had left."""

    server: int
    """Its process id."""
    jails: tuple[str, ...]
    processes: int
    """How many were still running in them."""


def reap(groups: Groups) -> list[Reaped]:
    """Kill and remove what servers that are no more have left, and say what it was.

    What belongs to a server that lives is left alone, and so is what another is reaping.
    """
    names = {each.name for place in groups.places for each in place.glob("stockade-*")}
    found = (_reaped(name, [place / name for place in groups.places]) for name in sorted(names))
    return [each for each in found if each is not None]


def _reaped(name: str, places: list[Path]) -> Reaped | None:
    who = owner(name)
    if who is None or started(who[0]) == who[1]:
        return None
    with ExitStack() as locks:
        if not _locked(places, locks):
            return None
        jails = {each.name for place in places for each in place.glob("*/")}
        processes = len(directories.processes(places))
        for _ in range(_TRIES):
            directories.kill(places)
            if directories.remove(places):
                break
            time.sleep(_BETWEEN_TRIES)
    return Reaped(who[0], tuple(sorted(jails)), processes)


def _locked(places: list[Path], locks: ExitStack) -> bool:
    """Whether nobody else holds any of them, and there is one at all."""
    found = False
    for each in places:
        try:
            descriptor = os.open(each, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        locks.callback(os.close, descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        found = True
    return found
