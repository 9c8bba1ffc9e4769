"""Folders that a jail shares with the server, used by their descriptors and never by a path.

They were made before anything in the jail ran, so what is in them can be a link to anywhere, but
the folder itself is what it is.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copyfileobj
from typing import Protocol

__all__ = ["Folder"]

_libc = ctypes.CDLL(None, use_errno=True)
_PIECE = 1 << 20
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_ENTER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Source(Protocol):
    """What a file is written from."""

    def read(self, most: int = -1, /) -> bytes:
        """The next piece; none at the end."""


class Folder:
    """One folder, by the descriptor that the launcher handed over."""

    def __init__(self, descriptor: int, path: Path, uid: int) -> None:
        self._descriptor = descriptor
        self.path = path
        """Where the browser finds it; nothing is there for us."""
        self._uid = uid

    @property
    def descriptor(self) -> int:
        """The open folder."""
        return self._descriptor

    @property
    def room(self) -> int:
        """The bytes that still fit into it."""
        if self._descriptor < 0:
            return 0
        found = os.statvfs(self._descriptor)
        return found.f_bavail * found.f_frsize if found.f_favail else 0

    def open_file(self, name: str) -> int:
        """Open a file in it for reading: a real one, never a link, a pipe or a device."""
        if "/" in name or name in {"", ".", ".."}:
            raise FileNotFoundError(name)
        file = os.open(name, _READ, dir_fd=self._descriptor)
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise FileNotFoundError(name)
        return file

    def discard(self, name: str) -> None:
        """Delete a file in it, if it is there."""
        if "/" not in name and self._descriptor >= 0:
            with suppress(OSError):
                os.unlink(name, dir_fd=self._descriptor)

    def remove(self) -> None:
        """Let go of it; it is deleted with the jail."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    # --- writing --------------------------------------------------------------------------------

    def put(self, name: str, source: Source) -> Path:
        """Write a file below it, whole or not at all; where the browser finds it."""
        with self._as_owner():
            at, last = self._enter(name)
            try:
                file = os.open(last, _WRITE, 0o600, dir_fd=at)
                try:
                    with os.fdopen(file, "wb") as target:
                        copyfileobj(source, target, _PIECE)
                except BaseException:
                    os.unlink(last, dir_fd=at)
                    raise
            finally:
                os.close(at)
        return self.path / name

    def take_back(self, name: str) -> int:
        """Delete what was put there under a name; how many bytes that frees."""
        with self._as_owner(), suppress(FileNotFoundError):
            at, last = self._enter(name)
            try:
                size = os.stat(last, dir_fd=at, follow_symlinks=False).st_size
                os.unlink(last, dir_fd=at)
                return size
            finally:
                os.close(at)
        return 0

    def _enter(self, name: str) -> tuple[int, str]:
        """The descriptor of the folder that a name is in, made where it is not there."""
        *folders, last = name.split("/")
        if any(each in {"", ".", ".."} for each in (*folders, last)):
            raise FileNotFoundError(name)
        at = os.dup(self._descriptor)
        for each in folders:
            try:
                with suppress(FileExistsError):
                    os.mkdir(each, 0o700, dir_fd=at)
                within = os.open(each, _ENTER, dir_fd=at)
            finally:
                os.close(at)
            at = within
        return at, last

    @contextmanager
    def _as_owner(self) -> Iterator[None]:
        """Root is nobody in the namespace that the folder belongs to: be its owner, in files."""
        if os.geteuid() != 0:
            yield
            return
        # The kernel keeps this for each thread by itself.
        group, user = _libc.setfsgid(self._uid), _libc.setfsuid(self._uid)
        try:
            yield
        finally:
            _libc.setfsuid(user)
            _libc.setfsgid(group)
