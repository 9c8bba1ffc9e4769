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
_PYTHON = Path("/usr/bin/python3")
"""One that everybody can read, unlike that of a developer's home."""
_HERE = Path(__file__).parents[2]


async def test_an_ordinary_user_has_jails_too(tmp_path: Path) -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if not Path(f"{_PYTHON}.{version.partition('.')[2]}").exists():
        pytest.skip(f"there is no Python {version} of the system")
    folder = writable_by_browser(tmp_path / "home")
    packages = next(Path(each) for each in sys.path if each.endswith("site-packages"))
    process = await asyncio.create_subprocess_exec(
        *unprivileged([str(_PYTHON), "-m", "tests.jails.ordinary", str(folder)], _UID),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=_HERE,
        env={
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "PATH": "/usr/bin:/bin",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": f"{packages}:{_HERE / 'src'}:{_HERE}",
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
