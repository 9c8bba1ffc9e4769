"""Five errands, run the way a model would: act on what one has been told, look when it is not enough.

Everything a contender answers counts, and everything it is sent. What must be clicked, filled or
read is looked for in what has been told about the page so far; if it is not there, the page is
looked at, and if it is not there either, the contender is asked for it in whatever way it has.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bench.contenders import Contender, ContenderFailed
from bench.contenders.errand import Errand
from bench.figures import Table
from bench.stage import Stage

__all__ = ["ALL_TASKS", "TASKS", "Task", "run_tasks"]

ALL_TASKS = "all five errands"
_FEWEST = 2
_SHARE = 0.25


@dataclass(frozen=True)
class Task:
    """One errand: where it begins, and how it goes."""

    name: str
    page: str
    run: Callable[[Errand], Awaitable[None]]


async def _look_up(errand: Errand) -> None:
    await errand.read(r"replaced silently if the user has permission", "replaced silently")


async def _sign_up(errand: Errand) -> None:
    for name, value in (("Full name", "Ada Lovelace"), ("Email", "ada@example.com"),
                        ("City", "London"), ("Company", "Analytical Engines")):  # fmt: skip
        await errand.fill(name, value)
    await errand.click("button", "Create account")
    await errand.read(r"Welcome, Ada Lovelace", "Welcome")


async def _buy(errand: Errand) -> None:
    await errand.click("button", "Add Darjeeling to basket")
    await errand.read(r"1 item in your basket: Darjeeling", "in your basket")


async def _page_through(errand: Errand) -> None:
    await errand.fill("User", "ada")
    await errand.follow("button", "Log in")
    await errand.follow("link", "Next page")
    await errand.follow("link", "Next page")
    await errand.read(r"Order 57.{0,250}?total 1234.56", "Order 57")


async def _reserve(errand: Errand) -> None:
    await errand.fill("Destination", "Lis")
    await errand.click("button", "Lisbon")
    await errand.click("button", "Reserve")
    await errand.click("button", "Yes, reserve")
    await errand.read(r"Reserved for Lisbon", "Reserved")


TASKS = (
    Task("errand: a fact in a long document", "/doc/library/os.html", _look_up),
    Task("errand: sign up", "/sign-up", _sign_up),
    Task("errand: buy from a list of forty", "/list", _buy),
    Task("errand: log in and turn two pages", "/log-in", _page_through),
    Task("errand: reserve, with suggestions and a dialog", "/reserve", _reserve),
)


async def run_tasks(
    contenders: Sequence[Contender], stage: Stage, table: Table, tasks: Sequence[Task], count: int
) -> None:
    """Every task by everyone, in turn."""
    rounds = max(_FEWEST, round(count * _SHARE))
    for task in tasks:
        print(task.name, file=sys.stderr, flush=True)
        gc.collect()
        playing = list(contenders)
        for number in range(rounds):
            first = number % len(playing) if playing else 0
            for who in playing[first:] + playing[:first]:
                try:
                    await _run(who, stage, table, task)
                except ContenderFailed as error:
                    table.cell(task.name, who.name).failure = str(error)
                    playing.remove(who)
    if len(tasks) == len(TASKS):
        _add_up(contenders, table)


async def _run(who: Contender, stage: Stage, table: Table, task: Task) -> None:
    # Every visit is a new one: nothing of the page is known from before.
    await who.open(stage.site.url("/away"))
    errand = Errand(who)
    await errand.open(stage.site.url(task.page))
    await task.run(errand)
    cell = table.cell(task.name, who.name)
    cell.add(errand.spent)
    cell.note = f"{errand.calls} calls"


def _add_up(contenders: Sequence[Contender], table: Table) -> None:
    for who in contenders:
        cells = [table.cell(task.name, who.name) for task in TASKS]
        whole = table.cell(ALL_TASKS, who.name)
        if any(cell.failure or not cell.runs for cell in cells):
            whole.failure = "not all were done"
            continue
        whole.runs.append(sum(cell.median for cell in cells))
        whole.sizes.append(sum(cell.size or 0 for cell in cells))
        whole.wire.append(0)
        calls = sum(int(re.sub(r"\D", "", cell.note)) for cell in cells)
        whole.note = f"{calls} calls"
