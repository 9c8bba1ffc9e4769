"""A look at the host: what is there of which clone."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from stockade.jails.bastille.commands import Argv, Commands
from stockade.jails.bastille.names import Clone, Ground

__all__ = ["Look", "Mount", "look", "mounts_in"]

_PLAIN = re.compile(r"[\w./@:+-]+", re.ASCII)


@dataclass(frozen=True)
class Mount:
    """Something that is mounted."""

    source: str
    path: str
    kind: str


@dataclass(frozen=True)
class Look:
    """What was there at one moment."""

    ground: Ground
    datasets: tuple[str, ...]
    """Snapshots too, as `dataset@snapshot`."""
    jails: tuple[str, ...]
    mounts: tuple[Mount, ...]
    epairs: tuple[str, ...]
    rules: tuple[str, ...]
    addresses: tuple[str, ...]

    def traces(self, clone: Clone) -> list[str]:
        """Everything that is there of a clone, in words."""
        return [what for owner, what in self._owned() if owner == clone]

    @property
    def clones(self) -> set[Clone]:
        """The clones of which anything is there."""
        return {owner for owner, _ in self._owned()}

    def has_snapshot(self, name: str) -> bool:
        """Whether the template can be cloned from that snapshot."""
        template = self.ground.dataset()
        return {f"{template}@{name}", f"{template}/root@{name}"} <= set(self.datasets)

    def _owned(self) -> list[tuple[Clone, str]]:
        ground = self.ground
        found: list[tuple[Clone | None, str]] = []
        for dataset in self.datasets:
            path, _, snapshot = dataset.removeprefix(f"{ground.jails}/").partition("@")
            first = path.partition("/")[0]
            whose = snapshot if first == ground.template else first
            found.append((Clone.owning(whose), f"dataset {dataset}"))
        found += [(Clone.owning(each), f"jail {each}") for each in self.jails]
        for mount in self.mounts:
            first = mount.path.removeprefix(f"{ground.directory}/").partition("/")[0]
            found.append((Clone.owning(first), f"mount {mount.path}"))
        found += [(Clone.owning(each), f"interface {each}") for each in self.epairs]
        for rule in self.rules:
            subject, _, rest = rule.partition(":")
            if subject == "jail":
                found.append((Clone.owning(rest.partition(":")[0]), f"limit {rule}"))
        found += [(ground.at(each), f"address {each}") for each in self.addresses]
        return [(owner, what) for owner, what in found if owner is not None]


async def look(ask: Callable[[Argv], Awaitable[str]], commands: Commands, ground: Ground) -> Look:
    """Ask the host for everything that clones leave traces in."""
    return Look(
        ground,
        datasets=tuple((await ask(commands.datasets())).split()),
        jails=tuple((await ask(commands.jails())).split()),
        mounts=_mounts(await ask(commands.mounts())),
        epairs=tuple((await ask(commands.epairs())).split()),
        rules=tuple((await ask(commands.rules())).split()),
        addresses=tuple((await ask(commands.addresses())).split()),
    )


def mounts_in(listed: str, place: str) -> list[Mount]:
    """What is mounted at a place or below it, the last mounted first.

    A path that would need quoting is none of ours, and is left out.
    """
    return [
        each
        for each in reversed(_mounts(listed))
        if (each.path == place or each.path.startswith(f"{place}/"))
        and _PLAIN.fullmatch(each.path) is not None
        and ".." not in each.path.split("/")
    ]


def _mounts(listed: str) -> tuple[Mount, ...]:
    lines = (line.split() for line in listed.splitlines())
    return tuple(Mount(*line[:3]) for line in lines if len(line) >= 3)  # noqa: PLR2004
