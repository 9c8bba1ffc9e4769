"""The workspace: one directory, private to its owner, that holds everything that lasts."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from stockade.errors import InvalidArgument, SetupError, WorkspaceInUse

__all__ = ["Workspace"]

_KEY_BYTES = 32
_PRIVATE = 0o700
_PASSAGE = 0o711
_OTHERS = 0o077
_OURS = {"admin.token", "key", "lock", "scratch", "server.json", "stockade.db", "stockade.toml"}
"""What tells a workspace from any other directory."""
_LONGEST_NAME = 200
_MOST_LINKS = 40
_LOOK_SECONDS = 2.0
"""How long others may be looking whether a server runs before we give up taking the lock."""


class Workspace:
    """A directory at mode 0700 with the key that what is at rest is encrypted with."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = -1

    @classmethod
    def open(cls, path: Path) -> Self:
        """Use `path`, making it if need be; what others could read is closed to them."""
        path = path.absolute()
        with _usable(path):
            _check_way(path)
            path.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
            _make_private(path)
        return cls(path)

    def directory(self, *parts: str) -> Path:
        """A directory in it, made if need be, as private as the workspace."""
        path = self.path
        for part in parts:
            path /= _plain(part)
            with _usable(path):
                path.mkdir(mode=_PRIVATE, exist_ok=True)
        return path

    def scratch(self) -> Path:
        """Where throw-away directories are made: who is let in passes through, and sees no names.

        The workspace above is closed; `processes.unprivileged` leads a browser past it.
        """
        path = self.directory("scratch")
        with _usable(path):
            path.chmod(_PASSAGE)
        return path

    def write(self, name: str, content: bytes) -> Path:
        """Write a file that only the owner can read, whole or not at all."""
        path = self.path / _plain(name)
        with _usable(path):
            draft = self._draft(name, content)
            try:
                draft.replace(path)
            except BaseException:
                draft.unlink(missing_ok=True)
                raise
            self._keep_names()
        return path

    def read(self, name: str) -> bytes | None:
        """What a file holds, or nothing if it is not there."""
        path = self.path / _plain(name)
        with _usable(path):
            try:
                # Whoever could once write here may have left a pipe, which would never end.
                descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            except FileNotFoundError:
                return None
            try:
                found = os.fstat(descriptor)
                if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
                    raise SetupError(
                        f"{path} is not a file of ours",
                        hint="Look who put it there, and delete it.",
                    )
                with os.fdopen(descriptor, "rb", closefd=False) as file:
                    return file.read()
            finally:
                os.close(descriptor)

    def remove(self, name: str) -> None:
        """Delete a file; one that is not there is no error."""
        path = self.path / _plain(name)
        with _usable(path):
            path.unlink(missing_ok=True)

    @property
    def key(self) -> bytes:
        """The encryption key, made on first use."""
        kept = self.read("key")
        if kept is None:
            with _usable(self.path / "key"), suppress(FileExistsError):
                self._create("key", secrets.token_bytes(_KEY_BYTES))
            kept = self.read("key") or b""
        if len(kept) != _KEY_BYTES:
            raise SetupError(
                f"{self.path / 'key'} is damaged",
                hint="Restore it from a backup: what it encrypted cannot be read without it.",
            )
        return kept

    def _create(self, name: str, content: bytes) -> None:
        """Write a file unless it exists; of several at once, one wins and the rest see its file."""
        draft = self._draft(name, content)
        try:
            os.link(draft, self.path / name)
        finally:
            draft.unlink()
        self._keep_names()

    def _draft(self, name: str, content: bytes) -> Path:
        draft = self.path / f".{name}.{secrets.token_hex(4)}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(descriptor)
        except BaseException:
            draft.unlink()
            raise
        return draft

    def _keep_names(self) -> None:
        """Have the directory itself outlast a power cut."""
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    # --- the lock -------------------------------------------------------------------------------

    def lock(self) -> None:
        """Take the workspace for one server; held until `unlock`, or until the process ends.

        Taking what one holds already does nothing.
        """
        if self._lock >= 0:
            return
        path = self.path / "lock"
        with _usable(path):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                self._take(descriptor)
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, str(os.getpid()).encode(), 0)
            except BaseException:
                os.close(descriptor)
                raise
        self._lock = descriptor

    def _take(self, descriptor: int) -> None:
        deadline = time.monotonic() + _LOOK_SECONDS
        while not _flock(descriptor, fcntl.LOCK_EX):
            # A server holds the lock alone, whereas those who look for one share it for a moment.
            if not _flock(descriptor, fcntl.LOCK_SH) or time.monotonic() > deadline:
                holder = os.pread(descriptor, 20, 0).decode(errors="replace")
                raise WorkspaceInUse(
                    f"another server uses {self.path}"
                    + (f" (pid {holder})" if holder.isdigit() else ""),
                    hint="Stop it, or choose another workspace with STOCKADE_WORKSPACE.",
                )
            fcntl.flock(descriptor, fcntl.LOCK_UN)
            time.sleep(secrets.randbelow(10) / 1000)

    @property
    def locked_by_another(self) -> bool:
        """Whether a server other than ours runs on this workspace."""
        if self._lock >= 0:
            return False
        path = self.path / "lock"
        with _usable(path):
            try:
                descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
            except FileNotFoundError:
                return False
            try:
                return not _flock(descriptor, fcntl.LOCK_SH)
            finally:
                os.close(descriptor)

    def unlock(self) -> None:
        """Let another server have it."""
        if self._lock >= 0:
            # A child that is just being started may have the descriptor for a moment longer.
            fcntl.flock(self._lock, fcntl.LOCK_UN)
            os.close(self._lock)
            self._lock = -1


