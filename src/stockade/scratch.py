"""Throw-away directories for profiles and downloads, locked while their owner lives.

They lie in the workspace, like everything that we or a browser write.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from stockade.errors import LaunchFailed
from stockade.processes import closed_above, spawn, unprivileged

__all__ = ["Scratch", "reaches", "sweep"]

_PREFIX = "stockade-browser-"
_UNBORN = "stockade-unborn-"
_BIRTH_SECONDS = 60.0
"""How long a directory may take to get its lock and with it its name."""

_TRIES = 20
_BETWEEN_TRIES = 0.05

_TRIAL = "trial"
_TRIAL_SECONDS = 10.0
_reached: dict[tuple[Path | None, int], bool] = {}


class Scratch:
    """A new, empty directory that the browser's uid may use; without a uid, nobody but us.

    It is made in `under`, or where the system keeps what is temporary.
    """

    def __init__(self, uid: int | None = None, under: Path | None = None) -> None:
        self._uid = os.geteuid()
        unborn = Path(tempfile.mkdtemp(prefix=_UNBORN, dir=under))
        # Held until we end, however we end; that is how `sweep` tells the living from the dead.
        self._lock = os.open(unborn, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        if uid is not None and self._uid == 0:
            self._uid = uid
            self._give(unborn)
        # Only now can it be found, so that whatever is found without a lock has no owner.
        self.path = unborn.with_name(_PREFIX + unborn.name.removeprefix(_UNBORN))
        unborn.rename(self.path)

    @classmethod
    async def made(cls, uid: int | None = None, under: Path | None = None) -> Scratch:
        """A new one, made in a thread; whoever stops waiting for it leaves none behind."""
        making = asyncio.get_running_loop().run_in_executor(None, cls, uid, under)
        try:
            return await asyncio.shield(making)
        except asyncio.CancelledError:
            making.add_done_callback(_unmake)
            raise

    def _give(self, path: Path) -> None:
        try:
            os.chown(self._lock, self._uid, self._uid)
        except OSError as error:
            os.close(self._lock)
            path.rmdir()
            raise LaunchFailed(
                f"uid {self._uid}, which browsers run as, is none here: {error.strerror}",
                hint="Set STOCKADE_BROWSER_UID to one that this user namespace has, "
                "or run the server as an ordinary user.",
            ) from error

    @property
    def descriptor(self) -> int:
        """The open directory, whatever has become of its path."""
        return self._lock

    @property
    def room(self) -> None:
        """As much fits into it as there is on the disk."""

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


async def reaches(uid: int, under: Path) -> bool:
    """Whether a child that runs as `uid` can write in a directory that is made for it in `under`.

    It is tried once for each way there.
    """
    closed = closed_above(under, uid) if os.geteuid() == 0 else None
    if closed is None:
        return True
    if (closed, uid) not in _reached:
        _reached[closed, uid] = await _tried(uid, under)
    return _reached[closed, uid]


async def _tried(uid: int, under: Path) -> bool:
    scratch = await Scratch.made(uid, under)
    try:
        argv = ["/bin/sh", "-c", 'echo > "$1"', "sh", str(scratch.path / _TRIAL)]
        child = spawn(
            unprivileged(argv, uid, within=scratch.path),
            environment={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
        )
        await child.end(_TRIAL_SECONDS)
        os.close(scratch.open_file(_TRIAL))
    except (LaunchFailed, OSError):
        return False
    finally:
        await asyncio.to_thread(scratch.remove)
    return True


def _unmake(making: asyncio.Future[Scratch]) -> None:
    if not making.cancelled() and making.exception() is None:
        making.result().remove()


def sweep(under: Path | None = None) -> int:
    """Delete the directories whose owners were killed; the answer is how many there were."""
    place = under or Path(tempfile.gettempdir())
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
