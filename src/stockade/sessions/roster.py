"""Roster: the sessions that have a browser, noted on disk, so that a restart can be told of."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import msgspec

from stockade.errors import SetupError
from stockade.sessions.session import Session
from stockade.telemetry.logs import get_logger
from stockade.workspace import Workspace

__all__ = ["Entry", "Roster"]

_log = get_logger("stockade.sessions")

_FILE = "sessions.json"


class Entry(msgspec.Struct, frozen=True):
    """A session that a server had."""

    id: str
    tenant: str
    key: str
    name: str


class Roster:
    """A file that holds the sessions of keys; those of one client end with its connection."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
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
            except SetupError as error:
                _log.warning("the open sessions could not be noted", why=error.message)

    def _read(self) -> list[Entry]:
        try:
            content = self._workspace.read(_FILE)
            return msgspec.json.decode(content, type=list[Entry]) if content is not None else []
        except (SetupError, msgspec.MsgspecError):
            _log.warning("the sessions of the last server are not known", file=_FILE)
            return []

    def _replace(self, entries: list[Entry]) -> None:
        if entries:
            self._workspace.write(_FILE, msgspec.json.encode(entries))
        else:
            # What has nothing to tell leaves no trace.
            self._workspace.remove(_FILE)
