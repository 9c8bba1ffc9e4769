"""Output: plain for pipes, dressed for terminals, JSON for programs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, TextIO

import typer

__all__ = ["Json", "error", "json_wanted", "note", "print_json", "print_table", "safe", "say"]

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_wanted: list[bool] = []


def _remember(wanted: bool) -> bool:
    """Note that programs read us, so that a failure is told as JSON too."""
    _wanted[:] = [wanted]
    return wanted


Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.", callback=_remember)]


def json_wanted() -> bool:
    """Whether the command under way was asked for JSON."""
    return _wanted == [True]


def safe(text: str) -> str:
    """`text` without what a terminal would obey: page text may hold escape sequences."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def print_json(value: Any) -> None:
    """One line of JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def say(text: str = "", style: str = "") -> None:
    """A line for whoever asked."""
    _write(sys.stdout, text, style)


def note(text: str, style: str = "") -> None:
    """A line beside the result, on the error stream."""
    _write(sys.stderr, text, style)


def error(text: str, hint: str = "") -> None:
    """What went wrong, in one line, and what to do in a second."""
    note(f"stockade: {text}", "bold red")
    if hint and hint != text:
        note(f"          {hint}", "dim")


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Rows under their heads; in a pipe, columns parted by tabs and no heads."""
    if not sys.stdout.isatty():
        for row in rows:
            sys.stdout.write("\t".join(safe(cell).replace("\n", " ") for cell in row) + "\n")
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*head, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(safe(cell)) for cell in row))
    Console().print(table)


def _write(stream: TextIO, text: str, style: str) -> None:
    if not stream.isatty():
        stream.write(text + "\n")
    elif not style:
        stream.write(safe(text) + "\n")
    else:
        from rich.console import Console
        from rich.text import Text

        Console(file=stream).print(Text(safe(text), style), soft_wrap=True)
    stream.flush()
