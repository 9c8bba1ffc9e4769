"""Rooms: what a browser process runs in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from stockade.processes import Process, spawn, unprivileged
from stockade.scratch import Scratch, sweep

__all__ = ["Beside", "Room"]


class Room(Protocol):
    """Where a browser is started, and what is to be cleared away after it."""

    @property
    def profile(self) -> Path:
        """The directory of its profile, as the browser sees it."""

    async def start(
        self, argv: Sequence[str], environment: Mapping[str, str], descriptors: Mapping[int, int]
    ) -> Process:
        """Start it, with these of our descriptors under its numbers."""

    async def destroy(self) -> None:
        """Clear everything away; a second time does nothing."""


class Beside:
    """A browser beside us: a process under its own uid, with a throw-away directory."""

    def __init__(self, uid: int, scratch: Scratch) -> None:
        self._uid = uid
        self._scratch = scratch

    @classmethod
    async def made(cls, uid: int, under: Path | None) -> Beside:
        """A new one; what killed servers left there goes first."""
        await asyncio.to_thread(sweep, under)
        return cls(uid, await Scratch.made(uid, under))

    @property
    def profile(self) -> Path:
        """The throw-away directory."""
        return self._scratch.path

    async def start(
        self, argv: Sequence[str], environment: Mapping[str, str], descriptors: Mapping[int, int]
    ) -> Process:
        """Start it without our rights."""
        return spawn(
            unprivileged(argv, self._uid, within=self.profile),
            environment=environment,
            descriptors=descriptors,
        )

    async def destroy(self) -> None:
        """Delete the directory."""
        await asyncio.to_thread(self._scratch.remove)
