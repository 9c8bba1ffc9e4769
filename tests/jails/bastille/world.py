"""A simulated host with a hostd, and clones on it in various states."""

from __future__ import annotations

from collections.abc import Sequence

from stockade.jails.bastille.hostd import CREATE, Hostd
from stockade.jails.bastille.names import Clone
from stockade.jails.bastille.registry import Registry
from tests.jails.bastille.simulator import PID_FILE, Simulator

__all__ = ["World"]

BROWSER = 5000


class World:
    """Everything that a test of clones needs."""

    def __init__(self) -> None:
        self.simulator = Simulator()
        self.before = self.simulator.state
        self.ground = self.simulator.ground
        self.hostd = Hostd(self.simulator, self.ground, self.simulator.note)
        self.registry = Registry(self.hostd)

    async def create(self, number: int = 1, **more: str) -> Clone:
        clone = Clone(number)
        address = str(self.ground.address(clone))
        await self.hostd.call(CREATE, clone=clone.name, ip=address, **more)
        return clone

    def browse(self, clone: Clone, *, ends: bool = True) -> None:
        """A browser runs in it, whose process is written down."""
        jail = self.simulator.host.jails[clone.name]
        jail.processes[BROWSER] = ends
        jail.files[PID_FILE] = f"{BROWSER}\n"

    def bring(self, clone: Clone, *, held: bool) -> None:
        """Something of the host is mounted in it; somebody may be in there."""
        place = f"{self.ground.place(clone)}/root/mnt/session"
        self.simulator.host.mounts.append(("/var/session", place, "nullfs"))
        if held:
            self.simulator.host.held |= {place, f"{self.ground.place(clone)}/root"}

    async def worst(self) -> Clone:
        """A clone in which everything is in the way of its end."""
        clone = await self.create()
        self.browse(clone, ends=False)
        self.bring(clone, held=True)
        return clone

    def numbers(self, operation: str, step: str, since: int = 0) -> list[int]:
        """The numbers of the commands of one step."""
        said = enumerate(self.simulator.said)
        wanted = f"{operation} {step}"
        return [number for number, (at, _, _) in said if at == wanted and number >= since]

    def commands(self, since: int = 0) -> list[Sequence[str]]:
        return [argv for _, argv, _ in self.simulator.said[since:]]

    @property
    def clean(self) -> bool:
        return self.simulator.host == self.before

    def registry_of(self) -> Registry:
        """That of a server which has just begun."""
        return Registry(Hostd(self.simulator, self.ground, self.simulator.note))
