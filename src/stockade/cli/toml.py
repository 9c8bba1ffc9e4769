"""TOML tables, replaced or added without touching the rest of a file."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

__all__ = ["table_text", "with_table"]

_HEADER = re.compile(r"^\s*\[")
_REMARK = re.compile(r"^\s*(?:#.*)?$")


def table_text(path: Sequence[str], values: dict[str, Any]) -> str:
    """A table of texts, lists of texts and tables within, as TOML."""
    # A JSON string is a TOML basic string, but for the one escape TOML does not know.
    flat = [f"{name} = {_text(value)}" for name, value in values.items() if type(value) is not dict]
    inner = [
        table_text((*path, name), value) for name, value in values.items() if type(value) is dict
    ]
    return "\n".join([f"[{'.'.join(path)}]", *flat, *(f"\n{each}" for each in inner)])


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def with_table(text: str, path: Sequence[str], values: dict[str, Any]) -> str:
    """`text` with that table at its end, and without what it had under that name."""
    kept = _without(text.splitlines(keepends=True), ".".join(path))
    before = "".join(kept).rstrip()
    newline = "\r\n" if "\r\n" in text else "\n"
    added = table_text(path, values).replace("\n", newline) + newline
    return f"{before}{newline * 2}{added}" if before else added


def _without(lines: list[str], name: str) -> list[str]:
    """The lines but those of the table `name` and the tables below it."""
    kept: list[str] = []
    dropped: list[str] | None = None
    header = re.compile(rf"^\s*\[{re.escape(name)}(?:\.[^\]]+)?\]\s*(?:#.*)?$")
    for line in lines:
        if _HEADER.match(line):
            if dropped is not None:
                kept += _closing_remarks(dropped)
            dropped = [] if header.match(line) else None
        (kept if dropped is None else dropped).append(line)
    return kept + _closing_remarks(dropped or [])


def _closing_remarks(lines: list[str]) -> list[str]:
    """Comments before the next table most likely belong to that one."""
    at = len(lines)
    while at and _REMARK.match(lines[at - 1]):
        at -= 1
    while at < len(lines) and not lines[at].strip():
        at += 1
    return lines[at:]
