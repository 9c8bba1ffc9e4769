"""Checks of the machine: what browsers and their walls need from it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import time
from importlib.metadata import version
from pathlib import Path

import stockade
from stockade.cli.checks.commands import attempt
from stockade.cli.checks.finding import Finding

__all__ = [
    "clock",
    "disk",
    "fonts",
    "program",
    "python",
    "shared_memory",
    "unprivileged_user",
]

_OLDEST_PYTHON = (3, 11)
_SHARED_MEMORY = 256 * 2**20
_DISK = 2**30
_DAY = 86400
_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


def program() -> Finding:
    """What is installed, and where."""
    said = f"version {version('stockade')} at {Path(stockade.__file__).parent}"
    return Finding("stockade", "ok", said)


def clock() -> Finding:
    """Whether the time is one at which this program can run: codes and expiries depend on it."""
    made = Path(stockade.__file__).stat().st_mtime
    shown = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    if time.time() + _DAY < made:
        return Finding(
            "clock", "warning", f"{shown}, which is before this program was", "Set the clock."
        )
    return Finding("clock", "ok", shown)


def python() -> Finding:
    """The interpreter."""
    said = f"{platform.python_version()} at {sys.executable}"
    if sys.version_info < _OLDEST_PYTHON:
        return Finding("python", "problem", said, "Install Python 3.11 or newer.")
    return Finding("python", "ok", said)


async def unprivileged_user(uid: int) -> Finding:
    """Whether a browser can be run without our own rights."""
    if os.geteuid() != 0:
        return Finding("user", "ok", f"not root; browsers run as uid {os.geteuid()} like us")
    ended = await attempt("id", "-u", uid=uid)
    if ended is not None and ended.works and ended.output.strip() == str(uid):
        return Finding("user", "ok", f"root; browsers run as uid {uid}")
    return Finding(
        "user",
        "problem",
        f"root, and nothing can be run as uid {uid}: {ended.complaint if ended else 'no id'}",
        "Install util-linux (setpriv); in a user namespace set STOCKADE_BROWSER_UID to a uid that "
        "it has; or do not run as root.",
    )


async def fonts() -> Finding:
    """Whether pages have letters."""
    ended = await attempt("fc-list", ":", "family")
    if ended is not None and ended.works:
        families = {line.strip() for line in ended.output.splitlines() if line.strip()}
        sans = sorted(name for name in families if "sans" in name.lower())
        said = f"{len(families)} families, {sans[0]} among them" if sans else ""
    else:
        files = _font_files()
        said = f"{len(files)} files" if any("sans" in name.lower() for name in files) else ""
    if said:
        return Finding("fonts", "ok", said)
    return Finding(
        "fonts", "warning", "no sans font: pages may show boxes", "Install fonts-dejavu-core."
    )


def shared_memory() -> Finding:
    """Room for what browser processes share."""
    return _room(
        "shared memory",
        Path("/dev/shm"),  # noqa: S108
        _SHARED_MEMORY,
        "In Docker, use --shm-size=1g.",
    )


def disk(workspace: Path) -> Finding:
    """Room for profiles, downloads and what is kept."""
    place = next(each for each in (workspace, *workspace.parents) if each.exists())
    return _room("disk", place, _DISK, "Free some, or set STOCKADE_WORKSPACE.")


def _room(name: str, path: Path, wanted: int, remedy: str) -> Finding:
    if not path.is_dir():
        return Finding(name, "warning", f"there is no {path}")
    free = shutil.disk_usage(path).free
    said = f"{free / 2**20:,.0f} MB free in {path}"
    if free >= wanted:
        return Finding(name, "ok", said)
    return Finding(name, "warning", said, remedy)


def _font_files() -> list[str]:
    return [
        file.name
        for folder in _FONT_FOLDERS
        for file in Path(folder).expanduser().rglob("*")
        if file.suffix.lower() in {".ttf", ".otf", ".ttc"}
    ]
