"""A peer: a contender that comes from npm."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from bench.contenders.contender import Arena, Contender, ContenderFailed
from bench.npm import Packages

__all__ = ["Peer"]

_UID = 61001


class Peer(Contender):
    """One that knows nothing of dropping root: under another uid Chromium keeps its sandbox."""

    package: ClassVar[str]

    def __init__(self, arena: Arena) -> None:
        super().__init__(arena)
        self.uid = _UID if os.geteuid() == 0 else None

    @property
    def packages(self) -> Packages:
        if self.arena.packages is None or not self.arena.packages.has(self.package):
            raise ContenderFailed("not installed")
        return self.arena.packages

    @property
    def version(self) -> str:
        return f"{self.package} {self.packages.version(self.package)}"

    def as_user(self, command: Sequence[str | Path]) -> list[str | Path]:
        """The command line, with root dropped first if we have it."""
        if self.uid is None:
            return list(command)
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            raise ContenderFailed("running as root needs setpriv")
        drop = [setpriv, f"--reuid={self.uid}", f"--regid={self.uid}", "--clear-groups", "--"]
        return [*drop, *command]
