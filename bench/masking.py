"""Masking: what it takes to look for 20 secrets in a result of 200 KB."""

from __future__ import annotations

import html
import json
import random
import re
import string
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from bench.figures import Cell
from bench.pages import DOCUMENT
from stockade.masking.masker import Masker

__all__ = ["BUDGET", "Figures", "run", "show"]

BUDGET = 5.0
"""Milliseconds."""
_SIZE = 200_000
_SECRETS = 20
_ROWS = ("a text without any", "a text with each of them", "a value of texts", "no secret at all")


@dataclass
class Figures:
    """Milliseconds of every run of each row."""

    rows: dict[str, Cell] = field(default_factory=lambda: {name: Cell() for name in _ROWS})

    def summary(self) -> dict[str, Any]:
        return {name: cell.summary() for name, cell in self.rows.items()}


def run(count: int) -> Figures:
    """Mask what a page of documentation says, again and again."""
    chosen = random.Random(7)
    text = _text()
    secrets = [_secret(chosen) for _ in range(_SECRETS)]
    masker, idle = Masker(), Masker()
    for number, secret in enumerate(secrets):
        masker.add(f"SECRET_{number}", secret)
    masker.text("compiled")
    full = text
    for secret in secrets:
        at = chosen.randrange(len(full))
        full = full[:at] + secret + full[at:]
    value = _value(text)
    figures = Figures()
    works: tuple[Callable[[], object], ...] = (
        lambda: masker.text(text),
        lambda: masker.text(full),
        lambda: masker.value(value),
        lambda: idle.text(text),
    )
    for _ in range(count):
        for name, work in zip(_ROWS, works, strict=True):
            began = time.perf_counter()
            work()
            figures.rows[name].runs.append((time.perf_counter() - began) * 1000)
    return figures


def show(figures: Figures) -> list[str]:
    """Print what was found; the rows that are over budget."""
    print(f"\nMasking {_SECRETS} secrets in {_SIZE // 1000} KB, at most {BUDGET:g} ms")
    over = []
    for name, cell in figures.rows.items():
        word = "ok" if cell.median <= BUDGET else "OVER"
        print(f"  {name:28} {cell.median:7.2f} ms  p95 {cell.p95:7.2f}  {word}")
        if cell.median > BUDGET:
            over.append(f"masking: {name}")
    return over


def _text() -> str:
    page = html.unescape(re.sub(r"<[^>]*>", "", Path(DOCUMENT).read_text(encoding="utf-8")))
    while len(page) < _SIZE:
        page += page
    return page[:_SIZE]


def _value(text: str) -> dict[str, Any]:
    """The same as rows, of which there are as many as the size allows."""
    rows = [
        {"role": "text", "name": each, "ref": f"e{n}"} for n, each in enumerate(text.splitlines())
    ]
    sizes = accumulate(len(json.dumps(each)) + 2 for each in rows)
    return {"rows": [row for row, size in zip(rows, sizes, strict=True) if size <= _SIZE]}


def _secret(chosen: random.Random) -> str:
    letters = string.ascii_letters + string.digits + "!$%&+=/ "
    return "".join(chosen.choices(letters, k=chosen.randint(10, 40)))
