"""The two versions of control groups: what each calls a limit, and where it counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["CONTROLLERS", "V1", "V2", "Dialect", "Events", "Limits", "Setting"]

CONTROLLERS: Final[Mapping[str, str]] = {"memory": "memory", "tasks": "pids", "cpu": "cpu"}
"""What the kernel calls the keeper of each limit."""

_PERIOD = 100_000
"""Microseconds over which the CPU is counted; the kernel's own default."""
_LEAST_QUOTA = 1_000


@dataclass(frozen=True)
class Limits:
    """What a jail may take; of what is 0 there is no limit."""

    memory: int = 0
    """Bytes, swap and the files of its tmpfs included."""
    tasks: int = 0
    """Processes and threads."""
    cpu: float = 0.0
    """Cores; what it has just left unused it may take at once, as much again at the most."""


@dataclass(frozen=True)
class Events:
    """How often a limit was met."""

    memory_kills: int = 0
    """Processes that were killed because there was no memory left."""
    task_refusals: int = 0
    """Processes and threads that could not begin."""
    throttled: float = 0.0
    """Seconds in which it had to wait for its next share of the CPU."""


@dataclass(frozen=True)
class Setting:
    """What is written to a file of a group."""

    file: str
    text: str
    optional: bool = False
    """Whether a kernel may have no such file."""


class Dialect:
    """One version of control groups."""

    def __init__(self, version: int, kills: str, throttled: str, unit: float) -> None:
        self.version = version
        self.kills = kills
        """The file that counts what was killed for memory."""
        self._throttled = throttled
        self._unit = unit

    def __repr__(self) -> str:
        return f"<control groups version {self.version}>"

    def settings(self, what: str, limits: Limits) -> list[Setting]:
        """What sets one of the limits, in order."""
        if what == "memory" and limits.memory:
            return self._memory(limits.memory)
        if what == "tasks" and limits.tasks:
            return [Setting("pids.max", str(limits.tasks))]
        if what == "cpu" and limits.cpu:
            return self._cpu(max(_LEAST_QUOTA, int(limits.cpu * _PERIOD)))
        return []

    def _memory(self, most: int) -> list[Setting]:
        if self.version == 1:
            return [
                Setting("memory.limit_in_bytes", str(most)),
                Setting("memory.memsw.limit_in_bytes", str(most), optional=True),
                Setting("memory.swappiness", "0", optional=True),
            ]
        return [
            Setting("memory.max", str(most)),
            Setting("memory.swap.max", "0", optional=True),
        ]

    def _cpu(self, quota: int) -> list[Setting]:
        if self.version == 1:
            return [
                Setting("cpu.cfs_period_us", str(_PERIOD)),
                Setting("cpu.cfs_quota_us", str(quota)),
                Setting("cpu.cfs_burst_us", str(quota), optional=True),
            ]
        return [
            Setting("cpu.max", f"{quota} {_PERIOD}"),
            Setting("cpu.max.burst", str(quota), optional=True),
        ]

    def counted(self, what: str, group: Path) -> Events:
        """What a group has counted of one limit."""
        if what == "memory":
            return Events(memory_kills=_number(group / self.kills, "oom_kill"))
        if what == "tasks":
            return Events(task_refusals=_number(group / "pids.events", "max"))
        return Events(throttled=_number(group / "cpu.stat", self._throttled) * self._unit)


V1: Final = Dialect(1, "memory.oom_control", "throttled_time", 1e-9)
V2: Final = Dialect(2, "memory.events", "throttled_usec", 1e-6)


def _number(file: Path, key: str) -> int:
    for line in file.read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(" ")
        if name == key:
            return int(value)
    return 0
