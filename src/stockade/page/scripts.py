"""Scripts that are sent to a page when they are wanted: one function each, in a file of its own."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

__all__ = ["script"]


@cache
def script(name: str) -> str:
    """The function in `scripts/<name>.js`, to be called in a frame."""
    path = files("stockade.page") / "scripts" / f"{name}.js"
    return path.read_text(encoding="utf-8").strip().removesuffix(";")
