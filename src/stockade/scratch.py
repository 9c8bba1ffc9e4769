"""Throw-away directories for profiles and downloads, locked while their owner lives."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

__all__ = ["Scratch", "sweep"]

_PREFIX = "stockade-browser-"
_NEWBORN_SECONDS = 60.0
"""A directory this young may not have been locked yet."""


class Scratch:
    """A new, empty directory that the browser's uid may use."""

    def __init__(self, uid: int) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        # Held until we end, however we end; that is how `sweep` tells the living from the dead.
        self._lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        if os.geteuid() == 0:
            os.chown(self.path, uid, uid)

    def remove(self) -> None:
        """Delete it; a second time does nothing."""
        if self._lock >= 0:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._lock)
            self._lock = -1


def sweep() -> int:
    """Delete the directories whose owners were killed; the answer is how many there were."""
    found = 0
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        if _abandoned(path):
            shutil.rmtree(path, ignore_errors=True)
            found += 1
    return found


def _abandoned(path: Path) -> bool:
    try:
        if time.time() - path.lstat().st_mtime < _NEWBORN_SECONDS:
            return False
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return True
