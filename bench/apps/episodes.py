"""Episodes: every task, with every seed, by every contender in turn."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from bench.apps.driver import THOUGHT_SECONDS, ActionFailed, Driver
from bench.apps.playwright import PlaywrightDriver
from bench.apps.stockade import StockadeDriver
from bench.apps.suite import Outcome, Suite
from bench.contenders import Arena, ContenderFailed, installed
from bench.contenders.playwright import Playwright
from bench.contenders.stockade import Stockade
from bench.machine import end_when_told
from bench.npm import Packages

__all__ = ["DRIVERS", "Chosen", "Episode", "Plan", "Record", "is_wanted", "run_episodes"]

_TOOLSETS = "core,forms"
"""A listing about as large as Playwright MCP's default one, which has a drag as well."""


Chosen: TypeAlias = "dict[Suite, list[str]]"


class _StockadeWithForms(Stockade):
    def settings(self, home: Path) -> dict[str, str]:
        given = {"STOCKADE_TOOLSETS": _TOOLSETS, "STOCKADE_CAPABILITIES": "default,file-io"}
        return {**super().settings(home), **given}


DRIVERS = {
    "stockade": (_StockadeWithForms, StockadeDriver),
    "playwright": (Playwright, PlaywrightDriver),
}


@dataclass(frozen=True)
class Plan:
    """What is to be run."""

    browser: Path
    packages: Packages | None
    stockade: Path
    seeds: Sequence[int]
    only: Sequence[str] = ()
    trace: Path | None = None
    """A folder for every call with its result."""
    thought: float = THOUGHT_SECONDS


@dataclass(frozen=True)
class Episode:
    """One run of one task by one contender."""

    task: str
    contender: str
    seed: int
    success: bool
    calls: int
    size: int
    sent: int
    seconds: float
    why: str = ""
    refusals: int = 0
    """Results that say that a call failed."""
    false_failures: int = 0
    false_successes: int = 0
    steps: int = 0


@dataclass
class Record:
    """All of them, and what there is to say about the contenders."""

    versions: dict[str, str] = field(default_factory=dict)
    listing: dict[str, int] = field(default_factory=dict)
    """Bytes of `tools/list`, which a model is given once."""
    absent: dict[str, str] = field(default_factory=dict)
    """Contenders and tasks that are not to be had, and why."""
    episodes: list[Episode] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        return asdict(self)


async def run_episodes(plan: Plan, chosen: Chosen, record: Record) -> None:
    """Start the contenders, and run one suite after the other while it is served."""
    end_when_told()
    async with AsyncExitStack() as stack:
        arena = Arena(plan.browser, plan.packages, "127.0.0.1:*,localhost:*", plan.stockade)
        drivers = [
            each for each in _drivers(plan, arena, record) if await _runs(each, stack, record)
        ]
        for suite, tasks in chosen.items():
            async with suite.serve():
                for task in tasks:
                    await _run_task(plan, suite, task, drivers, record)


def _drivers(plan: Plan, arena: Arena, record: Record) -> list[Driver]:
    kinds = [contender for contender, _ in DRIVERS.values()]
    drivers = [DRIVERS[who.name][1](who) for who in installed(kinds, arena, record, plan.only)]
    for driver in drivers:
        driver.thought = plan.thought
    return drivers


async def _runs(driver: Driver, stack: AsyncExitStack, record: Record) -> bool:
    try:
        await stack.enter_async_context(driver.who.running())
        # A browser is started by the first call, which is no part of any task.
        await driver.who.open("about:blank")
        record.listing[driver.name] = len(json.dumps(await driver.who.tools()).encode())
    except ContenderFailed as error:
        record.absent[driver.name] = str(error)
        return False
    return True


async def _run_task(
    plan: Plan, suite: Suite, task: str, drivers: Sequence[Driver], record: Record
) -> None:
    for number, seed in enumerate(plan.seeds):
        first = number % len(drivers) if drivers else 0
        for driver in [*drivers[first:], *drivers[:first]]:
            if driver.name != Stockade.name and not suite.is_compared(task):
                continue
            driver.begin()
            try:
                outcome = await suite.episode(driver, task, seed)
            except (ActionFailed, ContenderFailed) as error:
                outcome = Outcome(success=False, why=str(error))
            spent = driver.spent
            record.episodes.append(
                Episode(
                    f"{suite.name}/{task}", driver.name, seed, outcome.success,
                    spent.calls, spent.size, spent.sent, spent.seconds, outcome.why,
                    sum(call.result.is_error for call in driver.log),
                    outcome.false_failures, outcome.false_successes, outcome.steps,
                )
            )  # fmt: skip
            _progress(record.episodes[-1])
            if plan.trace is not None:
                _trace(plan.trace, driver, record.episodes[-1])


def is_wanted(wanted: Sequence[str], task: str) -> bool:
    """Whether a task is among those named: by itself, by its suite, or by a part before a `*`."""
    suite, _, name = task.partition("/")
    return not wanted or any(
        each in {task, suite, name} or (each.endswith("*") and each[:-1] in task) for each in wanted
    )


def _progress(episode: Episode) -> None:
    word = "done" if episode.success else f"FAILED ({episode.why[:300]})"
    print(
        f"{episode.task} {episode.seed} {episode.contender}: {episode.calls} calls, "
        f"{episode.size:,} B, {episode.seconds * 1000:.0f} ms, {word}",
        file=sys.stderr,
        flush=True,
    )


def _trace(folder: Path, driver: Driver, episode: Episode) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{episode.task.replace('/', '-')}-{episode.seed}-{episode.contender}.txt"
    parts = [f"success={episode.success} {episode.why}"]
    parts += [
        f">>> {call.tool} {json.dumps(call.arguments, ensure_ascii=False)}\n"
        f"<<< {call.result.size} B, {call.result.seconds * 1000:.0f} ms\n{call.result.text}"
        for call in driver.log
    ]
    (folder / name).write_text("\n\n".join(parts), encoding="utf-8")
