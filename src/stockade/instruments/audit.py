"""An audit: a tab is watched for a while, and what makes it slow is told.

The score begins at 100. Every issue takes away by its severity (high 10, medium 4, low 1), each
category at most 30, and nothing goes below 0.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from stockade.errors import DeadlineExceeded, EngineError
from stockade.instruments.analysers import ANALYSERS, Facts, Issue
from stockade.instruments.coverage import Coverage, report
from stockade.instruments.insights import insights
from stockade.instruments.sieve import events
from stockade.instruments.thrash import Thrash, thrash
from stockade.instruments.tracing import DEFAULT_CATEGORIES, Recording, Tracer
from stockade.instruments.vitals import Memory, memory, vitals
from stockade.sessions.tab import Tab

__all__ = ["Audit", "judge", "score", "watch"]

_WEIGHTS = {"high": 10, "medium": 4, "low": 1}
_MOST_PER_CATEGORY = 30
_TOP = 5
_FEW = 3
_PATIENCE = 10.0
_MOST_TASKS = 20


@dataclass
class Audit:
    """What was seen, and the trace that shows it."""

    facts: Facts
    recording: Recording
    warnings: list[str]


async def watch(
    tab: Tab, tracer: Tracer, categories: Collection[str], seconds: float, *, timeout: float
) -> Audit:
    """Look on for that long; nothing is loaded again and nothing is touched."""
    warnings: list[str] = []
    async with _counting(tab, categories, warnings, timeout) as coverage:
        # The rubbish is taken out after the engine was asked what it remembers.
        weighs = "leak-suspects" in categories
        before = await _weighed(tab, warnings) if weighs else None
        async with tracer.during(tab, DEFAULT_CATEGORIES, timeout=timeout) as trace:
            await asyncio.sleep(seconds)
            recording = await trace.stop(timeout=timeout)
        counted = report(*await coverage.stop(timeout=timeout)) if coverage is not None else None
    seen = await vitals(tab.page)
    after = await _weighed(tab, warnings, detached=True) if before is not None else None
    tasks, forced = await asyncio.to_thread(_read, recording)
    return Audit(Facts(seen, forced, tasks, counted, before, after), recording, warnings)


@asynccontextmanager
async def _counting(
    tab: Tab, categories: Collection[str], warnings: list[str], timeout: float
) -> AsyncIterator[Coverage | None]:
    """Count what is used, unless the caller does so already."""
    if "unused-code" not in categories:
        yield None
    elif tab.parts.get(Coverage) is not None:
        warnings.append("unused-code was left out: coverage_start is counting in this tab")
        yield None
    else:
        coverage = Coverage(tab, past=True)
        try:
            await coverage.start(timeout=timeout)
            yield coverage
        finally:
            await tab.session.work.finish(coverage.end)


async def _weighed(tab: Tab, warnings: list[str], *, detached: bool = False) -> Memory | None:
    try:
        return await memory(tab.page.devtools[0], detached=detached, timeout=_PATIENCE)
    except (EngineError, DeadlineExceeded) as error:
        warnings.append(f"leak-suspects was left out: {error.message}")
        return None


def _read(recording: Recording) -> tuple[list[dict[str, Any]], Thrash]:
    listed = list(events(recording.file))
    recording.file.seek(0)
    return insights(listed)["longTasks"][:_MOST_TASKS], thrash(listed)


def judge(facts: Facts, categories: Collection[str], *, full: bool) -> dict[str, Any]:
    """What is wrong in each category, with a score for all of it."""
    found = {each: analyse(facts) for each, analyse in ANALYSERS.items() if each in categories}
    every = [(category, issue) for category, issues in found.items() for issue in issues]
    every.sort(key=lambda each: -_WEIGHTS[each[1].severity])
    most = None if full else _FEW
    return {
        "summary": {
            "score": score(found),
            "topIssues": [
                {"category": category, "severity": issue.severity, "title": issue.title}
                for category, issue in every[:_TOP]
            ],
            "issueCount": len(every),
        },
        "byCategory": {
            category: {
                "issues": [_issue(category, each) for each in issues[:most]],
                "remediations": _remedies(category, issues)[:most],
            }
            for category, issues in found.items()
        },
        "categoriesRun": list(found),
    }


def score(found: dict[str, list[Issue]]) -> int:
    """From 100, which is nothing to complain of, down to 0."""
    lost = (
        min(sum(_WEIGHTS[each.severity] for each in issues), _MOST_PER_CATEGORY)
        for issues in found.values()
    )
    return max(100 - sum(lost), 0)


def _issue(category: str, issue: Issue) -> dict[str, Any]:
    return {
        "category": category,
        "severity": issue.severity,
        "title": issue.title,
        "details": issue.details,
    }


def _remedies(category: str, issues: list[Issue]) -> list[dict[str, Any]]:
    """Each once, with the first thing it would help."""
    told: dict[str, dict[str, Any]] = {}
    for issue in issues:
        remedy = {"category": category, "action": issue.action}
        if issue.target:
            remedy["target"] = issue.target
        told.setdefault(issue.action, remedy)
    return list(told.values())
