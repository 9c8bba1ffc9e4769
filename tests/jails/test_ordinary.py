"""A server needs no rights to jail its sessions."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from stockade.processes import unprivileged
from tests.support.browsers import writable_by_browser

_UID = 61001
_SYSTEM = Path("/usr/bin")
_HERE = Path(__file__).parents[2]


def python(folder: Path) -> Path:
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


async def test_an_ordinary_user_has_jails_too(tmp_path: Path) -> None:
    interpreter = python(writable_by_browser(tmp_path / "python"))
    folder = writable_by_browser(tmp_path / "home")
    process = await asyncio.create_subprocess_exec(
        *unprivileged([str(interpreter), "-m", "tests.jails.ordinary", str(folder)], _UID),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=_HERE,
        env={
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "PATH": "/usr/bin:/bin",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
    async with asyncio.timeout(60):
        said, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()[-3000:]
    assert json.loads(said) == {
        "uid": _UID,
        "level": "bwrap",
        "downloaded": 1000,
        "uploaded": "hello",
        "denied": "egress_denied",
    }
