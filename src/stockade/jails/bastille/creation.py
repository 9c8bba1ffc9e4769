"""Creation: the steps that make a clone, in their order, all of them or none."""

from __future__ import annotations

import asyncio

from stockade.errors import LaunchFailed
from stockade.jails.bastille.destruction import Destruction
from stockade.jails.bastille.look import Look
from stockade.jails.bastille.work import Work

__all__ = ["STEPS", "create"]

STEPS = (
    "claim",
    "template",
    "snapshot",
    "datasets",
    "configuration",
    "epairs",
    "limits",
    "network",
    "start",
)


async def create(work: Work, undoing: Work, snapshot: str | None) -> None:
    """Make a clone and start its jail; what cannot be made is undone, and nothing is left.

    Without a snapshot that is known to be good, one is taken for this clone alone.
    """
    seen = await _claim(work)
    try:
        await _make(work, seen, snapshot)
    except _Taken as taken:
        raise taken.failure from None
    except BaseException as error:
        # Whoever cancels us waits as well: half a jail is nobody's.
        await asyncio.shield(_undo(undoing, error))
        raise


class _Taken(Exception):
    """Somebody else was faster: what is there is theirs, and stays."""

    def __init__(self, failure: LaunchFailed) -> None:
        super().__init__(failure.message)
        self.failure = failure


async def _claim(work: Work) -> Look:
    async with work.step("claim"):
        seen = await work.look()
        if traces := seen.traces(work.clone):
            raise work.failure("there is something of it already", left=traces)
        return seen


async def _make(work: Work, seen: Look, snapshot: str | None) -> None:
    commands, clone = work.commands, work.clone
    async with work.step("template"):
        if work.ground.template in (await work.run(commands.jails())).split():
            raise work.failure(f"the template {work.ground.template} runs")
    async with work.step("snapshot"):
        if snapshot is None:
            await work.run(commands.take_snapshot(clone.name))
        elif not seen.has_snapshot(snapshot):
            raise work.failure(f"the template has no snapshot {snapshot}")
    async with work.step("datasets"):
        outer, inner = commands.clone_datasets(clone, snapshot or clone.name)
        ran = await work.attempt(outer)
        if ran.code != 0:
            failure = work.failure("it was not cloned", outer, ran)
            raise _Taken(failure) if "already exists" in ran.err else failure
        await work.run(inner)
    async with work.step("configuration"):
        for writing in commands.write_configuration(clone):
            await work.run(*writing)
    async with work.step("epairs"):
        await Destruction(work).epairs()
        for command in commands.plug_in(clone):
            await work.run(command)
    async with work.step("limits"):
        for limit in commands.add_limits(clone):
            await work.run(limit)
    async with work.step("network"):
        await work.run(commands.open_way(clone))
    async with work.step("start"):
        await work.run(commands.start(clone))
        if not await work.running():
            # Bastille says so on its output, and ends well.
            raise work.failure("the jail does not run")


async def _undo(undoing: Work, error: BaseException) -> None:
    try:
        await Destruction(undoing).complete()
    except LaunchFailed as left:
        if isinstance(error, LaunchFailed):
            error.details["left"] = left.details.get("left") or left.message
