"""Writing files of a session: within its quota, and only while it lives."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import BinaryIO

from stockade.errors import QuotaExceeded, SessionNotFound
from stockade.files.quota import Quota
from stockade.sessions.session import Session

__all__ = ["Counted", "is_full", "while_open", "write_new"]

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_PIECE = 1 << 20


@contextmanager
def while_open(session: Session, forget: Callable[[Session], None]) -> Iterator[None]:
    """Work on the files of a session; if it ends meanwhile, they are forgotten once more."""
    try:
        yield
    finally:
        if session.closed:
            forget(session)
            raise SessionNotFound(f"session {session.name} is closed")


def write_new(path: Path, source: BinaryIO, quota: Quota, session: str) -> int:
    """Copy into a file that was not there, whole or not at all; the answer is its size.

    The source may grow while it is read: each piece is counted before it is written.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    counted = Counted(source, quota, session)
    file = os.open(path, flags, 0o600)
    try:
        with os.fdopen(file, "wb") as target:
            copyfileobj(counted, target, _PIECE)
    except BaseException as error:
        path.unlink(missing_ok=True)
        quota.give_back(session, counted.size)
        if is_full(error):
            raise QuotaExceeded(
                "the server has no room for that file", hint="Tell the operator."
            ) from None
        raise
    return counted.size


class Counted:
    """A source of which every piece is taken off a quota before anybody has it."""

    def __init__(self, source: BinaryIO, quota: Quota, session: str) -> None:
        self._source, self._quota, self._session = source, quota, session
        self.size = 0

    def read(self, most: int = -1, /) -> bytes:
        """The next piece."""
        piece = self._source.read(most)
        self._quota.take(self._session, len(piece))
        self.size += len(piece)
        return piece


def is_full(error: BaseException) -> bool:
    """Whether something could not be written because there was no room."""
    return isinstance(error, OSError) and error.errno in _FULL
