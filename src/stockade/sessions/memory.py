"""Memory: how much of what we may have is in use, and how much a browser takes."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Memory", "Own"]

_PAGE = os.sysconf("SC_PAGE_SIZE")
_SESSION_FIELD = 3
"""Of what follows a process's name in its `stat`."""


@dataclass(frozen=True)
class Own:
    """What this process takes, in bytes."""

    resident: int = 0
    private: int = 0
    """The part of it that no other process could have too: what the program itself holds."""


@dataclass(frozen=True)
class _Kind:
    """How one generation of control groups writes down its figures."""

    folder: str
    limit: str
    usage: str
    reclaimable: str


_V1 = _Kind(
    "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", reclaimable="total_inactive_file"
)
_V2 = _Kind("", "memory.max", "memory.current", reclaimable="inactive_file")


class Memory:
    """Reads what the kernel tells; where it tells nothing, nothing is in use."""

    def __init__(self, proc: Path = Path("/proc"), groups: Path = Path("/sys/fs/cgroup")) -> None:
        self._proc = proc
        self._groups = groups

    def used(self) -> float:
        """The part in use, from 0 to 1: of the machine, or of a tighter limit that we are under."""
        return max(self._machine(), *self._limited(), 0.0)

    def _machine(self) -> float:
        rows = _rows(self._proc / "meminfo")
        total, available = rows.get("MemTotal:"), rows.get("MemAvailable:")
        return 1 - available / total if total and available is not None else 0.0

    def _limited(self) -> Iterator[float]:
        for line in _text(self._proc / "self" / "cgroup").splitlines():
            _, _, rest = line.partition(":")
            controllers, _, path = rest.partition(":")
            if not controllers:
                yield from self._along(_V2, path)
            elif "memory" in controllers.split(","):
                yield from self._along(_V1, path)

    def _along(self, kind: _Kind, path: str) -> Iterator[float]:
        """Every group from ours to the root; in a container the path may be the host's."""
        root = self._groups / kind.folder
        place = root / path.lstrip("/")
        while place.is_relative_to(root):
            yield self._share(kind, place)
            place = place.parent

    def _share(self, kind: _Kind, group: Path) -> float:
        limit, usage = _text(group / kind.limit), _text(group / kind.usage)
        if not limit.isdigit() or not usage.isdigit() or not int(limit):
            return 0.0
        # What the kernel gives back as soon as it is asked for is not in use.
        spare = _rows(group / "memory.stat").get(kind.reclaimable, 0)
        return max(int(usage) - spare, 0) / int(limit)

    def own(self) -> Own:
        """What this process takes."""
        resident, private = self._pages(self._proc / "self")
        return Own(resident, private)

    def of(self, leaders: Collection[int]) -> dict[int, int]:
        """What the process of each id takes with all it started; those not found are left out.

        Pages that its processes share are counted once, as many as the one has that has most.
        """
        private: dict[int, int] = {}
        shared: dict[int, int] = {}
        for folder in self._proc.glob("[0-9]*"):
            fields = _text(folder / "stat").rpartition(")")[2].split()
            leader = int(fields[_SESSION_FIELD]) if len(fields) > _SESSION_FIELD else 0
            if leader in leaders:
                resident, own = self._pages(folder)
                private[leader] = private.get(leader, 0) + own
                shared[leader] = max(shared.get(leader, 0), resident - own)
        return {leader: private[leader] + shared[leader] for leader in private}

    def _pages(self, folder: Path) -> tuple[int, int]:
        """Bytes that are resident, and those of them that are not shared."""
        fields = _text(folder / "statm").split()
        if len(fields) < 3:  # noqa: PLR2004
            return 0, 0
        resident, shared = int(fields[1]), int(fields[2])
        return resident * _PAGE, (resident - shared) * _PAGE


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        # Not this system's way, or the process has ended meanwhile.
        return ""


def _rows(path: Path) -> dict[str, int]:
    """The numbers of a file with one name and one number in a row."""
    rows = (line.split() for line in _text(path).splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) > 1 and row[1].isdigit()}
