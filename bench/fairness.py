"""Fairness: how long one caller's calls take beside another with many busy sessions."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.figures import Cell
from bench.machine import end_when_told
from bench.pages import serve
from stockade.config import load
from stockade.kernel.dispatch import Kernel
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from tests.support.browsers import BINARIES
from tests.support.site import Site

__all__ = ["LEVELS", "Figures", "run", "show"]

LEVELS = ("shared", "process")
CROWD = 20
_MOST = 2.0
"""So many times as long as alone a call may take, at the 95th percentile."""
_PAUSE = 0.05
"""Between two calls of the one that is measured: a caller that thinks."""
_SECTIONS = "".join(
    f"<h2>Part {n}</h2><p>Text of part {n}. <a href='#'>More</a>" for n in range(60)
)
_SHOP = f"""<title>Shop</title><h1>Shop</h1><button onclick="out.textContent = ++count">Buy</button>
<p id=out>0</p><script>let count = 0</script>{_SECTIONS}"""


@dataclass
class Figures:
    """Milliseconds of every call of the one that is measured, alone and in the crowd."""

    level: str
    alone: dict[str, Cell] = field(default_factory=dict)
    beside: dict[str, Cell] = field(default_factory=dict)
    crowd: float = 0.0
    """Calls a second that the crowd got done meanwhile."""

    @property
    def ratio(self) -> float:
        return _all(self.beside).p95 / _all(self.alone).p95

    def summary(self) -> dict[str, Any]:
        tables = {"alone": self.alone, "beside": self.beside}
        rows = {
            name: {row: cell.summary() for row, cell in cells.items()}
            for name, cells in tables.items()
        }
        return {"level": self.level, "ratio": self.ratio, "crowd": self.crowd, **rows}


def _all(cells: dict[str, Cell]) -> Cell:
    return Cell(runs=[run for cell in cells.values() for run in cell.runs])


@dataclass(frozen=True)
class Worker:
    """One session of one caller."""

    kernel: Kernel
    principal: Principal
    session: str
    url: str

    async def call(self, tool: str, **arguments: Any) -> None:
        reply = await self.kernel.call(self.principal, tool, {"session": self.session, **arguments})
        if not reply.ok:
            raise RuntimeError(f"{tool}: {reply.text}")

    async def open(self) -> None:
        if self.session != "default":
            await self.kernel.call(self.principal, "open_session", {"session": self.session})
        await self.call("navigate", url=self.url)

    async def errand(self) -> AsyncIterator[tuple[str, float]]:
        """Go there, look, and press the button twice; the calls as they come, with their times."""
        for tool, arguments in (
            ("navigate", {"url": self.url}),
            ("snapshot", {}),
            ("click", {"selector": "button"}),
            ("snapshot", {}),
            ("click", {"selector": "button"}),
        ):
            start = time.perf_counter()
            await self.call(tool, **arguments)
            yield tool, (time.perf_counter() - start) * 1000


@asynccontextmanager
async def crowd(workers: Sequence[Worker], done: list[str]) -> AsyncIterator[None]:
    """Keep all of them busy without a pause."""

    async def work(worker: Worker) -> None:
        while True:
            async for tool, _ in worker.errand():
                done.append(tool)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work(each)) for each in workers]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()


async def watch(worker: Worker, count: int) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for _ in range(count):
        async for tool, took in worker.errand():
            cells.setdefault(tool, Cell()).runs.append(took)
            await asyncio.sleep(_PAUSE)
    return cells


async def measure(level: str, count: int, binary: Path) -> Figures:
    """Both measurements at one level of isolation."""
    end_when_told()
    print(f"fairness: {level}", file=sys.stderr, flush=True)
    figures = Figures(level)
    with TemporaryDirectory() as place:
        settings = load(
            workspace=Path(place), isolation=level, chromium=binary, max_sessions=CROWD + 1
        )
        async with serve() as site, running_kernel(settings) as kernel:
            site.page("/shop", _SHOP)
            one, many = _workers(kernel, site)
            await one.open()
            await watch(one, 2)
            figures.alone = await watch(one, count)
            for each in many:
                await each.open()
            done: list[str] = []
            async with crowd(many, done):
                await watch(one, 2)
                done.clear()
                start = time.perf_counter()
                figures.beside = await watch(one, count)
                figures.crowd = len(done) / (time.perf_counter() - start)
    return figures


def _workers(kernel: Kernel, site: Site) -> tuple[Worker, list[Worker]]:
    one = Worker(kernel, Principal("one"), "default", site.url("/shop"))
    other = replace(one, principal=Principal("many"))
    return one, [replace(other, session=f"s{number}") for number in range(CROWD)]


def show(figures: Figures) -> list[str]:
    """Print the figures of one level; the rows that are over their budget."""
    out = sys.stdout.write
    out(f"\nBeside a caller with {CROWD} busy sessions ({figures.level})\n")
    out(f"{'':32}{'alone: median':>15}{'p95':>9}{'beside: median':>17}{'p95':>9}\n")
    for name in (*figures.alone, "all calls"):
        alone = figures.alone.get(name) or _all(figures.alone)
        beside = figures.beside.get(name) or _all(figures.beside)
        out(
            f"{name:32}{alone.median:15.1f}{alone.p95:9.1f}{beside.median:17.1f}{beside.p95:9.1f}\n"
        )
    verdict = "ok" if figures.ratio <= _MOST else "OVER"
    out(f"p95 beside, times alone: {figures.ratio:.2f} (at most {_MOST:g})  {verdict}\n")
    out(f"the crowd meanwhile: {figures.crowd:.0f} calls a second\n")
    return [] if verdict == "ok" else [f"fairness ({figures.level})"]


def run(count: int, binary: str) -> list[Figures]:
    """Measure at each level in turn."""
    return [asyncio.run(measure(level, count, BINARIES[binary])) for level in LEVELS]
