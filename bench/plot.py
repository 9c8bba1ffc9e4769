"""The figures as a picture: one panel for time, one for bytes, every bar beside its rivals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bench.figures import Cell, Table

__all__ = ["draw"]

_COLOURS = ("#1b7f5c", "#c2572b", "#4a6fa5", "#8a6d9e", "#9a8c3c")
_BAR, _GAP, _LABEL, _PANEL, _MARGIN, _FIGURE = 11, 14, 350, 330, 40, 70
_HEAD = 92


@dataclass(frozen=True)
class _Panel:
    title: str
    left: float
    value: Callable[[Cell], float | None]
    words: Callable[[float], str]


def _time(cell: Cell) -> float | None:
    return cell.median if cell.runs and cell.unit in {"ms", "MB"} and not cell.failure else None


def _bytes(cell: Cell) -> float | None:
    if cell.failure:
        return None
    if cell.unit == "B" and cell.runs:
        return cell.median
    return float(cell.size) if cell.size else None


def draw(table: Table, path: Path, *, heading: str) -> None:
    """Write an SVG with every row that more than one contender is in."""
    names = [name for name in table.versions if any(name in row for row in table.rows.values())]
    rows = {
        row: cells
        for row, cells in table.rows.items()
        if any(_time(cell) or _bytes(cell) for cell in cells.values())
    }
    path.write_text("\n".join(_picture(heading, names, table, rows)) + "\n", encoding="utf-8")


def _picture(
    heading: str, names: list[str], table: Table, rows: dict[str, dict[str, Cell]]
) -> Iterator[str]:
    each = len(names) * _BAR + _GAP
    width = _LABEL + 2 * (_PANEL + _FIGURE + _MARGIN)
    height = _HEAD + each * len(rows) + 30
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">'
    )
    yield f'<rect width="{width}" height="{height}" fill="#fff"/>'
    yield f'<text x="16" y="26" font-size="16" font-weight="bold">{escape(heading)}</text>'
    for index, name in enumerate(names):
        place = 16 + index * 230
        yield f'<rect x="{place}" y="40" width="12" height="12" fill="{_COLOURS[index]}"/>'
        yield f'<text x="{place + 18}" y="51">{escape(table.versions[name])}</text>'
    panels = (
        _Panel("median, ms (memory: MB)", _LABEL, _time, lambda value: f"{value:,.0f}" if value >= 10 else f"{value:.1f}"),
        _Panel("bytes for the model", _LABEL + _PANEL + _FIGURE + _MARGIN, _bytes, _size),
    )  # fmt: skip
    for panel in panels:
        yield from _bars(panel, names, rows, each)
    for number, row in enumerate(rows):
        top = _HEAD + number * each
        yield f'<text x="{_LABEL - 12}" y="{top + (each - _GAP) / 2 + 4}" text-anchor="end">{escape(row)}</text>'
    yield (
        f'<text x="16" y="{height - 10}" fill="#666">Both scales are logarithmic: '
        "each line is ten times the one before. Shorter is better.</text>"
    )
    yield "</svg>"


def _bars(
    panel: _Panel, names: list[str], rows: dict[str, dict[str, Cell]], each: float
) -> Iterator[str]:
    values = [
        found for row in rows.values() for cell in row.values() if (found := panel.value(cell))
    ]
    if not values:
        return
    least = math.floor(math.log10(max(min(values), 0.1)))
    most = math.ceil(math.log10(max(values)))
    bottom = _HEAD + each * len(rows) - _GAP / 2
    yield f'<text x="{panel.left}" y="{_HEAD - 20}" font-weight="bold">{panel.title}</text>'
    for power in range(least, most + 1):
        x = panel.left + _PANEL * (power - least) / max(most - least, 1)
        yield f'<line x1="{x}" y1="{_HEAD - 6}" x2="{x}" y2="{bottom}" stroke="#ddd"/>'
    for number, cells in enumerate(rows.values()):
        for index, name in enumerate(names):
            cell = cells.get(name)
            value = panel.value(cell) if cell is not None else None
            top = _HEAD + number * each + index * _BAR
            if value is None:
                if cell is not None and cell.failure:
                    yield f'<text x="{panel.left + 2}" y="{top + 9}" font-size="9" fill="#a00">failed</text>'
                continue
            share = (math.log10(max(value, 0.1)) - least) / max(most - least, 1)
            length = max(_PANEL * share, 1.5)
            yield f'<rect x="{panel.left}" y="{top}" width="{length:.1f}" height="{_BAR - 2}" fill="{_COLOURS[index]}"/>'
            yield f'<text x="{panel.left + length + 4:.1f}" y="{top + 9}" font-size="9">{panel.words(value)}</text>'


def _size(value: float) -> str:
    return f"{value / 1000:,.1f} kB" if value >= 1000 else f"{value:.0f} B"
