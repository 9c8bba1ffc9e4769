"""Episodes as a table for people: each task, and all of them, with the contenders side by side."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table as Grid

from bench.apps.episodes import Episode, Record

__all__ = ["Sum", "add_up", "show"]

_WIDTH = 170
_OURS, _THEIRS = "stockade", "playwright"
_POINTS = 5.0
_MOST = {"calls": 0.8, "size": 0.7, "seconds": 0.35}


@dataclass(frozen=True)
class Sum:
    """What episodes cost on average."""

    count: int
    successes: int
    calls: float
    size: float
    sent: float
    seconds: float

    @property
    def percent(self) -> float:
        return 100 * self.successes / self.count


def add_up(episodes: Sequence[Episode]) -> Sum | None:
    if not episodes:
        return None
    number = len(episodes)
    return Sum(
        count=number,
        successes=sum(each.success for each in episodes),
        calls=sum(each.calls for each in episodes) / number,
        size=sum(each.size for each in episodes) / number,
        sent=sum(each.sent for each in episodes) / number,
        seconds=sum(each.seconds for each in episodes) / number,
    )


def show(record: Record, *, heading: str) -> list[str]:
    """Print everything; what falls short of the goals for MiniWoB++."""
    console = Console(width=None if sys.stdout.isatty() else _WIDTH, highlight=False)
    console.print(f"\n{heading}")
    for name, version in record.versions.items():
        size = record.listing.get(name)
        listing = f", tools/list {size:,} B" if size else ""
        console.print(f"  {name}: {version}{listing}", markup=False)
    for name, why in record.absent.items():
        console.print(f"  {name}: absent: {why}", markup=False)
    if not record.episodes:
        return []
    console.print(_grid(record))
    for each in record.episodes:
        if not each.success:
            console.print(
                f"{each.contender}: {each.task}, seed {each.seed}: {each.why[:200]}", markup=False
            )
    return [*_judge(record, console), *_judge_flows(record, console)]


def _grid(record: Record) -> Grid:
    names = [name for name in record.versions if name not in record.absent]
    grid = Grid(box=box.SIMPLE, pad_edge=False, caption="averages of an episode, failed ones too")
    grid.add_column("")
    for name in names:
        for what in ("done", "calls", "bytes", "ms"):
            grid.add_column(f"{name}\n{what}", justify="right")
    if len(names) == 2:
        grid.add_column("ratio of\ncalls", justify="right")
        grid.add_column("\nbytes", justify="right")
        grid.add_column("\ntime", justify="right")
    tasks = list(dict.fromkeys(each.task for each in record.episodes))
    for task in tasks:
        _add_row(grid, task, names, _of(record, lambda each, task=task: each.task == task))  # type: ignore[misc]
    suites = list(dict.fromkeys(task.partition("/")[0] for task in tasks))
    grid.add_section()
    for suite in suites:
        chosen = _of(record, lambda each, suite=suite: each.task.startswith(f"{suite}/"))  # type: ignore[misc]
        _add_row(grid, f"all of {suite}", names, chosen)
    return grid


def _of(record: Record, keep: Callable[[Episode], bool]) -> list[Episode]:
    return [each for each in record.episodes if keep(each)]


def _add_row(grid: Grid, title: str, names: Sequence[str], episodes: Sequence[Episode]) -> None:
    sums = [add_up([each for each in episodes if each.contender == name]) for name in names]
    cells = []
    for each in sums:
        if each is None:
            cells += [""] * 4
            continue
        cells += [
            f"{each.successes}/{each.count}",
            f"{each.calls:.1f}",
            f"{each.size:,.0f}",
            f"{each.seconds * 1000:,.0f}",
        ]
    if len(sums) == 2 and sums[0] and sums[1]:
        one, other = sums[0], sums[1]
        cells += [
            f"{one.calls / other.calls:.2f}",
            f"{one.size / other.size:.2f}",
            f"{one.seconds / other.seconds:.2f}",
        ]
    grid.add_row(title, *cells)


def _judge_flows(record: Record, console: Console) -> list[str]:
    """What results of applications claimed, and flows that cost more than the other's."""
    chosen = _of(record, lambda each: not each.task.startswith("miniwob/"))
    short = []
    for name in dict.fromkeys(each.contender for each in chosen):
        episodes = [each for each in chosen if each.contender == name]
        refusals = sum(each.refusals for each in episodes)
        failures = sum(each.false_failures for each in episodes)
        successes = sum(each.false_successes for each in episodes)
        console.print(
            f"{name}, applications: {sum(each.success for each in episodes)} of {len(episodes)} done; "
            f"{refusals} calls refused, {failures} of them acted all the same; "
            f"{successes} steps not done though no result said so"
        )
        if name == _OURS and failures + successes:
            short.append("what results of applications claim")
    _show_controls([each for each in chosen if each.contender == _OURS], console)
    for task in dict.fromkeys(each.task for each in chosen):
        ours, theirs = (
            add_up([each for each in chosen if (each.task, each.contender) == (task, name)])
            for name in (_OURS, _THEIRS)
        )
        if ours is not None and ours.successes < ours.count:
            short.append(task)
        elif ours and theirs and (ours.calls >= theirs.calls or ours.size >= theirs.size):
            short.append(f"cost of {task}")
    return short


def _show_controls(episodes: Sequence[Episode], console: Console) -> None:
    """What came of the controls of each application, one by one."""
    grid = Grid(box=box.SIMPLE, pad_edge=False, caption="Stockade, control by control")
    grid.add_column("")
    for what in ("controls", "episodes", "done", "refused", "false failures", "false successes"):
        grid.add_column(what, justify="right")
    for suite in dict.fromkeys(each.task.partition("/")[0] for each in episodes):
        own = [each for each in episodes if each.task.startswith(f"{suite}/")]
        steps = {each.task: each.steps for each in own}
        counts = (
            sum(steps.values()),
            len(own),
            sum(each.success for each in own),
            sum(each.refusals for each in own),
            sum(each.false_failures for each in own),
            sum(each.false_successes for each in own),
        )
        grid.add_row(suite, *map(str, counts))
    if grid.row_count:
        console.print(grid)


def _judge(record: Record, console: Console) -> list[str]:
    chosen = _of(record, lambda each: each.task.startswith("miniwob/"))
    ours = add_up([each for each in chosen if each.contender == _OURS])
    theirs = add_up([each for each in chosen if each.contender == _THEIRS])
    if ours is None or theirs is None:
        return []
    short = []
    ahead = ours.percent - theirs.percent
    console.print(
        f"success: {ours.percent:.1f} % and {theirs.percent:.1f} %: {ahead:+.1f} points (goal +{_POINTS:.0f})"
    )
    if ahead < _POINTS:
        short.append("success on MiniWoB++")
    for what, most in _MOST.items():
        ratio = getattr(ours, what) / getattr(theirs, what)
        console.print(f"{what}: {ratio:.2f} times (goal {most})")
        if ratio > most:
            short.append(f"{what} on MiniWoB++")
    return short
