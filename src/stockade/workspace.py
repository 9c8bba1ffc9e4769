"""The workspace: one directory, private to its owner, that holds everything that lasts."""

from __future__ import annotations

import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Self

from stockade.errors import SetupError, WorkspaceInUse

__all__ = ["Workspace"]

_KEY_BYTES = 32
_PRIVATE = 0o700


class Workspace:
    """A directory at mode 0700 with the key that what is at rest is encrypted with."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = -1

    @classmethod
    def open(cls, path: Path) -> Self:
        """Use `path`, making it if need be; what others could read is closed to them."""
        try:
            path.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
            if path.stat().st_mode & 0o077:
                path.chmod(_PRIVATE)
        except OSError as error:
            raise SetupError(
                f"the workspace {path} cannot be used: {error.strerror}",
                hint="Choose another with STOCKADE_WORKSPACE.",
            ) from error
        return cls(path)

    def directory(self, *parts: str) -> Path:
        """A directory in it, made if need be."""
        path = self.path.joinpath(*parts)
        path.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
        return path

    def write(self, name: str, content: bytes) -> Path:
        """Write a file that only the owner can read, whole or not at all."""
        path = self.path / name
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        return path

    def read(self, name: str) -> bytes | None:
        """What a file holds, or nothing if it is not there."""
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            return None

    def remove(self, name: str) -> None:
        """Delete a file; one that is not there is no error."""
        (self.path / name).unlink(missing_ok=True)

    @property
    def key(self) -> bytes:
        """The encryption key, made on first use."""
        kept = self.read("key")
        if kept is None:
            with suppress(FileExistsError):
                self._create("key", secrets.token_bytes(_KEY_BYTES))
            kept = self.read("key") or b""
        if len(kept) != _KEY_BYTES:
            raise SetupError(f"{self.path / 'key'} is damaged; restore it from a backup")
        return kept

    def _create(self, name: str, content: bytes) -> None:
        draft = self.write(f"{name}.new.{secrets.token_hex(4)}", content)
        try:
            os.link(draft, self.path / name)
        finally:
            draft.unlink()

    # --- the lock -------------------------------------------------------------------------------

    def lock(self) -> None:
        """Take the workspace for one server; held until `unlock`, or until the process ends."""
        descriptor = os.open(
            self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
        )
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
            os.close(descriptor)
            raise WorkspaceInUse(
                f"another server uses {self.path}" + (f" (pid {holder})" if holder else ""),
                hint="Stop it, or choose another workspace with STOCKADE_WORKSPACE.",
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        self._lock = descriptor

    @property
    def locked_by_another(self) -> bool:
        """Whether a server runs on this workspace."""
        try:
            descriptor = os.open(self.path / "lock", os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def unlock(self) -> None:
        """Let another server have it."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
