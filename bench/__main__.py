"""`python -m bench [engine|peers|apps|fairness|hostile|routes|proxy|flood|masking|jails]`: the first two when none is named."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import engine, fairness, flood, hostile, jails, masking, proxy, report, routes
from bench.apps import command as whole_tasks
from bench.apps.episodes import Record
from bench.comparison import Plan, compare
from bench.contenders import CONTENDERS
from bench.machine import adopt_orphans, leave_network
from bench.npm import install
from bench.plot import draw
from tests.support.browsers import BINARIES

_IDLE = 0.5


def main() -> None:
    """Measure, print, and say whether the budgets were kept."""
    given = _arguments()
    count = given.count or (3 if given.quick else 20)
    starts = given.starts or (1 if given.quick else 5)
    parts = [given.part] if given.part else ["engine", "peers"]
    packages = install(fresh=given.fresh) if {"peers", "apps"} & set(parts) else None
    record = Record()
    chosen = whole_tasks.prepare(given, record) if "apps" in parts else {}
    browser = BINARIES[given.binary or "shell"]
    product = _product(browser)
    load = os.getloadavg()[0]
    if load > _IDLE:
        print(f"the load is {load:.1f}: these figures mean little", file=sys.stderr)
    alone = leave_network()
    if not alone:
        print("no network namespace: peers are kept quiet by their flags alone", file=sys.stderr)
    adopt_orphans()
    summary: dict[str, Any] = {
        "machine": {
            "system": platform.platform(),
            "cores": os.cpu_count(),
            "load": load,
            "browser": product,
            "loopback_only": alone,
        }
    }
    over: list[str] = []
    if "engine" in parts:
        figures = engine.run(count, [given.binary] if given.binary else ["shell", "full"])
        over += [row for each in figures for row in engine.show(each)]
        summary["engine"] = [each.summary() for each in figures]
    if "peers" in parts:
        plan = Plan(browser, packages, given.stockade, count, starts, given.only, given.rows)
        table = asyncio.run(compare(plan))
        over += report.show(
            table, heading=f"Stockade and its peers, MCP over stdio, {product} ({browser.name})"
        )
        summary["peers"] = table.summary()
        if given.plot:
            draw(table, given.plot, heading=f"Stockade and its peers, {product}")
    if "apps" in parts:
        whole_tasks.run(given, browser, packages, chosen, record)
        over += whole_tasks.show(record, product)
        summary["apps"] = record.summary()
    if "fairness" in parts:
        levels = fairness.run(count, given.binary or "shell")
        over += [row for each in levels for row in fairness.show(each)]
        summary["fairness"] = [each.summary() for each in levels]
    for part in filter(_OTHERS.__contains__, parts):
        measured, shown = _OTHERS[part](given)
        over += shown
        summary[part] = measured.summary()
    _conclude(given, summary, over)


def _routes(given: argparse.Namespace) -> tuple[routes.Figures, Sequence[str]]:
    rounds = given.count or (3 if given.quick else 200)
    found = routes.run(rounds, given.binary or "shell", given.rows)
    return found, routes.show(found)


def _proxy(given: argparse.Namespace) -> tuple[proxy.Figures, list[str]]:
    found = proxy.run(given.count or (3 if given.quick else 20), given.binary or "shell")
    return found, proxy.show(found)


def _hostile(given: argparse.Namespace) -> tuple[hostile.Figures, list[str]]:
    found = hostile.run(given.count or (20 if given.quick else 200), given.binary or "shell")
    return found, hostile.show(found)


def _flood(given: argparse.Namespace) -> tuple[flood.Figures, list[str]]:
    found = flood.run(given.count or (3 if given.quick else 20))
    return found, flood.show(found)


def _masking(given: argparse.Namespace) -> tuple[masking.Figures, list[str]]:
    found = masking.run(given.count or (3 if given.quick else 100))
    return found, masking.show(found)


def _jails(given: argparse.Namespace) -> tuple[jails.Figures, list[str]]:
    found = jails.run(given.count or (3 if given.quick else 10), given.binary or "shell")
    return found, jails.show(found)


_OTHERS: dict[str, Callable[[argparse.Namespace], tuple[Any, Sequence[str]]]] = {
    "routes": _routes,
    "proxy": _proxy,
    "hostile": _hostile,
    "flood": _flood,
    "masking": _masking,
    "jails": _jails,
}


def _conclude(given: argparse.Namespace, summary: dict[str, Any], over: list[str]) -> None:
    if given.json:
        given.json.write_text(json.dumps(summary, indent=1), encoding="utf-8")
    if given.strict and over:
        sys.exit(f"over budget: {', '.join(over)}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "part",
        nargs="?",
        choices=["engine", "peers", "apps", "fairness", *_OTHERS],
        help="only this part",
    )
    parser.add_argument("--count", type=int, help="rounds of each measurement (20)")
    parser.add_argument("--starts", type=int, help="starts of each server (5)")
    parser.add_argument("--quick", action="store_true", help="3 rounds and 1 start: a try-out")
    parser.add_argument("--binary", choices=sorted(BINARIES), help="only this browser")
    parser.add_argument(
        "--only", type=_contenders, default=(), help=f"contenders, of {','.join(CONTENDERS)}"
    )
    parser.add_argument(
        "--rows", type=_names, default=(), help="rows by a part of their name, or start, serve"
    )
    parser.add_argument(
        "--stockade",
        type=Path,
        default=Path(sys.executable).with_name("stockade"),
        help="the command, if not the one beside this interpreter",
    )
    parser.add_argument("--json", type=Path, help="write every run there")
    parser.add_argument("--plot", type=Path, help="draw the comparison there, as SVG")
    parser.add_argument("--strict", action="store_true", help="fail when a budget is not kept")
    parser.add_argument("--fresh", action="store_true", help="install the peers anew")
    whole_tasks.add_arguments(parser)
    return parser.parse_args()


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _contenders(text: str) -> tuple[str, ...]:
    names = _names(text)
    if unknown := [name for name in names if name not in CONTENDERS]:
        raise argparse.ArgumentTypeError(f"no contender is called {', '.join(unknown)}")
    return names


def _product(browser: Path) -> str:
    said = subprocess.run([browser, "--version"], capture_output=True, text=True, check=False)
    return " ".join(said.stdout.split()[:2])


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit(130)
