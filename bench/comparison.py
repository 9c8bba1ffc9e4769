"""Stockade beside its peers: one run, one machine, one Chromium, the same pages, MCP over stdio."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from bench.contenders import CONTENDERS, Arena, Contender, ContenderFailed, installed
from bench.contenders.stockade import Stockade
from bench.figures import Table
from bench.machine import end_when_told
from bench.npm import Packages
from bench.rounds import ROWS, Rounds
from bench.serving import serving
from bench.stage import Stage
from bench.starts import start
from bench.tasks import TASKS, run_tasks

__all__ = ["Plan", "compare"]


@dataclass(frozen=True)
class Plan:
    """What is to be measured."""

    browser: Path
    packages: Packages | None
    stockade: Path
    count: int
    starts: int
    only: Sequence[str] = ()
    """Contenders; all when empty."""
    rows: Sequence[str] = ()
    """Parts of the names of rows; all when empty. `start` and `serve` are the other measurements."""

    def wants(self, row: str) -> bool:
        return not self.rows or any(part in row for part in self.rows)


async def compare(plan: Plan) -> Table:
    """Everything the plan asks for."""
    end_when_told()
    table = Table()
    async with Stage.serve() as stage:
        arena = Arena(plan.browser, plan.packages, stage.allowed, plan.stockade)
        contenders = installed(CONTENDERS.values(), arena, table, plan.only)
        if not contenders:
            return table
        if plan.wants("start"):
            await start(contenders, stage, table, plan.starts)
        ours = any(isinstance(who, Stockade) for who in contenders)
        if plan.wants("serve") and ours and plan.stockade.is_file():
            await serving(arena, stage, table, plan.starts)
        rows = [row for row in ROWS if plan.wants(row.name)]
        tasks = [task for task in TASKS if plan.wants(task.name)]
        if rows or tasks:
            async with AsyncExitStack() as stack:
                running = [who for who in contenders if await _runs(who, stack, table)]
                rounds = Rounds(running, stage, table, plan.count)
                for row in rows:
                    await rounds.play(row)
                await run_tasks(running, stage, table, tasks, plan.count)
    return table


async def _runs(who: Contender, stack: AsyncExitStack, table: Table) -> bool:
    print(f"starting {who.name}", file=sys.stderr, flush=True)
    try:
        await stack.enter_async_context(who.running())
    except ContenderFailed as error:
        table.absent[who.name] = str(error)
        return False
    return True
