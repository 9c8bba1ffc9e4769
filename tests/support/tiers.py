"""Tiers: which tests belong together, and how long each kind may take in a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent


@dataclass(frozen=True)
class Tier:
    """A kind of test. Serial tiers run on one worker, one after another."""

    name: str
    seconds: float
    serial: bool = False


UNIT = Tier("unit", 90)
BY_DIRECTORY = {
    "engines": Tier("engines", 150),
    "page": Tier("page", 150),
    "sessions": Tier("sessions", 60),
    "kernel": Tier("kernel", 45),
    "tools": Tier("tools", 60),
    "cli": Tier("cli", 90),
    "jails": Tier("jails", 60, serial=True),
    "egress": Tier("egress", 60, serial=True),
    "store": Tier("store", 45),
    "surfaces": Tier("surfaces", 90),
    "console": Tier("console", 60),
    "fuzz": Tier("fuzz", 60),
    "gate": Tier("gate", 90),
    "soak": Tier("soak", 120),
}

LONG = (
    "tests/soak/test_secret_search.py",
    "tests/fuzz/test_rest.py",
    "tests/gate/test_worst_case.py",
    "tests/examples/test_examples.py",
    "tests/soak/test_tab_server.py",
    "tests/engines/test_failures.py",
    "tests/engines/test_floods.py",
    "tests/cli/test_program.py",
    "tests/cli/test_journeys.py",
    "tests/cli/test_mcp.py",
    "tests/page/agent/test_agreement.py",
    "tests/page/test_actions.py",
)
"""Groups that begin first, so that none is still under way when all the others are done."""


def tier_of(path: Path) -> Tier:
    """The tier of a test file: by its first directory, `unit` where none is named."""
    relative = path.relative_to(TESTS) if path.is_relative_to(TESTS) else path
    return BY_DIRECTORY.get(relative.parts[0], UNIT)


def wall_seconds(intervals: Iterable[tuple[float, float]]) -> float:
    """The length of the union: two workers at once take one second per second."""
    total = 0.0
    end = float("-inf")
    for start, stop in sorted(intervals):
        if stop > end:
            total += stop - max(start, end)
            end = stop
    return total


class TierClock:
    """Collects when tests ran and prints each tier's wall time beside its budget."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._intervals: defaultdict[Tier, list[tuple[float, float]]] = defaultdict(list)
        self._tests: defaultdict[Tier, set[str]] = defaultdict(set)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        tier = tier_of(self._root / report.location[0])
        self._intervals[tier].append((report.start, report.stop))
        self._tests[tier].add(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self._intervals:
            return
        terminalreporter.section("tiers")
        for tier, intervals in sorted(self._intervals.items(), key=lambda item: item[0].name):
            seconds = wall_seconds(intervals)
            over = seconds > tier.seconds
            terminalreporter.write_line(
                f"{tier.name:<10}{len(self._tests[tier]):>6} tests{seconds:>8.1f} s"
                f" of {tier.seconds:.0f} s{'  OVER BUDGET' if over else ''}",
                yellow=over,
            )


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(TierClock(config.rootpath), "tier-clock")


# Before xdist reads the groups, whatever was registered first.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep a module's tests on one worker, and a serial tier's tests all on the same one."""
    items.sort(
        key=lambda item: LONG.index(group) if (group := group_of(item)) in LONG else len(LONG)
    )
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group_of(item)))


def group_of(item: pytest.Item) -> str:
    """What runs on one worker."""
    tier = tier_of(item.path)
    return tier.name if tier.serial else item.nodeid.partition("::")[0]
