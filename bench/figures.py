"""What was measured: runs of one row by one contender, and the table of them."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Any, Literal

from bench.contenders import Result
from bench.machine import Usage

__all__ = ["Cell", "Table", "Unit"]

Unit = Literal["ms", "s", "MB", "B"]
_MILLION = 1_000_000


@dataclass
class Cell:
    """Every run of one row by one contender."""

    unit: Unit = "ms"
    runs: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    """What a model was given, for each run that gave it something."""
    wire: list[int] = field(default_factory=list)
    note: str = ""
    failure: str = ""

    def add(self, result: Result) -> None:
        self.runs.append(result.seconds * 1000)
        self.sizes.append(result.size)
        self.wire.append(result.wire)

    @property
    def median(self) -> float:
        return statistics.median(self.runs)

    @property
    def least(self) -> float:
        return min(self.runs)

    @property
    def p95(self) -> float:
        if len(self.runs) < 2:
            return self.runs[0]
        return statistics.quantiles(self.runs, n=20, method="inclusive")[18]

    @property
    def size(self) -> int | None:
        """The median of what a model was given."""
        return round(statistics.median(self.sizes)) if self.sizes else None

    def summary(self) -> dict[str, Any]:
        """All of it for a program."""
        found: dict[str, Any] = {"unit": self.unit}
        if self.runs:
            found |= {"median": self.median, "min": self.least, "p95": self.p95, "runs": self.runs}
        if self.sizes:
            found |= {"bytes": self.size, "wire": round(statistics.median(self.wire))}
        if self.note:
            found["note"] = self.note
        if self.failure:
            found["failure"] = self.failure
        return found


@dataclass
class Table:
    """Rows by name, in the order they were first written to, and who is in them."""

    versions: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    rows: dict[str, dict[str, Cell]] = field(default_factory=dict)

    def cell(self, row: str, contender: str, unit: Unit = "ms") -> Cell:
        return self.rows.setdefault(row, {}).setdefault(contender, Cell(unit))

    def put(self, row: str, contender: str, unit: Unit, value: float | None) -> None:
        """One more run; a value that could not be read is a failure."""
        cell = self.cell(row, contender, unit)
        if value is None:
            cell.failure = "not readable"
        else:
            cell.runs.append(value / _MILLION if unit == "MB" else value)

    def put_memory(self, row: str, contender: str, usage: Usage) -> None:
        """A server's share of memory; resident size beside it, as some pages are shared with us."""
        self.put(row, contender, "MB", usage.server)
        if usage.resident is not None:
            self.cell(row, contender).note = f"{usage.resident / _MILLION:.0f} MB resident"

    def summary(self) -> dict[str, Any]:
        return {
            "versions": self.versions,
            "absent": self.absent,
            "rows": {
                row: {contender: cell.summary() for contender, cell in cells.items()}
                for row, cells in self.rows.items()
            },
        }
