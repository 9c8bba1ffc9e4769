"""hostd: the narrow door to the host. Four operations, and nothing of theirs is free text."""

from __future__ import annotations

import asyncio
from collections import defaultdict

from stockade.errors import InvalidArgument
from stockade.jails.bastille.creation import create
from stockade.jails.bastille.destruction import Destruction
from stockade.jails.bastille.look import Look
from stockade.jails.bastille.names import Clone, Ground, snapshot_named
from stockade.jails.bastille.runner import Runner
from stockade.jails.bastille.work import Note, Work
from stockade.telemetry.logs import get_logger

__all__ = ["CREATE", "DESTROY", "FORCE_UNMOUNT", "OPERATIONS", "REAP", "Hostd"]

CREATE = "browser-clone-create"
DESTROY = "browser-clone-destroy"
REAP = "browser-clone-reap"
FORCE_UNMOUNT = "browser-clone-force-unmount"

OPERATIONS = {
    CREATE: ({"clone", "ip"}, {"snapshot"}),
    DESTROY: ({"clone"}, set[str]()),
    REAP: ({"clone"}, set[str]()),
    FORCE_UNMOUNT: ({"clone"}, set[str]()),
}
"""What each has to be told, and what it may be told."""

_log = get_logger("stockade.jails")


class Hostd:
    """Runs the four operations, one at a time for each clone."""

    def __init__(self, runner: Runner, ground: Ground, note: Note | None = None) -> None:
        self.runner = runner
        self.ground = ground
        self._note = note or _noted
        self._turns: defaultdict[Clone, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def call(self, operation: str, **arguments: str) -> None:
        """Do one of the operations; `InvalidArgument` for whatever is none."""
        _check(operation, set(arguments))
        clone = Clone.named(arguments["clone"])
        address = str(self.ground.address(clone))
        if arguments.get("ip", address) != address:
            raise InvalidArgument(f"{clone.name} has the address {address} and no other")
        named = arguments.get("snapshot")
        snapshot = None if named is None else snapshot_named(named)
        async with self._turns[clone]:
            work = self.work(operation, clone)
            if operation == CREATE:
                await create(work, self.work(REAP, clone), snapshot)
            elif operation == FORCE_UNMOUNT:
                async with work.step("force-unmount"):
                    await Destruction(work).force_unmount()
            else:
                await Destruction(work).complete()

    async def look(self) -> Look:
        """What is there on the host; this changes nothing."""
        work = self.work("look", Clone(1))
        async with work.step("claim"):
            return await work.look()

    def work(self, operation: str, clone: Clone) -> Work:
        """Work on a clone."""
        return Work(operation, clone, self.ground, self.runner, self._note)


def _check(operation: str, given: set[str]) -> None:
    if operation not in OPERATIONS:
        raise InvalidArgument(
            f"{operation[:40]!r} is no operation", hint=f"There are: {', '.join(OPERATIONS)}."
        )
    needed, possible = OPERATIONS[operation]
    if missing := needed - given:
        raise InvalidArgument(f"{operation} has to be told: {', '.join(sorted(missing))}")
    if unknown := given - needed - possible:
        raise InvalidArgument(f"{operation} cannot be told: {', '.join(sorted(unknown))}")


def _noted(operation: str, clone: str, step: str) -> None:
    _log.debug("step on the host", operation=operation, clone=clone, step=step)
