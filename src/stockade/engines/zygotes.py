"""Zygotes: the processes that a Chromium forks its renderers from. It never starts another.

One that is killed takes every page along, and no page can be had from that browser again, though it
goes on answering.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from stockade.engines.port import Browser
from stockade.processes import first_ended

__all__ = ["GONE", "outlives_zygotes", "zygotes_of"]

GONE: Final = "its zygote, which starts the processes of pages, is gone"
_KIND: Final = b"--type=zygote"
_OF_OTHERS: Final = b"--no-zygote-sandbox"
"""One for processes that are no pages: without it pages go on."""
_GRACE: Final = 0.3


async def outlives_zygotes(browser: Browser, zygotes: Sequence[int] | None = None) -> bool:
    """Wait for the end of a browser or of one of its zygotes; whether it goes on without one."""
    if zygotes is None:
        zygotes = await asyncio.to_thread(zygotes_of, browser.pid)
    if not zygotes:
        # None that can be seen, as on other systems.
        return False
    async with asyncio.TaskGroup() as group:
        gone = group.create_task(browser.wait_gone())
        lost = group.create_task(first_ended(zygotes))
        await asyncio.wait({gone, lost}, return_when=asyncio.FIRST_COMPLETED)
        if lost.done():
            # They end with their browser, too, and may be seen to end before it.
            await asyncio.wait({gone}, timeout=_GRACE)
        outlived = lost.done() and not gone.done()
        gone.cancel()
        lost.cancel()
    return outlived


def zygotes_of(browser: int, proc: Path = Path("/proc")) -> list[int]:
    """The zygotes for pages among the processes below a browser."""
    below: dict[int, list[int]] = {}
    for each in proc.glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            parent = int(
                each.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[1]
            )
            below.setdefault(parent, []).append(int(each.parent.name))
    found, pending = [], [browser]
    while pending:
        for pid in below.get(pending.pop(), ()):
            pending.append(pid)
            with suppress(OSError):
                words = (proc / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").split()
                if _KIND in words and _OF_OTHERS not in words:
                    found.append(pid)
    return sorted(found)
