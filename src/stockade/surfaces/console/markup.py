"""Markup: the console's HTML, from files with gaps that are filled with escaped text."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path
from string import Template

__all__ = ["Markup", "asset", "joined", "render"]

_FILES = Path(__file__).parent / "files"


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def render(name: str, /, **values: object) -> Markup:
    """A file of the console with its gaps filled; what is not markup is escaped."""
    return Markup(
        _template(name).substitute(
            {
                gap: value if isinstance(value, Markup) else escape(str(value))
                for gap, value in values.items()
            }
        )
    )


def joined(parts: Iterable[Markup]) -> Markup:
    """One after another."""
    return Markup("".join(parts))


@cache
def _template(name: str) -> Template:
    return Template((_FILES / f"{name}.html").read_text(encoding="utf-8"))


@cache
def asset(name: str) -> bytes:
    """A file as it is."""
    return (_FILES / name).read_bytes()
