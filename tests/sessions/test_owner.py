"""A server that is killed takes its browsers with it, and the next one cleans up after it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from stockade.config import Settings
from stockade.server import running_kernel
from tests.sessions.ground import all_gone, group
from tests.support.browsers import HEADLESS_SHELL, writable_by_browser

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
    place: Path, isolation: str
) -> AsyncIterator[tuple[asyncio.subprocess.Process, list[int]]]:
    """A server in a process of its own, and its browsers."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        OWNER,
        str(place.parent / "workspace"),
        isolation,
        str(HEADLESS_SHELL),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(place)},
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        yield process, json.loads(await process.stdout.readline())
    finally:
        process.stdin.close()
        await process.wait()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return writable_by_browser(tmp_path / "place")


def scratches(place: Path) -> list[str]:
    return [entry.name for entry in place.iterdir() if entry.name.startswith("stockade-")]


@pytest.mark.parametrize(("isolation", "count"), [("shared", 1), ("process", 3)])
async def test_one_that_is_killed(
    place: Path, isolation: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with owner(place, isolation) as (process, browsers):
        assert len(browsers) == count
        processes = [pid for leader in browsers for pid in group(leader)]
        assert len(processes) > 3 * count
        process.send_signal(signal.SIGKILL)
        await process.wait()
    await all_gone(browsers)
    assert not {pid for pid in processes if Path(f"/proc/{pid}/exe").exists()}
    before = scratches(place)
    assert len(before) == 1 + count + 3
    monkeypatch.setattr("tempfile.tempdir", str(place))
    async with running_kernel(Settings(workspace=place.parent / "workspace")):
        # Young as they were, they are gone; what is left is the new server's own.
        [left] = scratches(place)
        assert left not in before
    assert scratches(place) == []


async def test_one_that_ends_in_peace_leaves_nothing(place: Path) -> None:
    async with owner(place, "process") as (process, browsers):
        assert process.stdin is not None
        process.stdin.write(b"\n")
        async with asyncio.timeout(15):
            assert await process.wait() == 0
        await all_gone(browsers)
        assert scratches(place) == []
