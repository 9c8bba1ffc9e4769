"""A jail of Bastille, for one browser, once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from stockade.jails.bastille.hostd import CREATE, DESTROY
from stockade.jails.bastille.names import Clone
from stockade.jails.bastille.registry import Registry
from stockade.jails.life import Life, Misstep, State
from stockade.processes import Process

__all__ = ["BastilleJail"]

_GRACE = 5.0


class BastilleJail:
    """A clone of the template from its creation to its end; whoever made it destroys it."""

    level = "bastille"

    def __init__(self, registry: Registry, snapshot: str | None = None) -> None:
        self.life = Life()
        self.clone: Clone | None = None
        self._registry = registry
        self._hostd = registry.hostd
        self._snapshot = snapshot
        self._process: Process | None = None
        self._turn = asyncio.Lock()

    @property
    def id(self) -> str:
        """What it is called, once it is created."""
        return "" if self.clone is None else self.clone.name

    async def create(self) -> None:
        """Clone the template and start the clone; if that fails, nothing is left of it."""
        async with self._turn:
            self.life.goes_to(State.CREATED)
            clone = await self._registry.take()
            named = {} if self._snapshot is None else {"snapshot": self._snapshot}
            address = str(self._hostd.ground.address(clone))
            try:
                await self._hostd.call(CREATE, clone=clone.name, ip=address, **named)
            except BaseException:
                self._registry.give_back(clone)
                raise
            self.clone = clone

    async def start(
        self, argv: Sequence[str], environment: Mapping[str, str], descriptors: Mapping[int, int]
    ) -> Process:
        """Start a program in it, with these of our descriptors under its numbers.

        jexec, and what it calls, become the program: it is the process that we started, and the
        descriptors are the ones we gave it.
        """
        async with self._turn:
            self.life.goes_to(State.STARTED)
            if self.clone is None:
                raise Misstep("a jail that was not made cannot be entered")
            work = self._hostd.work(CREATE, self.clone)
            async with work.step("browser"):
                entering = work.commands.enter(self.clone, argv)
                self._process = self._hostd.runner.start(entering, environment, descriptors)
                await work.run(*work.commands.keep_pid(self.clone, self._process.pid))
            return self._process

    async def destroy(self) -> None:
        """Leave nothing of it; a second time does nothing.

        What cannot be cleared away now is told, and left to the registry, which gives its number
        to nobody until it is.
        """
        async with self._turn:
            if self.life.over:
                return
            self.life.goes_to(State.DESTROYED)
            await asyncio.shield(self._end())

    async def _end(self) -> None:
        try:
            if self.clone is not None:
                await self._hostd.call(DESTROY, clone=self.clone.name)
        finally:
            if self._process is not None:
                self._process.kill()
                await self._process.end(_GRACE)
            if self.clone is not None:
                self._registry.give_back(self.clone)
