"""Writing files of a session: within its quota, and only while it lives."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from stockade.errors import QuotaExceeded, SessionNotFound
from stockade.files.quota import Quota
from stockade.sessions.session import Session

__all__ = ["while_open", "write_new"]

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
    size = 0
    with os.fdopen(os.open(path, flags, 0o600), "wb", buffering=0) as file:
        try:
            while piece := source.read(_PIECE):
                quota.take(session, len(piece))
                size += len(piece)
                _write_all(file.fileno(), piece)
        except BaseException as error:
            path.unlink(missing_ok=True)
            quota.give_back(session, size)
            if isinstance(error, OSError) and error.errno in _FULL:
                raise QuotaExceeded(
                    "the server has no room for that file", hint="Tell the operator."
                ) from None
            raise
    return size


def _write_all(descriptor: int, piece: bytes) -> None:
    left = memoryview(piece)
    while left:
        left = left[os.write(descriptor, left) :]
