"""Calls of the tools in `tracing`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Started(Beside):
    """A trace is being recorded."""

    ok: bool
    running: bool
    categories: list[str]
    restarted: bool
    hint: str
    warning: NotRequired[str]


class Totals(TypedDict):
    """Everything in numbers."""

    events: int
    longTaskCount: int
    longTaskMs: float
    layoutShiftCount: int
    layoutShiftScoreSum: float
    cumulativeLayoutShift: float
    renderBlockingCount: int
    scriptingMs: float
    renderingMs: float
    paintingMs: float
    loadingMs: float
    requests: int
    bytes: int


class LongTask(TypedDict):
    """A turn of the main thread that held everything up."""

    startMs: float
    durationMs: float
    url: NotRequired[str]
    function: NotRequired[str]


class NavigationTimes(TypedDict):
    """When the last navigation got where, in ms from its start."""

    url: str
    navigationStartMs: float
    ttfbMs: NotRequired[float]
    firstPaintMs: NotRequired[float]
    firstContentfulPaintMs: NotRequired[float]
    largestContentfulPaintMs: NotRequired[float]
    domContentLoadedMs: NotRequired[float]
    loadEventMs: NotRequired[float]


class TraceSummary(TypedDict):
    """The most important of it."""

    totals: Totals
    longestTasks: list[LongTask]
    navigation: NotRequired[NavigationTimes]


class Stopped(Beside):
    """A trace that was saved, or that there is none."""

    ok: bool
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]
    eventCount: NotRequired[int]
    categories: NotRequired[list[str]]
    durationMs: NotRequired[float]
    summary: NotRequired[TraceSummary]
    notRunning: NotRequired[bool]
    warning: NotRequired[str]


class LayoutShift(TypedDict):
    """Content that moved."""

    startMs: float
    score: float
    hadRecentInput: NotRequired[bool]


class RenderBlocking(TypedDict):
    """A resource that had to come before the first paint."""

    url: str
    durationMs: float
    type: str
    startMs: float
    bytes: int


class LcpCandidate(TypedDict):
    """The largest thing painted so far."""

    startMs: float
    size: int
    url: NotRequired[str]
    nodeName: NotRequired[str]
    type: NotRequired[str]


class Insights(TypedDict):
    """What a trace says."""

    longTasks: list[LongTask]
    layoutShifts: list[LayoutShift]
    renderBlocking: list[RenderBlocking]
    lcpCandidates: list[LcpCandidate]
    navigation: NotRequired[NavigationTimes]
    totals: Totals


class InsightsResult(Beside):
    """What a saved trace says."""

    ok: bool
    insights: Insights


class ForcedBy(TypedDict):
    """A place in a script that forces layouts."""

    originatingStack: str
    count: int
    totalDurationMs: float


class ThrashResult(Beside):
    """How often layouts were forced, and by whom."""

    ok: bool
    forcedLayoutsCount: int
    layoutShiftsCount: int
    eventsByOrigin: list[ForcedBy]
    tracePath: str
    uri: str
    durationMs: int


class TracingCalls(Calls):
    """Methods that call tools."""

    async def perf_start(
        self,
        *,
        categories: list[str] | None = None,
    ) -> Started:
        """Begin to record a performance trace of the tab; perf_stop saves it."""
        answer = await self._call("perf_start", {}, {"categories": categories}, in_tab=True)
        return cast("Started", answer)

    async def perf_stop(
        self,
        *,
        path: str | None = None,
    ) -> Stopped:
        """Save the trace, as DevTools' Performance panel opens it. Addresses are untrusted."""
        answer = await self._call("perf_stop", {}, {"path": path}, in_tab=False)
        return cast("Stopped", answer)

    async def perf_insights(
        self,
        *,
        trace_path: str,
    ) -> InsightsResult:
        """What a saved trace says: long tasks, shifts, what blocked, when. Addresses are untrusted."""
        answer = await self._call("perf_insights", {"tracePath": trace_path}, {}, in_tab=False)
        return cast("InsightsResult", answer)

    async def layout_thrash_trace(
        self,
        *,
        duration_ms: int | None = None,
    ) -> ThrashResult:
        """Watch for layouts that scripts force, and say which. Addresses are untrusted."""
        answer = await self._call("layout_thrash_trace", {}, {"durationMs": duration_ms}, in_tab=True)
        return cast("ThrashResult", answer)
