"""`python -m bench apps`: whole tasks, side by side."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from bench.apps import report
from bench.apps.applications import APPLICATIONS
from bench.apps.driver import THOUGHT_SECONDS
from bench.apps.episodes import DRIVERS, Chosen, Plan, Record, is_wanted, run_episodes
from bench.apps.miniwob_suite import MiniWobSuite
from bench.apps.suite import Suite
from bench.npm import Packages

__all__ = ["DEVELOPMENT_SEEDS", "SEEDS", "add_arguments", "prepare", "run", "show"]

SEEDS = range(5)
"""What is reported. Policies are written against others."""
DEVELOPMENT_SEEDS = range(1000, 1005)

SUITES: tuple[type[Suite], ...] = (MiniWobSuite, *APPLICATIONS)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tasks", type=_names, default=(),
        help="apps: suites or tasks by name, or a part of names before a `*`",
    )  # fmt: skip
    parser.add_argument(
        "--seeds", type=_seeds, help="apps: such as 0-4, or 1000-1004 to develop with"
    )
    parser.add_argument("--repeats", type=int, help="apps: how often, if not once for each seed")
    parser.add_argument(
        "--thought", type=float, default=THOUGHT_SECONDS, help="apps: seconds between calls"
    )
    parser.add_argument("--trace", type=Path, help="apps: write every call there, for each episode")


def prepare(given: argparse.Namespace, record: Record) -> Chosen:
    """Choose the tasks and install what they need, while there is a network."""
    chosen: Chosen = {}
    for kind in SUITES:
        suite = kind()
        tasks = [each for each in suite.tasks() if is_wanted(given.tasks, f"{suite.name}/{each}")]
        absent = suite.prepare(tasks, fresh=given.fresh) if tasks else {}
        record.absent |= {f"{suite.name}/{task}": why for task, why in absent.items()}
        if left := [task for task in tasks if task not in absent]:
            chosen[suite] = left
    return chosen


def run(
    given: argparse.Namespace,
    browser: Path,
    packages: Packages | None,
    chosen: Chosen,
    record: Record,
) -> None:
    seeds = given.seeds or (SEEDS[:1] if given.quick else SEEDS)
    if given.repeats:
        seeds = range(given.repeats)
    only = [name for name in given.only if name in DRIVERS]
    plan = Plan(browser, packages, given.stockade, list(seeds), only, given.trace, given.thought)
    asyncio.run(run_episodes(plan, chosen, record))


def show(record: Record, product: str) -> list[str]:
    return report.show(record, heading=f"Whole tasks, MCP over stdio, {product}")


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _seeds(text: str) -> list[int]:
    found: list[int] = []
    for part in _names(text):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found
