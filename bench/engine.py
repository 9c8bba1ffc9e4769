"""The engine-level budgets and the settle table, on both binaries."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.figures import Cell
from bench.machine import end_when_told
from bench.pages import DOCUMENT, SETTLING, serve
from stockade.engines.cdp import ChromiumEngine
from stockade.engines.port import Page
from stockade.engines.values import ContextOptions, LaunchOptions, World
from stockade.page.actions import Actions
from stockade.page.agent import PageAgent, init_script
from stockade.page.snapshot import SnapshotOptions, Snapshots
from tests.support.browsers import BINARIES
from tests.support.site import Site

CALLER = "bench"
_TEN_FRAMES = """() => new Promise((done) => { let left = 10;
  (function next() { left-- ? requestAnimationFrame(next) : done(); })(); })"""
BUDGETS = {
    "snapshot of library/os.html, default budget": 30.0,
    "snapshot of a form": 8.0,
    "click, settled, with delta": 40.0,
    "fill": 45.0,
    "screenshot, jpeg": 45.0,
    "click without effect": 200.0,
    "navigation above DOMContentLoaded": 25.0,
}


@dataclass
class Figures:
    """Milliseconds of every run of every measurement on one binary."""

    binary: str
    product: str = ""
    runs: dict[str, Cell] = field(default_factory=dict)

    async def time(self, name: str, act: Callable[[], Awaitable[object]], count: int) -> None:
        """Run `act` once to warm up and `count` times for the record."""
        await act()
        for _ in range(count):
            start = time.perf_counter()
            await act()
            self.add(name, time.perf_counter() - start)

    def add(self, name: str, seconds: float) -> None:
        self.runs.setdefault(name, Cell()).runs.append(seconds * 1000)

    def note(self, name: str, text: str) -> None:
        self.runs[name].note = text

    def summary(self) -> dict[str, Any]:
        rows = {name: cell.summary() for name, cell in self.runs.items()}
        return {"binary": self.binary, "product": self.product, "rows": rows}


async def ref_of(agent: PageAgent, selector: str) -> str:
    found = await agent.call(agent.page.main_frame, "select", selector=selector, caller=CALLER)
    return str(found["candidates"][0]["ref"])


async def budgets(page: Page, site: Site, figures: Figures, count: int) -> None:
    agent = PageAgent(page)
    actions, snapshots = Actions(agent), Snapshots(agent)

    if Path(DOCUMENT).is_file():
        await page.navigate(site.url("/doc/library/os.html"), until="load", timeout=60)
        await figures.time(
            "snapshot of library/os.html, default budget", lambda: snapshots.take(CALLER), count
        )
        whole = SnapshotOptions(mode="interactive", budget=1_000_000)
        await figures.time(
            "the same, all interactive elements", lambda: snapshots.take(CALLER, whole), count
        )
        shown = await snapshots.take(CALLER, whole)
        figures.note(
            "the same, all interactive elements",
            f"{len(shown.text) // 1024} KB, {shown.interactive} elements",
        )
        everything = SnapshotOptions(budget=1_000_000)
        await figures.time(
            "the same, full", lambda: snapshots.take(CALLER, everything), max(3, count // 3)
        )
        shown = await snapshots.take(CALLER, everything)
        figures.note("the same, full", f"{len(shown.text) // 1024} KB")

    await page.navigate(site.url("/form"), until="load")
    await figures.time("snapshot of a form", lambda: snapshots.take(CALLER), count)
    await figures.time("screenshot, jpeg", page.screenshot, count)
    field = await ref_of(agent, "input[name=first]")
    numbers = iter(range(10_000))
    await figures.time(
        "fill", lambda: actions.fill(field, f"text {next(numbers)}", caller=CALLER), count
    )

    await page.navigate(site.url("/settle/0"), until="load")
    await snapshots.take(CALLER)
    button = await ref_of(agent, "button")

    async def click_and_look() -> None:
        await actions.click(button, caller=CALLER)
        await snapshots.delta(CALLER)

    await figures.time("click, settled, with delta", click_and_look, count)

    await page.navigate(site.url("/settle/1"), until="load")
    button = await ref_of(agent, "button")
    await figures.time(
        "click without effect", lambda: actions.click(button, caller=CALLER), max(3, count // 3)
    )

    for _ in range(count):
        start = time.perf_counter()
        await page.navigate(site.url("/form"))
        shown_at = await page.main_frame.call(
            "() => [performance.timeOrigin / 1000, performance.timing.domContentLoadedEventEnd / 1000]"
        )
        took = time.perf_counter() - start
        figures.add(
            "navigation above DOMContentLoaded", max(0.0, took - (shown_at[1] - shown_at[0]))
        )


async def settling(page: Page, site: Site, figures: Figures, count: int) -> None:
    agent = PageAgent(page)
    actions = Actions(agent)
    for number, name in enumerate(SETTLING):
        seen = 0
        for _ in range(count):
            await page.navigate(site.url(f"/settle/{number}"), until="load")
            if name.startswith("polling"):
                site.requests.clear()
                await site.wait_asked("/poll", 4)
            # The page at rest, or in its usual unrest: an animation has begun by then.
            await page.main_frame.call(_TEN_FRAMES)
            target = await ref_of(agent, "a" if name == "link navigation" else "button")
            start = time.perf_counter()
            await actions.click(target, caller=CALLER)
            figures.add(f"settle: {name}", time.perf_counter() - start)
            final = await page.main_frame.call("() => out.textContent", world=World.MAIN)
            seen += final == "final"
        if name != "click without effect":
            figures.note(f"settle: {name}", f"final state seen {seen}/{count}")


async def measure(binary: str, count: int) -> Figures:
    end_when_told()
    print(f"engine: {binary}", file=sys.stderr, flush=True)
    figures = Figures(binary)
    async with serve() as site:
        browser = await ChromiumEngine().launch(LaunchOptions(binary=BINARIES[binary]))
        try:
            figures.product = browser.product
            context = await browser.new_context(ContextOptions(init_scripts=(init_script(),)))
            page = await context.new_page()
            await budgets(page, site, figures, count)
            await settling(page, site, figures, max(4, count // 2))
        finally:
            await browser.close()
    return figures


def show(figures: Figures) -> list[str]:
    """Print the figures of one binary; the rows that are over their budget."""
    out = sys.stdout.write
    out(f"\n{figures.product} ({figures.binary})\n")
    out(f"{'':52}{'median':>9}{'min':>9}{'p95':>9}{'budget':>9}\n")
    over = []
    for name, cell in figures.runs.items():
        budget = BUDGETS.get(name)
        verdict = ""
        if budget is not None:
            verdict = "ok" if cell.median <= budget else "OVER"
        if verdict == "OVER":
            over.append(f"{name} ({figures.binary})")
        out(
            f"{name:52}{cell.median:8.1f} {cell.least:8.1f} {cell.p95:8.1f} "
            f"{f'{budget:8.0f}' if budget else '        '}  {verdict:4}  {cell.note}\n"
        )
    return over


def run(count: int, binaries: Sequence[str]) -> list[Figures]:
    """Measure on each binary in turn."""
    return [asyncio.run(measure(binary, count)) for binary in binaries]
