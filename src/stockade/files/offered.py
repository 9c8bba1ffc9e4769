"""Offered files: those below one directory, which callers may give to pages by their path."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from stockade.errors import InvalidArgument, StockadeError

__all__ = ["Offered", "offered"]

Problem = Literal[
    "uploads_dir_not_found", "invalid_upload_path", "file_not_found", "upload_path_outside_root"
]
_HINT = "Name files below the upload directory, which the operator sets with STOCKADE_UPLOADS_DIR."
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class Offered:
    """One file, open."""

    path: Path
    """Where it really is."""
    file: BinaryIO


def _refused(message: str, problem: Problem) -> InvalidArgument:
    return InvalidArgument(message, hint=_HINT, problem=problem)


@contextmanager
def offered(root: Callable[[], Path], paths: Sequence[str]) -> Iterator[list[Offered]]:
    """Open files below `root`: none outside of it, through a link or otherwise, and only files.

    A relative path begins at the root. All are refused if one is.
    """
    with ExitStack() as stack:
        top = _real_root(root)
        found = []
        for each in paths:
            real = _real(top, each)
            found.append(Offered(real, stack.enter_context(_open(top, real))))
        yield found


def _real_root(root: Callable[[], Path]) -> Path:
    problem = _refused("the upload directory is not available", "uploads_dir_not_found")
    try:
        top = root().resolve(strict=True)
    except (OSError, RuntimeError, StockadeError):
        raise problem from None
    if not top.is_dir():
        raise problem
    return top


def _real(top: Path, given: str) -> Path:
    """Where a path really leads, which must be below `top`."""
    if not given or "\0" in given:
        raise _refused("a path must be a text that names a file", "invalid_upload_path")
    path = top / given
    try:
        real = path.resolve(strict=True)
    except FileNotFoundError:
        # What lies outside is not told from what is nowhere.
        if not path.resolve().is_relative_to(top):
            raise _outside() from None
        raise _refused("there is no such file in the upload directory", "file_not_found") from None
    except (OSError, RuntimeError, ValueError):
        raise _refused("that path cannot be followed", "invalid_upload_path") from None
    if real == top or not real.is_relative_to(top):
        raise _outside()
    return real


def _outside() -> InvalidArgument:
    return _refused("the path leads out of the upload directory", "upload_path_outside_root")


def _open(top: Path, real: Path) -> BinaryIO:
    """Open it step by step: whoever puts a link on the way meanwhile finds it refused."""
    *folders, name = real.relative_to(top).parts
    here = os.open(top, _FOLDER)
    try:
        for folder in folders:
            below = os.open(folder, _FOLDER, dir_fd=here)
            os.close(here)
            here = below
        file = os.open(name, _FILE, dir_fd=here)
    except FileNotFoundError:
        raise _refused("the file has just been removed", "file_not_found") from None
    except OSError:
        raise _refused("the file cannot be read", "invalid_upload_path") from None
    finally:
        os.close(here)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise _refused("a path must lead to a file", "invalid_upload_path")
    return os.fdopen(file, "rb")
