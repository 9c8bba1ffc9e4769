"""How much of its code a page uses."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from stockade.instruments.coverage import Coverage, report
from stockade.kernel.arguments import InTab
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import save, saved
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.urls import origin_of

__all__ = ["coverage_start", "coverage_stop"]

_TOKENS = 8000
_FEW_RANGES = 5


class CoverageStart(InTab):
    """Where to count."""


class CoverageStop(InTab):
    """Where it was counted."""


class CoverageStarted(TypedDict):
    """Coverage is being counted."""

    ok: bool
    running: bool
    startedAt: str
    restarted: bool
    hint: str
    warning: NotRequired[str]


class DeadRange(TypedDict):
    """A stretch that was not used; `line` is where an inline script begins."""

    start: int
    end: int
    line: NotRequired[int]


class JsUsage(TypedDict):
    """How much of a script was used."""

    url: str
    totalBytes: int
    usedBytes: int
    usagePercent: float
    deadRanges: NotRequired[list[DeadRange]]


class CssUsage(TypedDict):
    """How much of a style sheet was used."""

    url: str
    totalBytes: int
    usedBytes: int
    usagePercent: float
    usedRules: int
    totalRules: int
    deadRules: NotRequired[list[DeadRange]]


class CoverageResult(TypedDict):
    """What was used; with more than fits, all of it is in a file."""

    ok: bool
    jsCoverage: NotRequired[list[JsUsage]]
    cssCoverage: NotRequired[list[CssUsage]]
    durationMs: NotRequired[float]
    notRunning: NotRequired[bool]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]
    warning: NotRequired[str]


@tool(Capability.ACTION, gives=CoverageStarted, toolset="perf", structured=True, effect="looks")
async def coverage_start(call: Call, args: CoverageStart) -> dict[str, Any]:
    """Begin to count which scripts and style rules the tab uses, across navigations."""
    del args
    parts = call.tab.parts
    former = parts.drop(Coverage)
    if former is not None:
        await former.end()
    coverage = Coverage(call.tab)
    await coverage.start(timeout=call.left)
    parts.of(Coverage, lambda: coverage)
    data: dict[str, Any] = {
        "ok": True,
        "running": True,
        "startedAt": instant(),
        "restarted": former is not None,
        "hint": "Load the page and use it, then call coverage_stop.",
    }
    if former is not None:
        data["warning"] = "coverage was being counted already; that has been thrown away"
    return data


@tool(Capability.READ, gives=CoverageResult, toolset="perf", structured=True)
async def coverage_stop(call: Call, args: CoverageStop) -> Result:
    """What the tab used of its scripts and styles since coverage_start. Addresses are untrusted."""
    del args
    coverage = call.tab.parts.drop(Coverage)
    if coverage is None:
        return Result(data={"ok": True, "notRunning": True})
    seconds = coverage.seconds
    found = report(*await coverage.stop(timeout=call.left))
    data: dict[str, Any] = {"ok": True, **found, "durationMs": round(seconds * 1000, 1)}
    if estimate(compact(data)) > _TOKENS:
        artifact = await save(call, compact(found).encode(), default="coverage.json")
        data |= {**saved(call, artifact), "warning": "all ranges are in the file, a few here"}
        _shorten(found["jsCoverage"], "deadRanges")
        _shorten(found["cssCoverage"], "deadRules")
    return Result(data=data, source=origin_of(call.tab.url), tokens=_TOKENS)


def _shorten(rows: list[dict[str, Any]], key: str) -> None:
    for row in rows:
        if key in row:
            row[key] = row[key][:_FEW_RANGES]
