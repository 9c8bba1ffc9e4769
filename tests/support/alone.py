"""A program of the tests that runs in namespaces of its own and writes down what it found."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

NETWORK = ("--net",)
"""A network where nobody else is."""


async def report_of(
    module: str, *arguments: str, report: Path, namespaces: tuple[str, ...] = NETWORK
) -> Any:
    """What a module reports that is run where nobody else is; it fails with what the module said."""
    process = await asyncio.create_subprocess_exec(
        *("/usr/bin/unshare", *namespaces, sys.executable, "-m", module, *arguments),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "STOCKADE_EGRESS_ALLOW": ""},
    )
    try:
        async with asyncio.timeout(100):
            _, said = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, said.decode()[-4000:]
    return json.loads(report.read_text(encoding="utf-8"))
