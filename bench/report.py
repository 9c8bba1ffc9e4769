"""The figures as a table for people."""

from __future__ import annotations

import sys

from rich import box
from rich.console import Console
from rich.table import Table as Grid

from bench.budgets import Verdict, judge
from bench.figures import Cell, Table

__all__ = ["show"]

_WIDTH = 170


def show(table: Table, *, heading: str) -> list[str]:
    """Print everything; the rows that are over their budget."""
    console = Console(width=None if sys.stdout.isatty() else _WIDTH, highlight=False)
    verdicts = judge(table)
    names = [name for name in table.versions if any(name in row for row in table.rows.values())]
    console.print(f"\n{heading}")
    for name in names:
        console.print(f"  {name}: {table.versions[name]}")
    for name, why in table.absent.items():
        console.print(f"  {name}: absent: {why}", markup=False)
    if not table.rows:
        return []
    grid = Grid(box=box.SIMPLE, pad_edge=False, caption="median (min to p95), bytes for the model")
    grid.add_column("")
    for name in names:
        grid.add_column(name, justify="right")
    grid.add_column("budget")
    for row, cells in table.rows.items():
        verdict = verdicts.get(row)
        grid.add_row(row, *(_text(cells.get(name)) for name in names), _verdict(verdict))
    console.print(grid)
    for remark in _remarks(table, verdicts):
        console.print(remark, markup=False)
    return [row for row, verdict in verdicts.items() if not verdict.kept]


def _remarks(table: Table, verdicts: dict[str, Verdict]) -> list[str]:
    failures = [
        f"FAILED: {row}: {name}: {cell.failure}"
        for row, cells in table.rows.items()
        for name, cell in cells.items()
        if cell.failure
    ]
    details = [
        f"{row}: {verdict.word}: {verdict.detail}"
        for row, verdict in verdicts.items()
        if verdict.detail
    ]
    return failures + details


def _text(cell: Cell | None) -> str:
    if cell is None:
        return ""
    if cell.failure:
        return "[red]failed[/red]"
    if not cell.runs:
        return cell.note
    lines = [f"{_number(cell.median, cell)} {cell.unit}"]
    if cell.least != cell.p95:
        lines.append(f"[dim]{_number(cell.least, cell)} to {_number(cell.p95, cell)}[/dim]")
    below = [f"{cell.size:,} B"] if cell.size is not None else []
    if cell.note:
        below.append(cell.note)
    if below:
        lines.append(f"[dim]{', '.join(below)}[/dim]")
    return "\n".join(lines)


def _number(value: float, cell: Cell) -> str:
    if cell.unit == "B":
        return f"{value:,.0f}"
    return f"{value:.2f}" if cell.unit == "s" else f"{value:.1f}"


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return ""
    colour = "green" if verdict.kept else "red"
    return f"{verdict.budget}\n[{colour}]{verdict.word}[/{colour}]"
