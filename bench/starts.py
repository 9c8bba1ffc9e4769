"""Starting: how long until a server answers, what it costs, what it takes.

Each contender starts alone, so that no page of memory is shared with a rival.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence

from bench.contenders import Contender, ContenderFailed
from bench.figures import Table
from bench.stage import Stage

__all__ = ["start"]


async def start(contenders: Sequence[Contender], stage: Stage, table: Table, count: int) -> None:
    """Start and end everyone `count` times, in turn."""
    standing = list(contenders)
    for turn in range(1, count + 1):
        for who in list(standing):
            print(f"start {turn}: {who.name}", file=sys.stderr, flush=True)
            try:
                await _start(who, stage, table)
            except ContenderFailed as error:
                table.cell("start to the answer of tools/list", who.name).failure = str(error)
                standing.remove(who)


async def _start(who: Contender, stage: Stage, table: Table) -> None:
    async with who.running():
        idle = who.usage()
        table.put("start to the answer of tools/list", who.name, "ms", who.ready_after * 1000)
        begun = time.perf_counter()
        await who.open(stage.url("/form", who=who.name, visit="start"))
        shown = await who.snapshot()
        first = time.perf_counter() - begun + who.ready_after
        if "Sign up" not in shown.text:
            raise ContenderFailed("the first snapshot does not show the page")
        table.put("start to the first snapshot of a page", who.name, "ms", first * 1000)
        small = who.usage()
        await who.open(stage.url("/doc/library/os.html", who=who.name, visit="start"))
        await who.snapshot()
        large = who.usage()
        table.put("CPU to ready", who.name, "s", idle.cpu)
        table.put("CPU of the server to the first snapshot", who.name, "s", small.cpu)
        tools = await who.tools()
        described = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
        table.put("tools/list", who.name, "B", len(described.encode()))
        table.cell("tools/list", who.name).note = f"{len(tools)} tools"
        for when, usage in (
            ("before a browser", idle),
            ("after the first page", small),
            ("after os.html", large),
        ):
            table.put(f"server, PSS {when}", who.name, "MB", usage.server)
            if usage.resident is not None:
                table.cell(
                    f"server, PSS {when}", who.name
                ).note = f"{usage.resident / 1e6:.0f} MB resident"
        table.put("browser, PSS after the first page", who.name, "MB", small.browser)
        table.put("browser, PSS after os.html", who.name, "MB", large.browser)
        sandbox = table.cell("Chromium's own sandbox", who.name)
        sandbox.note = "on" if who.sandboxed() else "off"
    table.put("end of use to the last process gone", who.name, "ms", who.ended_after * 1000)
    if who.left_behind:
        table.cell("left running at the end", who.name).note = ", ".join(who.left_behind)
