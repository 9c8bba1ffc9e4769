"""Login pages of real applications, each in a process of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

WAIT_SECONDS = 60.0


@asynccontextmanager
async def login_server(name: str, folder: Path) -> AsyncIterator[str]:
    """Start one of the modules here, what it keeps in `folder`; its address. It ends with the block."""
    errors = folder / "errors.txt"
    with errors.open("wb") as said:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", f"tests.support.login_servers.{name}", str(folder)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=said,
            env={**os.environ, "TMPDIR": str(folder)},
        )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(WAIT_SECONDS):
            line = await process.stdout.readline()
        assert line, errors.read_text(encoding="utf-8", errors="replace")[-4000:]
        yield line.decode().strip()
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
