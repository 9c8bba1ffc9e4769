"""Throw-away directories for profiles and downloads, locked while their owner lives."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["Scratch", "sweep"]

_PREFIX = "stockade-browser-"
_UNBORN = "stockade-unborn-"
_BIRTH_SECONDS = 60.0
"""How long a directory may take to get its lock and with it its name."""

_TRIES = 20
_BETWEEN_TRIES = 0.05


class Scratch:
    """A new, empty directory that the browser's uid may use; without a uid, nobody but us."""

    def __init__(self, uid: int | None = None) -> None:
        self._uid = os.geteuid()
        unborn = Path(tempfile.mkdtemp(prefix=_UNBORN))
        # Held until we end, however we end; that is how `sweep` tells the living from the dead.
        self._lock = os.open(unborn, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        if uid is not None and self._uid == 0:
            self._uid = uid
            os.chown(self._lock, uid, uid)
        # Only now can it be found, so that whatever is found without a lock has no owner.
        self.path = unborn.with_name(_PREFIX + unborn.name.removeprefix(_UNBORN))
        unborn.rename(self.path)

    @property
    def descriptor(self) -> int:
        """The open directory, whatever has become of its path."""
        return self._lock

    def open_file(self, name: str) -> int:
        """Open a file in it for reading: a real one that its user made, never a link elsewhere."""
        if "/" in name:
            raise FileNotFoundError(name)
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        file = os.open(name, flags, dir_fd=self._lock)
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != self._uid:
            os.close(file)
            raise FileNotFoundError(name)
        return file

    def discard(self, name: str) -> None:
        """Delete a file in it, if it is there."""
        if "/" not in name and self._lock >= 0:
            with suppress(OSError):
                os.unlink(name, dir_fd=self._lock)

    def remove(self) -> None:
        """Delete it; a second time does nothing."""
        lock, self._lock = self._lock, -1
        if lock < 0:
            return
        for _ in range(_TRIES):
            shutil.rmtree(self.path, ignore_errors=True)
            if not os.path.lexists(self.path):
                break
            # A process that has been killed may write for a moment yet.
            time.sleep(_BETWEEN_TRIES)
        os.close(lock)


def sweep() -> int:
    """Delete the directories whose owners were killed; the answer is how many there were."""
    place = Path(tempfile.gettempdir())
    born = [path for path in place.glob(f"{_PREFIX}*") if _delete_abandoned(path)]
    unborn = [
        path for path in place.glob(f"{_UNBORN}*") if _stillborn(path) and _delete_abandoned(path)
    ]
    return len(born) + len(unborn)


def _stillborn(path: Path) -> bool:
    try:
        return time.time() - path.lstat().st_mtime > _BIRTH_SECONDS
    except OSError:
        return False


def _delete_abandoned(path: Path) -> bool:
    try:
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(path, ignore_errors=True)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True
