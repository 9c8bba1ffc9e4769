"""Destruction: the steps that clear a clone away, in their order, from whatever state it is in."""

from __future__ import annotations

from stockade.errors import LaunchFailed
from stockade.jails.bastille.look import mounts_in
from stockade.jails.bastille.work import Work

__all__ = ["STEPS", "Destruction"]

STEPS = (
    "service",
    "terminate",
    "kill",
    "mounts",
    "stop",
    "limits",
    "network",
    "address",
    "datasets",
    "force-unmount",
    "epairs",
    "check",
)

_GRACE = 5
_TIMED_OUT = 124
_SYSTEM_MOUNTS = {"devfs", "fdescfs", "procfs", "zfs"}
"""What goes with the jail or its datasets, and cannot go while it runs."""


class Destruction:
    """Clears one clone away. A step that fails does not keep the next ones from being taken."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._commands = work.commands
        self._clone = work.clone
        self._pid: int | None = None
        self._released = False

    async def complete(self) -> None:
        """Take all the steps; at the end nothing is left, or it is said what and why."""
        faults: list[LaunchFailed] = []
        for name, step in (
            ("service", self.service),
            ("terminate", self.terminate),
            ("kill", self.kill),
            ("mounts", self.mounts),
            ("stop", self.stop),
            ("limits", self.limits),
            ("network", self.network),
            ("address", self.address),
            ("datasets", self.datasets),
            ("epairs", self.epairs),
        ):
            try:
                async with self._work.step(name):
                    await step()
            except LaunchFailed as fault:
                faults.append(fault)
        async with self._work.step("check"):
            left = (await self._work.look()).traces(self._clone)
            if left:
                failure = faults[0] if faults else self._work.failure("something is left")
                failure.details["left"] = left
                raise failure

    # --- what runs in it ------------------------------------------------------------------------

    async def service(self) -> None:
        """Stop the browser as the jail's own system does."""
        if await self._work.running():
            await self._work.attempt(self._commands.stop_service(self._clone))

    async def terminate(self) -> None:
        """Ask the browser to end, by the process that was written down."""
        if not await self._work.running():
            return
        said = (await self._work.attempt(self._commands.read_pid(self._clone))).out.strip()
        if said.isascii() and said.isdecimal() and int(said) > 1:
            self._pid = int(said)
            await self._work.attempt(self._commands.signal(self._clone, "TERM", self._pid))

    async def kill(self) -> None:
        """Kill that process if it does not end."""
        if self._pid is None:
            return
        waited = await self._work.attempt(self._commands.await_end(self._clone, _GRACE, self._pid))
        if waited.code == _TIMED_OUT:
            await self._work.attempt(self._commands.signal(self._clone, "KILL", self._pid))

    # --- what it is -----------------------------------------------------------------------------

    async def mounts(self) -> None:
        """Unmount what was brought into the jail."""
        listed = await self._work.run(self._commands.mounts())
        for each in mounts_in(listed, self._place):
            if each.kind not in _SYSTEM_MOUNTS:
                await self._work.attempt(self._commands.unmount(each.path, force=False))

    async def stop(self) -> None:
        """Stop the jail; whatever it says, it is gone afterwards."""
        if not await self._work.running():
            return
        await self._work.attempt(self._commands.stop(self._clone))
        if await self._work.running():
            await self._work.run(self._commands.remove_jail(self._clone))

    async def limits(self) -> None:
        """Remove its limits."""
        rules = (await self._work.run(self._commands.rules())).split()
        if any(each.startswith(f"jail:{self._clone.name}:") for each in rules):
            await self._work.run(self._commands.remove_limits(self._clone))

    async def network(self) -> None:
        """Take its address out of the table; where it is not in it, that is no error."""
        await self._work.run(self._commands.close_way(self._clone))

    async def address(self) -> None:
        """Release the address: nothing that was open from it or to it stays open."""
        for each in self._commands.forget_connections(self._clone):
            await self._work.run(each)
        self._released = True

    async def datasets(self) -> None:
        """Destroy its datasets, by force where somebody holds them, and its own snapshot."""
        if not self._released:
            # They keep its number, and with it its address, from being given out.
            raise self._work.failure("its address is not released yet")
        ground, name = self._work.ground, self._clone.name
        if ground.dataset(self._clone) in await self._datasets():
            destroying = self._commands.destroy_datasets(self._clone)
            if (await self._work.attempt(destroying)).code != 0:
                async with self._work.step("force-unmount"):
                    await self.force_unmount()
                await self._work.run(destroying)
        template, found = ground.dataset(), await self._datasets()
        for snapshot in (f"{template}/root@{name}", f"{template}@{name}"):
            if snapshot in found:
                await self._work.run(self._commands.destroy_snapshot(snapshot))

    async def _datasets(self) -> list[str]:
        return (await self._work.run(self._commands.datasets())).split()

    async def force_unmount(self) -> None:
        """Unmount all that is the clone's, whoever uses it. Not while its jail runs."""
        if await self._work.running():
            raise self._work.failure("its jail still runs")
        for each in mounts_in(await self._work.run(self._commands.mounts()), self._place):
            if each.kind == "zfs":
                await self._work.run(self._commands.unmount_dataset(each.source))
            else:
                await self._work.run(self._commands.unmount(each.path, force=True))

    async def epairs(self) -> None:
        """Destroy cables that nobody has plugged in any more."""
        ends = (await self._work.run(self._commands.epairs())).split()
        # The other end goes with this one.
        for end in (self._clone.host_end, f"{self._clone.pair}a"):
            if end in ends:
                await self._work.run(self._commands.destroy_epair(end))

    @property
    def _place(self) -> str:
        return self._work.ground.place(self._clone)
