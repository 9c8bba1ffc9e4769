"""Traces: the recordings of a user's sessions, kept for a while after the sessions are gone.

A user is a name of a key's own: neither another key nor another tenant finds them.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import BinaryIO
from urllib.parse import quote

from stockade.errors import InvalidArgument, Missing, QuotaExceeded
from stockade.policy.principal import Principal
from stockade.workspace import Workspace

__all__ = ["TraceFile", "Traces"]

_ROOM = "traces"
_NAME = re.compile(r"trace-[0-9TZ-]{10,40}-[0-9a-f]{6}\.zip", re.ASCII)
_LONGEST_NAME = 255


@dataclass(frozen=True)
class TraceFile:
    """One kept trace."""

    name: str
    size: int
    made_at: float
    changed_at: float


class Traces:
    """The traces of every user, below one directory of the workspace; its methods block."""

    def __init__(
        self, workspace: Callable[[], Workspace], place: Path, *, quota: int, kept: float
    ) -> None:
        self._open = workspace
        self._root = place / _ROOM
        self._quota = quota
        self._kept = kept
        self._changing = Lock()

    def save(self, owner: Principal, user: str, content: BinaryIO, size: int) -> TraceFile:
        """Keep a trace; the oldest of the same user go if there is no room."""
        if self._quota and size > self._quota:
            raise QuotaExceeded(f"the trace has {size} bytes, of {self._quota} that a user has")
        with self._changing:
            folder = self._open().directory(_ROOM, *_steps(owner, user))
            self._sweep(folder)
            self._make_room(folder, size)
            now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            name = f"trace-{re.sub('[:.]', '-', now)}-{secrets.token_hex(3)}.zip"
            draft = folder / f".{secrets.token_hex(6)}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            try:
                with os.fdopen(os.open(draft, flags, 0o600), "wb") as file:
                    shutil.copyfileobj(content, file)
                draft.replace(folder / name)
            except BaseException:
                draft.unlink(missing_ok=True)
                raise
            return _described(folder / name)

    def all(self, owner: Principal, user: str) -> list[TraceFile]:
        """The traces of a user, newest first."""
        folder = self._folder(owner, user)
        with self._changing:
            self._sweep(folder)
            return sorted(_found(folder), key=lambda each: (each.changed_at, each.name))[::-1]

    def open(self, owner: Principal, user: str, name: str) -> BinaryIO:
        """A trace, to be read: a file of ours and never a link elsewhere."""
        path = self._named(owner, user, name)
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            file = os.open(path, flags)
        except OSError:
            raise _missing() from None
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise _missing()
        return os.fdopen(file, "rb")

    def delete(self, owner: Principal, user: str, name: str) -> None:
        """Forget a trace."""
        path = self._named(owner, user, name)
        with self._changing:
            try:
                path.unlink()
            except OSError:
                raise _missing() from None

    def sweep(self) -> None:
        """Delete what has been kept long enough, of every user."""
        with self._changing:
            for folder in self._root.glob("*/*"):
                self._sweep(folder)
                # One that holds something stays.
                with suppress(OSError):
                    folder.rmdir()

    def _folder(self, owner: Principal, user: str) -> Path:
        return self._root.joinpath(*_steps(owner, user))

    def _named(self, owner: Principal, user: str, name: str) -> Path:
        odd = not name.isprintable() or len(name) > _LONGEST_NAME or name.startswith(".")
        if not name or odd or "/" in name or "\\" in name or ".." in name:
            raise InvalidArgument("invalid filename")
        if not _NAME.fullmatch(name):
            raise _missing()
        return self._folder(owner, user) / name

    def _sweep(self, folder: Path) -> None:
        if not self._kept or not folder.is_dir():
            return
        oldest = time.time() - self._kept
        for each in folder.iterdir():
            with suppress(FileNotFoundError):
                if each.lstat().st_mtime < oldest:
                    each.unlink()

    def _make_room(self, folder: Path, size: int) -> None:
        if not self._quota:
            return
        mine = sorted(_found(folder), key=lambda each: each.changed_at)
        left = self._quota - sum(each.size for each in mine)
        for each in mine:
            if left >= size:
                return
            (folder / each.name).unlink(missing_ok=True)
            left += each.size


def _steps(owner: Principal, user: str) -> tuple[str, str]:
    """Folders that nobody's name can lead out of, and that tell nobody's name."""
    whose = f"{owner.id}\0{owner.client}\0{user}".encode("utf-8", "surrogatepass")
    return "=" + quote(owner.tenant, safe=""), hashlib.sha256(whose).hexdigest()[:32]


def _found(folder: Path) -> Iterator[TraceFile]:
    if not folder.is_dir():
        return
    for each in folder.iterdir():
        if _NAME.fullmatch(each.name) and not each.is_symlink():
            with suppress(FileNotFoundError):
                yield _described(each)


def _described(path: Path) -> TraceFile:
    found = path.stat()
    return TraceFile(path.name, found.st_size, found.st_ctime, found.st_mtime)


def _missing() -> Missing:
    return Missing("not found")
