"""File names that others suggest, made fit to be shown and written."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from stockade.engines.cdp.downloads import safe_filename
from stockade.errors import InvalidArgument

__all__ = ["relative_name", "tidy_name"]

_MOST_FOLDERS = 8


def tidy_name(suggested: str) -> str:
    """A name of one line that shows every character it has and stays in its directory."""
    shown = "".join(each if each.isprintable() else "\0" for each in suggested).strip(" .")
    return safe_filename(shown) if shown else "file"


def relative_name(given: str, folder: Path) -> str:
    """A path that a caller chose, as one inside `folder`; anything that leads out is refused."""
    path = PurePosixPath(given)
    if path.is_absolute():
        if not path.is_relative_to(folder):
            raise InvalidArgument(
                "that path is outside the files of this session",
                hint="Give a relative path, such as reports/page.pdf.",
            )
        path = path.relative_to(folder)
    parts = path.parts
    if not parts or len(parts) > _MOST_FOLDERS or any(tidy_name(each) != each for each in parts):
        raise InvalidArgument(
            "that is not a path of a file",
            hint="Give plain names parted by slashes, such as reports/page.pdf.",
        )
    return str(path)
