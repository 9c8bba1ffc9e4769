"""Calls of the tools in `coverage`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class CoverageStarted(Beside):
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


class CoverageResult(Beside):
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


class CoverageCalls(Calls):
    """Methods that call tools."""

    async def coverage_start(
        self,
    ) -> CoverageStarted:
        """Begin to count which scripts and style rules the tab uses, across navigations."""
        answer = await self._call("coverage_start", {}, {}, in_tab=True)
        return cast("CoverageStarted", answer)

    async def coverage_stop(
        self,
    ) -> CoverageResult:
        """What the tab used of its scripts and styles since coverage_start. Addresses are untrusted."""
        answer = await self._call("coverage_stop", {}, {}, in_tab=True)
        return cast("CoverageResult", answer)
