"""Addresses of unix sockets, which the system wants short."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["short"]

_DESCRIPTORS = Path("/proc/self/fd")


@contextmanager
def short(path: Path) -> Iterator[str]:
    """Another name for `path`, of which only the last part has to be short."""
    if not _DESCRIPTORS.is_dir():
        yield str(path)
        return
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"{_DESCRIPTORS}/{directory}/{path.name}"
    finally:
        os.close(directory)
