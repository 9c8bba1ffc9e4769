"""The jailer: makes the jails of a server, counts them, and sees that none is left."""

from __future__ import annotations

import asyncio
import secrets

from stockade.errors import JailsLimit
from stockade.jails.bwrap import BwrapJail, Measures
from stockade.jails.cgroups import Groups
from stockade.jails.port import Jail
from stockade.jails.reaper import Janitor, Reaped, reap

__all__ = ["Jailer"]


class Jailer:
    """Every jail is made here, for one browser, and destroyed with it."""

    def __init__(self, uid: int, measures: Measures, most: int) -> None:
        self._uid = uid
        self._measures = measures
        self._most = most
        self._groups: Groups | None = None
        self._janitor: Janitor | None = None
        self._jails: dict[str, Jail] = {}
        self.reaped: list[Reaped] = []
        """What servers that were killed had left when this one began."""

    @property
    def groups(self) -> Groups:
        """The control groups of this machine."""
        if self._groups is None:
            self._groups = Groups.found()
        return self._groups

    @property
    def jails(self) -> list[Jail]:
        """Those that are there now."""
        self._jails = {each.id: each for each in self._jails.values() if not each.life.over}
        return list(self._jails.values())

    async def begin(self) -> None:
        """Clear away what a crash has left."""
        self.reaped = await asyncio.to_thread(reap, self.groups)

    async def new(self) -> Jail:
        """A jail that nothing has been in."""
        if self._most and len(self.jails) >= self._most:
            raise JailsLimit(f"all {self._most} jails of this server are in use", limit=self._most)
        if self._janitor is None:
            self._janitor = Janitor(self.groups)
            self._janitor.start()
        jail = BwrapJail(secrets.token_hex(6), self._uid, self._measures, self.groups)
        self._jails[jail.id] = jail
        return jail

    async def close(self) -> None:
        """Destroy whatever is left."""
        await asyncio.gather(*(each.destroy() for each in self.jails))
        if self._janitor is not None:
            await self._janitor.close()
            self._janitor = None
