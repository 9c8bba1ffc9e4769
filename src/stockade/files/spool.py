"""Where a browser writes its downloads: a place that it can do anything to."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from stockade.errors import ArtifactNotFound

__all__ = ["spooled"]

_PIECE = 1 << 20


@contextmanager
def spooled(directory: Path | None, path: Path) -> Iterator[Iterator[bytes]]:
    """The pieces of a file in `directory`, which is deleted if all went well.

    The browser's uid owns the directory, and a browser that a page has taken over may put a link
    or a pipe there, or name a file elsewhere. So nothing is followed, nothing blocks, and only a
    plain file of the directory's own owner is read, through the descriptor that was looked at.
    """
    if directory is None or path.parent != directory:
        raise _missing()
    folder = descriptor = -1
    try:
        try:
            folder = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            descriptor = os.open(
                path.name,
                os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY,
                dir_fd=folder,
            )
        except (OSError, ValueError):
            raise _missing() from None
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.fstat(folder).st_uid:
            raise _missing()
        yield iter(lambda: os.read(descriptor, _PIECE), b"")
        with suppress(OSError):
            os.unlink(path.name, dir_fd=folder)
    finally:
        for each in (descriptor, folder):
            if each >= 0:
                os.close(each)


def _missing() -> ArtifactNotFound:
    return ArtifactNotFound(
        "the downloaded file is not there", hint="Download it again, and look at its state."
    )
