"""An alarm: hears from the kernel that a group has no memory left."""

from __future__ import annotations

import asyncio
import ctypes
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from stockade.jails.cgroups import directories
from stockade.jails.cgroups.dialects import Dialect

__all__ = ["Alarm"]

_MODIFIED = 2
_ENOUGH = 4096
_libc = ctypes.CDLL(None, use_errno=True)


class Alarm:
    """Calls on the event loop; what has happened by then is for the called to see."""

    def __init__(self, dialect: Dialect, group: Path, heard: Callable[[], None]) -> None:
        self._heard = heard
        self._loop = asyncio.get_running_loop()
        file = group / dialect.kills
        self._descriptor = _promised(file) if dialect.version == 1 else _watched(file)
        self._loop.add_reader(self._descriptor, self._read)

    def _read(self) -> None:
        with suppress(BlockingIOError):
            os.read(self._descriptor, _ENOUGH)
        self._heard()

    def close(self) -> None:
        """Hear no more; a second time does nothing."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            self._loop.remove_reader(descriptor)
            os.close(descriptor)


def _promised(file: Path) -> int:
    """The first version counts up a number that it was given."""
    watched = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    descriptor = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
    try:
        directories.write(file.with_name("cgroup.event_control"), f"{descriptor} {watched}")
    except OSError:
        os.close(descriptor)
        raise
    finally:
        os.close(watched)
    return descriptor


def _watched(file: Path) -> int:
    """The second says that the file is another."""
    descriptor: int = _libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if descriptor < 0:
        raise _failure()
    if _libc.inotify_add_watch(descriptor, os.fsencode(file), _MODIFIED) < 0:
        failure = _failure()
        os.close(descriptor)
        raise failure
    return descriptor


def _failure() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
