"""Roster: the sessions that have a browser, noted on disk, so that a restart can be told of."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from stockade.sessions.session import Session
from stockade.telemetry.logs import get_logger

__all__ = ["Entry", "Roster"]

_log = get_logger("stockade.sessions")


class Entry(msgspec.Struct, frozen=True):
    """A session that a server had."""

    id: str
    tenant: str
    key: str
    name: str


class Roster:
    """A file that holds the sessions of keys; those of one client end with its connection."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writing = asyncio.Lock()

    async def left_behind(self) -> list[Entry]:
        """What the server before this one had when it ended."""
        return await asyncio.to_thread(self._read)

    async def write(self, sessions: Iterable[Session]) -> None:
        """Note which there are now."""
        async with self._writing:
            entries = [
                Entry(each.id, each.owner.tenant, each.owner.id, each.name)
                for each in sessions
                if each.had_browser and not each.owner.client and not each.owner.nearby
            ]
            try:
                await asyncio.to_thread(self._replace, entries)
            except OSError as error:
                _log.warning("the open sessions could not be noted", why=error.strerror)

    def _read(self) -> list[Entry]:
        try:
            content: Any = self._path.read_bytes()
            return msgspec.json.decode(content, type=list[Entry])
        except FileNotFoundError:
            return []
        except (OSError, msgspec.MsgspecError):
            _log.warning("the sessions of the last server are not known", file=self._path.name)
            return []

    def _replace(self, entries: list[Entry]) -> None:
        if not entries:
            # What has nothing to tell leaves no trace.
            self._path.unlink(missing_ok=True)
            return
        fresh = self._path.with_suffix(".new")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(entries))
        fresh.replace(self._path)
