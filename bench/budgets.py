"""What Stockade may take, and whether it did."""

from __future__ import annotations

from dataclasses import dataclass

from bench.figures import Cell, Table
from bench.rounds import PLAIN_ABOVE, SCRIPTED_ABOVE

__all__ = ["Verdict", "judge"]

US = "stockade"
WHOLE = ("the same, all interactive elements", "the same, in full")
TIMES_FASTER = 8.0
PART_OF_BYTES = 0.5

_LIMITS: dict[str, float] = {
    "snapshot of library/os.html": 30,
    "snapshot of a form": 8,
    "click and what came of it, quiet page": 40,
    "fill": 45,
    "screenshot, jpeg": 45,
    "click without effect": 200,
    PLAIN_ABOVE: 25,
    SCRIPTED_ABOVE: 25,
    "tools/list": 12_000,
    "serve, PSS before a browser": 90,
    "serve, PSS after the first MCP call": 115,
    "serve, CPU to ready": 0.9,
}


@dataclass(frozen=True)
class Verdict:
    """A budget beside a figure."""

    budget: str
    kept: bool
    detail: str = ""

    @property
    def word(self) -> str:
        return "ok" if self.kept else "OVER"


def judge(table: Table) -> dict[str, Verdict]:
    """What is said of each row that has a budget and a figure of ours."""
    verdicts = {}
    for row, limit in _LIMITS.items():
        cell = table.rows.get(row, {}).get(US)
        if cell is None:
            continue
        unit = cell.unit
        if cell.failure or not cell.runs:
            verdicts[row] = Verdict(f"≤ {limit:g} {unit}", kept=False, detail="no figure")
        else:
            verdicts[row] = Verdict(f"≤ {limit:g} {unit}", kept=cell.median <= limit)
    for row in WHOLE:
        cells = {
            name: cell
            for name in table.versions
            if (cell := table.rows.get(row, {}).get(name)) and cell.runs and not cell.failure
        }
        ours = cells.pop(US, None)
        if ours is not None and cells:
            verdicts[row] = _against(ours, cells)
    return verdicts


def _against(ours: Cell, rivals: dict[str, Cell]) -> Verdict:
    said, kept = [], True
    for name, theirs in rivals.items():
        faster = theirs.median / ours.median
        part = (ours.size or 0) / (theirs.size or 1)
        kept = kept and faster >= TIMES_FASTER and part <= PART_OF_BYTES
        said.append(f"{name}: {faster:.1f} times faster, {part:.0%} of the bytes")
    return Verdict("≥ 8 times faster, ≤ half the bytes", kept=kept, detail="; ".join(said))
