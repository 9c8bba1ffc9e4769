"""Diagnostics: a line for every call of the sessions that keep them, for some days.

`diagnostics/<session>/<start of the server>.jsonl` in the workspace; calls outside of any session
are under `server`.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final

import msgspec

from stockade.policy.principal import Principal, Role
from stockade.workspace import Workspace

__all__ = ["SERVER", "Diagnostics"]

SERVER: Final = "server"
"""Where calls are that belong to no session."""
_ROOM = "diagnostics"
_DAY = 86400.0
_TIDY_AGAIN = 60.0
_PLACE = re.compile(r"[A-Za-z0-9_-]{1,60}", re.ASCII)
_FILE = re.compile(r"[0-9TZ.-]{10,40}\.jsonl", re.ASCII)
_LARGEST_FILE = 20_000_000
_MOST_READ = 50_000_000
"""Bytes that one question looks through, newest files first."""
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Diagnostics:
    """The lines of every session; its methods block."""

    def __init__(
        self,
        workspace: Callable[[], Workspace],
        place: Path,
        *,
        days: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._open = workspace
        self._root = place / _ROOM
        self._kept = days * _DAY
        self._clock = clock
        self._name = time.strftime("%Y-%m-%dT%H-%M-%SZ.jsonl", time.gmtime(clock()))
        self._swept = 0.0
        self._changing = Lock()

    def write(self, session: str, record: dict[str, Any]) -> bool:
        """Add a line; one that finds its file full is left out, and so is not written."""
        line = msgspec.json.encode(record) + b"\n"
        with self._changing:
            folder = self._open().directory(_ROOM, session)
            file = os.open(folder / self._name, _APPEND, 0o600)
            try:
                if os.fstat(file).st_size + len(line) > _LARGEST_FILE:
                    return False
                os.write(file, line)
            finally:
                os.close(file)
        return True

    def records(self, reader: Principal, session: str = "") -> Iterator[dict[str, Any]]:
        """What `reader` may see, newest first: its key's own; an operator, its tenant's."""
        left = _MOST_READ
        for path in self._files(session):
            content = _content(path, left)
            left -= len(content)
            for line in reversed(content.splitlines()):
                with suppress(msgspec.DecodeError):
                    record = msgspec.json.decode(line, type=dict[str, Any])
                    if _belongs(record, reader):
                        yield record
            if left <= 0:
                return

    def sweep(self) -> None:
        """Delete the sessions whose last line is older than is kept."""
        self._swept = self._clock()
        oldest = self._swept - self._kept
        with self._changing:
            for folder in self._folders():
                last = max((each.lstat().st_mtime for each in folder.iterdir()), default=0.0)
                if last <= oldest:
                    shutil.rmtree(folder, ignore_errors=True)

    def tidy(self) -> None:
        """The same when a session has ended, but not for each of many."""
        if self._clock() - self._swept >= min(self._kept, _TIDY_AGAIN):
            self.sweep()

    def _folders(self) -> list[Path]:
        try:
            return [
                each
                for each in self._root.iterdir()
                if _PLACE.fullmatch(each.name) and each.is_dir() and not each.is_symlink()
            ]
        except FileNotFoundError:
            return []

    def _files(self, session: str) -> list[Path]:
        """Newest first."""
        found: list[tuple[float, Path]] = []
        for folder in self._folders():
            if session in {"", folder.name}:
                with suppress(FileNotFoundError):
                    found += [
                        (each.lstat().st_mtime, each)
                        for each in folder.iterdir()
                        if _FILE.fullmatch(each.name)
                    ]
        return [path for _, path in sorted(found, reverse=True)]


def _content(path: Path, most: int) -> bytes:
    """The end of a file of ours; never through a link."""
    try:
        file = os.open(path, _READ)
    except OSError:
        return b""
    with os.fdopen(file, "rb") as opened:
        found = os.fstat(opened.fileno())
        if not stat.S_ISREG(found.st_mode):
            return b""
        opened.seek(max(found.st_size - most, 0))
        return opened.read(most)


def _belongs(record: dict[str, Any], reader: Principal) -> bool:
    if record.get("tenant") != reader.tenant:
        return False
    return record.get("key") == reader.id or reader.has_role(Role.OPERATOR)
