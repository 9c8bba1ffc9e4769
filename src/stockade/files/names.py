"""File names that others suggest, made fit to be shown and written."""

from __future__ import annotations

from stockade.engines.cdp.downloads import safe_filename

__all__ = ["tidy_name"]


def tidy_name(suggested: str) -> str:
    """A name of one line that shows every character it has and stays in its directory."""
    shown = "".join(each if each.isprintable() else "\0" for each in suggested).strip(" .")
    return safe_filename(shown) if shown else "file"
