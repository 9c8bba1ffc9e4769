"""Files that appear in a directory, told by the kernel: nobody has to look again and again."""

from __future__ import annotations

import asyncio
import ctypes
import os
import struct
import sys
from collections.abc import Callable

from stockade.telemetry.logs import get_logger

__all__ = ["Arrivals"]

_log = get_logger("stockade.sessions")
_libc = ctypes.CDLL(None, use_errno=True)
_CREATED = 0x100
_MOVED_HERE = 0x80
_HEAD = struct.Struct("iIII")
_BUFFER = 1 << 16


class Arrivals:
    """Watches directories with one descriptor for all; where there is no inotify it is silent."""

    def __init__(self) -> None:
        self._descriptor = -1
        self._told: dict[int, Callable[[str], None]] = {}

    def watch(self, directory: int, told: Callable[[str], None]) -> Callable[[], None]:
        """Call `told` with the name of whatever appears in an open directory, until it is ended."""
        if sys.platform != "linux":
            return lambda: None
        try:
            number = self._add(directory)
        except OSError as error:
            _log.warning("a directory cannot be watched", reason=error.strerror)
            return lambda: None
        self._told[number] = told
        return lambda: self._remove(number)

    def _add(self, directory: int) -> int:
        if self._descriptor < 0:
            self._descriptor = _checked(_libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
            asyncio.get_running_loop().add_reader(self._descriptor, self._read)
        # By descriptor: whatever is put in the place of its path is not the directory we mean.
        path = f"/proc/self/fd/{directory}".encode()
        return _checked(_libc.inotify_add_watch(self._descriptor, path, _CREATED | _MOVED_HERE))

    def _remove(self, number: int) -> None:
        if self._told.pop(number, None) is not None:
            _libc.inotify_rm_watch(self._descriptor, number)

    def _read(self) -> None:
        try:
            data = os.read(self._descriptor, _BUFFER)
        except BlockingIOError:
            return
        at = 0
        while at < len(data):
            number, _, _, length = _HEAD.unpack_from(data, at)
            at += _HEAD.size
            name = data[at : at + length].rstrip(b"\0")
            at += length
            told = self._told.get(number)
            if told is not None and name:
                told(os.fsdecode(name))

    def close(self) -> None:
        """Stop watching anything."""
        if self._descriptor >= 0:
            asyncio.get_running_loop().remove_reader(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1
        self._told.clear()


def _checked(answer: int) -> int:
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer
