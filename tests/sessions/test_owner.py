"""A server that is killed takes its browsers with it, and the next one cleans up after it."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from stockade.config import Settings
from stockade.server import running_kernel
from tests.sessions.ground import all_gone, group
from tests.support.browsers import HEADLESS_SHELL

OWNER = """import asyncio, json, sys
from stockade.config import Settings
from stockade.policy.principal import Principal
from stockade.server import running_kernel

async def main():
    settings = Settings(
        workspace=sys.argv[1], isolation=sys.argv[2], chromium=sys.argv[3], max_sessions=3
    )
    async with running_kernel(settings) as kernel:
        for name in ("default", "one", "two"):
            session = kernel.sessions.open(Principal("alice"), name)
            await session.new_tab()
            await session.new_tab()
        starting = kernel.sessions.browsers.alive
        print(json.dumps([browser.pid for browser in starting]), flush=True)
        await asyncio.to_thread(sys.stdin.readline)

asyncio.run(main())
"""


@asynccontextmanager
async def owner(
    workspace: Path, isolation: str
) -> AsyncIterator[tuple[asyncio.subprocess.Process, list[int]]]:
    """A server in a process of its own, and its browsers."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        OWNER,
        str(workspace),
        isolation,
        str(HEADLESS_SHELL),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        yield process, json.loads(await process.stdout.readline())
    finally:
        process.stdin.close()
        await process.wait()


def scratches(workspace: Path) -> list[str]:
    return [entry.name for entry in (workspace / "scratch").iterdir()]


@pytest.mark.parametrize(("isolation", "count"), [("shared", 1), ("process", 3)])
async def test_one_that_is_killed(tmp_path: Path, isolation: str, count: int) -> None:
    async with owner(tmp_path, isolation) as (process, browsers):
        assert len(browsers) == count
        processes = [pid for leader in browsers for pid in group(leader)]
        assert len(processes) > 3 * count
        process.send_signal(signal.SIGKILL)
        await process.wait()
    await all_gone(browsers)
    assert not {pid for pid in processes if Path(f"/proc/{pid}/exe").exists()}
    before = scratches(tmp_path)
    assert len(before) == 1 + count + 3
    async with running_kernel(Settings(workspace=tmp_path)):
        # Young as they were, they are gone; what is left is the new server's own.
        [left] = scratches(tmp_path)
        assert left not in before
    assert scratches(tmp_path) == []


async def test_one_that_ends_in_peace_leaves_nothing(tmp_path: Path) -> None:
    async with owner(tmp_path, "process") as (process, browsers):
        assert process.stdin is not None
        process.stdin.write(b"\n")
        async with asyncio.timeout(15):
            assert await process.wait() == 0
        await all_gone(browsers)
        assert scratches(tmp_path) == []
