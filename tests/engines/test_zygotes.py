"""Zygotes: which processes they are, and when a browser goes on without one."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from stockade.engines.cdp import ChromiumEngine
from stockade.engines.values import LaunchOptions
from stockade.engines.zygotes import outlives_zygotes, zygotes_of
from tests.support.browsers import BINARIES


def test_those_below_a_browser_that_are_for_pages(tmp_path: Path) -> None:
    for pid, parent, words in (
        (10, 1, b"chrome\0--headless"),
        (11, 10, b"chrome\0--type=zygote\0--no-zygote-sandbox"),
        (12, 10, b"chrome\0--type=zygote"),
        (13, 12, b"chrome --type=zygote --field"),
        (14, 13, b"chrome --type=renderer"),
        (20, 1, b"chrome\0--type=zygote"),
    ):
        place = tmp_path / str(pid)
        place.mkdir()
        (place / "stat").write_text(f"{pid} (a (b) c) S {parent} 0", encoding="ascii")
        (place / "cmdline").write_bytes(words)
    assert zygotes_of(10, tmp_path) == [12, 13]
    assert zygotes_of(99, tmp_path) == []


@pytest.mark.parametrize("name", BINARIES)
@pytest.mark.parametrize("which", [0, -1, None])
async def test_a_browser_without_its_zygote(name: str, which: int | None) -> None:
    browser = await ChromiumEngine().launch(LaunchOptions(binary=BINARIES[name]))
    try:
        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            found: list[int] = []
            while not found:
                found = await asyncio.to_thread(zygotes_of, browser.pid)
            waiting = group.create_task(outlives_zygotes(browser, found))
            killed = browser.pid if which is None else found[which]
            os.kill(killed, signal.SIGKILL)
            assert await waiting is (which is not None)
    finally:
        await browser.close(grace=0.0)
