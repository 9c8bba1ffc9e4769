"""Commands that a check runs to see whether something really works."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from stockade.errors import LaunchFailed
from stockade.processes import spawn, unprivileged

__all__ = ["Ended", "attempt"]

_PATIENCE = 10.0
_ENVIRONMENT = {"HOME": "/nonexistent", "LANG": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}


@dataclass(frozen=True)
class Ended:
    """How a command ended and what it wrote."""

    code: int
    output: str
    errors: str

    @property
    def works(self) -> bool:
        """Whether it ended well."""
        return self.code == 0

    @property
    def complaint(self) -> str:
        """The last thing it said, or its exit code."""
        lines = self.errors.strip().splitlines()
        return lines[-1][:200] if lines else f"exit code {self.code}"


async def attempt(command: str, *arguments: str, uid: int | None = None) -> Ended | None:
    """Run a command, under `uid` where we may; nothing if it is not installed."""
    path = shutil.which(command, path=_ENVIRONMENT["PATH"]) or shutil.which(command)
    if path is None:
        return None
    argv: Sequence[str] = [path, *arguments]
    read, write = os.pipe()
    try:
        process = spawn(
            argv if uid is None else unprivileged(argv, uid),
            environment=_ENVIRONMENT,
            descriptors={1: write},
        )
    except LaunchFailed as error:
        os.close(read)
        return Ended(127, "", error.message)
    finally:
        os.close(write)
    with os.fdopen(read, encoding="utf-8", errors="replace") as said:
        output, code = await asyncio.gather(asyncio.to_thread(said.read), process.end(_PATIENCE))
    return Ended(code, output, process.error_output)
