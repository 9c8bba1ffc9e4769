"""The port of jails: what a session knows of the one that its browser is in."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from stockade.errors import StockadeError
from stockade.jails.folders import Folder
from stockade.jails.life import Life
from stockade.processes import Process

__all__ = ["OWN_WAY", "WAY", "Jail"]

WAY, OWN_WAY = 3128, 3129
"""Ports of the jail's own loopback: the session's way out, and the one of the browser itself."""


class Jail(Protocol):
    """One jail, for one browser, once."""

    id: str
    life: Life
    level: str
    profile: Path
    """The directory of the browser's profile, as the browser sees it."""

    @property
    def listeners(self) -> tuple[socket.socket, socket.socket]:
        """What hears the session in it, and what hears the browser itself."""

    @property
    def uploads(self) -> Folder:
        """What the browser may read and not change."""

    @property
    def downloads(self) -> Folder:
        """Where the browser writes; nothing in there is to be trusted."""

    async def start(
        self, argv: Sequence[str], environment: Mapping[str, str], descriptors: Mapping[int, int]
    ) -> Process:
        """Create it and start a program in it, with these of our descriptors under its numbers."""

    def ready(self) -> None:
        """Its browser answers; nothing that cannot be trusted has run in it yet."""

    def blamed(self, error: StockadeError) -> StockadeError:
        """The error that names the limit of the jail, where that is why something failed."""

    def check_sandbox(self) -> None:
        """Make sure that the browser's own sandbox stands too."""

    async def destroy(self) -> None:
        """End everything in it and leave nothing; a second time does nothing."""