def _flock(descriptor: int, operation: int) -> bool:
    try:
        fcntl.flock(descriptor, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _usable(path: Path) -> Iterator[None]:
    """Errors of the system, with what to do about them."""
    try:
        yield
    except OSError as error:
        raise SetupError(
            f"{path} cannot be used: {error.strerror}",
            hint="Choose another workspace with STOCKADE_WORKSPACE.",
        ) from error


def _plain(name: str) -> str:
    """A name that stays in the workspace, however it came about."""
    if (
        name in {"", ".", ".."}
        or "/" in name
        or not name.isprintable()
        or len(name.encode()) > _LONGEST_NAME
    ):
        raise InvalidArgument("that is not a name for a file")
    return name


# --- who else could write there -------------------------------------------------------------------


def _check_way(path: Path) -> None:
    """Refuse a way through links that others made, or could turn elsewhere."""
    trusted = {os.geteuid(), Path("/").stat().st_uid}
    links = list(_links(path))
    if not links:
        return
    places = {place for end in (*links, path.resolve()) for place in end.parents}
    if any(link.lstat().st_uid not in trusted for link in links) or any(
        _open_to_others(place.stat(), trusted) for place in places if place.exists()
    ):
        raise SetupError(
            f"{path} leads through a link to a place that others can write",
            hint="Choose another workspace with STOCKADE_WORKSPACE, without links on the way.",
        )


def _links(path: Path) -> Iterator[Path]:
    """Every symbolic link that is followed on the way to `path`, itself included."""
    here = Path("/")
    left = list(reversed(path.parts[1:]))
    followed = 0
    while left:
        step = here / left.pop()
        if step.is_symlink():
            followed += 1
            if followed > _MOST_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            yield step
            target = step.readlink()
            here = Path("/") if target.is_absolute() else here
            left += reversed([part for part in target.parts if part != "/"])
        else:
            here = step if step.name != ".." else here.parent


def _open_to_others(found: os.stat_result, trusted: set[int]) -> bool:
    """Whether others can put another thing in the place of one that is there."""
    if found.st_uid not in trusted:
        return True
    by_group = found.st_mode & stat.S_IWGRP and found.st_gid not in {0, os.getegid()}
    by_all = found.st_mode & stat.S_IWOTH
    return bool(by_group or by_all) and not found.st_mode & stat.S_ISVTX


def _make_private(path: Path) -> None:
    """Close the directory to others, if it is ours and was not meant for them."""
    found = path.stat()
    if found.st_uid != os.geteuid():
        raise SetupError(
            f"{path} belongs to another user",
            hint="Run as that user, or choose another workspace with STOCKADE_WORKSPACE.",
        )
    if stat.S_IMODE(found.st_mode) == _PRIVATE:
        return
    if found.st_mode & _OTHERS:
        _check_content(path)
    path.chmod(_PRIVATE)
    if path.stat().st_mode & _OTHERS:
        raise SetupError(
            f"{path} cannot be closed to other users: its file system keeps no modes",
            hint="Choose another workspace with STOCKADE_WORKSPACE.",
        )


def _check_content(path: Path) -> None:
    """Refuse to close a directory that was there for something else, like /tmp or a home."""
    entries = list(path.iterdir())
    if entries and not any(entry.name in _OURS for entry in entries):
        raise SetupError(
            f"{path} is open to others and holds things that are not ours",
            hint="Choose an empty directory with STOCKADE_WORKSPACE.",
        )
    if any(entry.lstat().st_uid != os.geteuid() for entry in entries):
        raise SetupError(
            f"{path} was open to others, and they left files there",
            hint="Delete what is not yours, or choose another workspace with STOCKADE_WORKSPACE.",
        )
