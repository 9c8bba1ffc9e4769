"""The runner: what runs a command line on the host. hostd has no other way to it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from stockade.processes import Process, read_pipe, spawn

__all__ = ["HostRunner", "Ran", "Runner"]

_PATH = "/sbin:/bin:/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin"
_MOST = 1 << 20
_PATIENCE = 60.0
_TOO_LONG = 124
_FITS = 4096


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it said."""

    code: int
    out: str = ""
    err: str = ""


class Runner(Protocol):
    """Runs argument vectors, never a line for a shell."""

    async def run(self, argv: Sequence[str], stdin: bytes | None = None) -> Ran:
        """Run a command to its end."""

    def start(
        self, argv: Sequence[str], environment: Mapping[str, str], descriptors: Mapping[int, int]
    ) -> Process:
        """Start a program that goes on, with these of our descriptors under its numbers."""


class HostRunner:
    """Runs commands on this machine, as who we are: root, where jails are made."""

    def __init__(self, patience: float = _PATIENCE) -> None:
        self._patience = patience

    async def run(self, argv: Sequence[str], stdin: bytes | None = None) -> Ran:
        """Run a command to its end; one that takes too long is killed and answers 124."""
        given = _holding(stdin or b"")
        out, theirs = os.pipe()
        try:
            child = spawn(argv, environment={"PATH": _PATH}, descriptors={0: given, 1: theirs})
        except BaseException:
            os.close(out)
            raise
        finally:
            os.close(given)
            os.close(theirs)
        try:
            async with asyncio.timeout(self._patience):
                said = await read_pipe(out, _MOST)
                code = await child.wait()
            return Ran(code, said.decode(errors="replace"), child.error_output)
        except TimeoutError:
            return Ran(_TOO_LONG, "", f"it took more than {self._patience:g} s")
        finally:
            child.kill()
            await asyncio.shield(child.end(0))

    def start(
        self, argv: Sequence[str], environment: Mapping[str, str], descriptors: Mapping[int, int]
    ) -> Process:
        """Start a program that goes on."""
        return spawn(argv, environment=environment, descriptors=descriptors)


def _holding(data: bytes) -> int:
    """A pipe that holds so much already, and that nobody writes to any more."""
    if len(data) > _FITS:
        raise ValueError(f"{len(data)} bytes do not fit into a pipe")
    read, write = os.pipe()
    os.write(write, data)
    os.close(write)
    return read
