"""A server needs no rights to jail its sessions."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from stockade.processes import unprivileged
from tests.support.browsers import writable_by_browser
from tests.support.pythons import readable_python

_UID = 61001
_HERE = Path(__file__).parents[2]


async def test_an_ordinary_user_has_jails_too(tmp_path: Path) -> None:
    interpreter = readable_python(writable_by_browser(tmp_path / "python"))
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
