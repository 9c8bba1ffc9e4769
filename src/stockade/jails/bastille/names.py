"""Names: what belongs to one clone, all of it told by its number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network

from stockade.errors import InvalidArgument

__all__ = ["HIGHEST", "Clone", "Ground", "Quotas", "snapshot_named"]

HIGHEST = 999
_NETWORK = IPv4Network("192.168.72.0/24")
_CLONE = re.compile(r"browsertask(\d{3})", re.ASCII)
_CABLE = re.compile(r"(?:e0[ab]_bt(\d{3})|epair1(\d{3})[ab])", re.ASCII)
_SNAPSHOT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}", re.ASCII)
_DATASET = re.compile(r"[A-Za-z][\w.-]*(/[\w.-]+)*", re.ASCII)
_DIRECTORY = re.compile(r"(/[\w.-]+)+", re.ASCII)


@dataclass(frozen=True, order=True)
class Clone:
    """One clone of the template. Its names follow from its number and nothing else."""

    number: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= HIGHEST:
            raise InvalidArgument(f"a clone has a number from 1 to {HIGHEST}, not {self.number}")

    @classmethod
    def named(cls, name: str) -> Clone:
        """The clone of that name; whatever else is said is refused."""
        found = _CLONE.fullmatch(name)
        if found is None:
            raise InvalidArgument(f"{name[:40]!r} is no clone: they are called browsertaskNNN")
        return cls(int(found[1]))

    @classmethod
    def owning(cls, name: str) -> Clone | None:
        """The clone that a jail, a directory or a cable belongs to by its name."""
        found = _CLONE.fullmatch(name) or _CABLE.fullmatch(name)
        number = 0 if found is None else int(found[found.lastindex or 1])
        return cls(number) if number else None

    @property
    def name(self) -> str:
        """What its jail, directory and datasets are called; letters and digits, as VNET wants."""
        return f"browsertask{self.number:03}"

    @property
    def host_end(self) -> str:
        """The end of its cable on the host. With the whole name it would be too long."""
        return f"e0a_bt{self.number:03}"

    @property
    def jail_end(self) -> str:
        """The end of its cable in the jail."""
        return f"e0b_bt{self.number:03}"

    @property
    def pair(self) -> str:
        """Its cable before the ends have their names."""
        return f"epair1{self.number:03}"


@dataclass(frozen=True)
class Quotas:
    """How much of the host one clone may have."""

    memory: int = 1 << 30
    open_files: int = 8192
    processes: int = 512
    cpu: int = 100
    """Percent of one core."""
    disk: int = 1 << 30
    """What it may write; what it shares with the template does not count."""


@dataclass(frozen=True)
class Ground:
    """Where clones are made: what an operator has set up on the host."""

    pool: str = "zroot/bastille"
    directory: str = "/usr/local/bastille/jails"
    template: str = "browser"
    user: str = "browser"
    """Whom the browser runs as in the jail."""
    bridge: str = "bridge0"
    network: IPv4Network = _NETWORK
    first: int = 100
    """The first clone has the address after this one of the network."""
    table: str = "browser_tasks"
    quotas: Quotas = Quotas()

    def __post_init__(self) -> None:
        for name, pattern in (
            ("pool", _DATASET),
            ("directory", _DIRECTORY),
            ("template", _WORD),
            ("user", _WORD),
            ("bridge", _WORD),
            ("table", _WORD),
        ):
            if pattern.fullmatch(getattr(self, name)) is None:
                raise InvalidArgument(f"{getattr(self, name)!r} cannot be the {name} of clones")
        if Clone.owning(self.template) is not None:
            raise InvalidArgument(f"the template cannot be called {self.template}, as clones are")
        if self.most < 1 or self.first < 1:
            raise InvalidArgument(f"{self.network} has no room for clones from {self.first} on")

    @property
    def most(self) -> int:
        """How many clones there can be at a time."""
        return min(HIGHEST, self.network.num_addresses - 2 - self.first)

    @property
    def jails(self) -> str:
        """The dataset that holds the template and all clones."""
        return f"{self.pool}/jails"

    @property
    def gateway(self) -> IPv4Address:
        """The address of the host in the network of clones."""
        return self.network[1]

    def address(self, clone: Clone) -> IPv4Address:
        """The address of a clone: of this one, and never of another."""
        if clone.number > self.most:
            raise InvalidArgument(f"{self.network} has no address for {clone.name}")
        return self.network[self.first + clone.number]

    def at(self, address: str) -> Clone | None:
        """The clone that has an address."""
        try:
            number = int(IPv4Address(address)) - int(self.network[self.first])
        except ValueError:
            return None
        return Clone(number) if 1 <= number <= self.most else None

    def dataset(self, clone: Clone | None = None) -> str:
        """The dataset of a clone, or of the template."""
        return f"{self.jails}/{self.template if clone is None else clone.name}"

    def place(self, clone: Clone) -> str:
        """The directory of a clone; what the jail sees is `root` in it."""
        return f"{self.directory}/{clone.name}"


def snapshot_named(name: str) -> str:
    """The name of a snapshot of the template, if it can be one."""
    if _SNAPSHOT.fullmatch(name) is None or Clone.owning(name) is not None:
        raise InvalidArgument(
            f"{name[:40]!r} cannot be a snapshot: letters, digits, `_`, `.` and `-`, "
            "and not the name of a clone"
        )
    return name
