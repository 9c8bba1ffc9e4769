"""The registry: which clones are whose. No number, and so no address, is given twice."""

from __future__ import annotations

import asyncio

from stockade.errors import LaunchFailed, LimitReached
from stockade.jails.bastille.hostd import REAP, Hostd
from stockade.jails.bastille.names import Clone

__all__ = ["Registry"]


class Registry:
    """Gives out clones that nobody has and of which nothing is there.

    One server has all clones of a host: what it has not given out itself is an orphan.
    """

    def __init__(self, hostd: Hostd, most: int | None = None) -> None:
        self.hostd = hostd
        self._most = min(most or hostd.ground.most, hostd.ground.most)
        self._held: set[Clone] = set()
        self._turn = asyncio.Lock()

    @property
    def held(self) -> frozenset[Clone]:
        """Those that are given out."""
        return frozenset(self._held)

    async def take(self) -> Clone:
        """A clone that is free, until it is given back."""
        async with self._turn:
            if len(self._held) >= self._most:
                raise self._full(self._most)
            taken = self._held | (await self.hostd.look()).clones
            for number in range(1, self.hostd.ground.most + 1):
                if (clone := Clone(number)) not in taken:
                    self._held.add(clone)
                    return clone
            raise self._full(self.hostd.ground.most)

    def give_back(self, clone: Clone) -> None:
        """Nobody has it any more. While anything of it is there, nobody gets it either."""
        self._held.discard(clone)

    async def reap(self) -> dict[Clone, LaunchFailed | None]:
        """Clear away what nobody has; what could not be cleared away is told with its error."""
        async with self._turn:
            found = sorted((await self.hostd.look()).clones - self._held)
            reaped: dict[Clone, LaunchFailed | None] = {}
            for clone in found:
                try:
                    await self.hostd.call(REAP, clone=clone.name)
                    reaped[clone] = None
                except LaunchFailed as left:
                    reaped[clone] = left
            return reaped

    @staticmethod
    def _full(most: int) -> LimitReached:
        return LimitReached(
            f"all {most} jails of this host are in use",
            hint="Close sessions that are done.",
            limit="jails",
        )
