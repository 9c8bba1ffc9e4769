"""A Python for other users: ours may lie in a home that nobody else reads."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

__all__ = ["readable_python"]

_SYSTEM = Path("/usr/bin")
_HERE = Path(__file__).parents[2]


def readable_python(folder: Path) -> Path:
    """An environment like ours, of a Python that everybody can read, unlike one in a home."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if not (_SYSTEM / name).exists():
        pytest.skip(f"there is no {name} of the system")
    packages = folder / "lib" / name / "site-packages"
    packages.mkdir(parents=True)
    ours = next(each for each in sys.path if each.endswith("site-packages"))
    (packages / "ours.pth").write_text(f"{ours}\n{_HERE / 'src'}\n{_HERE}\n", encoding="utf-8")
    (folder / "pyvenv.cfg").write_text(f"home = {_SYSTEM}\n", encoding="utf-8")
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(_SYSTEM / name)
    return folder / "bin" / "python"
