"""Traces of what a page does, and what they say."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import ArtifactNotFound, EngineError
from stockade.instruments.insights import insights
from stockade.instruments.sieve import events
from stockade.instruments.thrash import CATEGORIES, thrash
from stockade.instruments.tracing import DEFAULT_CATEGORIES, Recording, Tracer
from stockade.kernel.arguments import InSession, InTab
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.saving import save, saved, shown_path
from stockade.kernel.targets import looking_on
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability

__all__ = ["layout_thrash_trace", "perf_insights", "perf_start", "perf_stop"]

_TOKENS = 8000
_LARGE = 60.0
"""Seconds more: a long trace takes a while to be handed over and to be read."""
_TOP = 3

_Category = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[\w.,*:-]+$")]
_Path = Annotated[str | None, Field(max_length=1000, description="needs file-io")]


class PerfStart(InTab):
    """What to record."""

    categories: Annotated[
        tuple[_Category, ...], Field(max_length=50, description="of Chromium's tracing")
    ] = ()


class PerfStop(InSession):
    """Where to put it."""

    path: _Path = None

    @property
    def lasts(self) -> float:
        """A long trace takes a while."""
        return _LARGE


class PerfInsights(InSession):
    """Which trace."""

    trace_path: str = Field(min_length=1, max_length=1000)

    @property
    def lasts(self) -> float:
        """A long trace takes a while."""
        return _LARGE


class LayoutThrashTrace(InTab):
    """For how long."""

    duration_ms: int = Field(5000, ge=1, le=30_000)

    @property
    def lasts(self) -> float:
        """As long as asked for, and a while to read it."""
        return self.duration_ms / 1000 + _LARGE


class Started(TypedDict):
    """A trace is being recorded."""

    ok: bool
    running: bool
    categories: list[str]
    restarted: bool
    hint: str
    warning: NotRequired[str]


class LongTask(TypedDict):
    """A turn of the main thread that held everything up."""

    startMs: float
    durationMs: float
    url: NotRequired[str]
    function: NotRequired[str]


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


class Insights(TypedDict):
    """What a trace says."""

    longTasks: list[LongTask]
    layoutShifts: list[LayoutShift]
    renderBlocking: list[RenderBlocking]
    lcpCandidates: list[LcpCandidate]
    navigation: NotRequired[NavigationTimes]
    totals: Totals


class TraceSummary(TypedDict):
    """The most important of it."""

    totals: Totals
    longestTasks: list[LongTask]
    navigation: NotRequired[NavigationTimes]


class Stopped(TypedDict):
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


class InsightsResult(TypedDict):
    """What a saved trace says."""

    ok: bool
    insights: Insights


class ForcedBy(TypedDict):
    """A place in a script that forces layouts."""

    originatingStack: str
    count: int
    totalDurationMs: float


class ThrashResult(TypedDict):
    """How often layouts were forced, and by whom."""

    ok: bool
    forcedLayoutsCount: int
    layoutShiftsCount: int
    eventsByOrigin: list[ForcedBy]
    tracePath: str
    uri: str
    durationMs: int


def _insights(recording: Recording) -> dict[str, Any]:
    found = insights(events(recording.file))
    recording.file.seek(0)
    return found


@tool(Capability.ACTION, gives=Started, toolset="perf", structured=True, effect="looks")
async def perf_start(call: Call, args: PerfStart) -> dict[str, Any]:
    """Begin to record a performance trace of the tab; perf_stop saves it."""
    categories = tuple(dict.fromkeys(args.categories)) or DEFAULT_CATEGORIES
    tracer = call.session.parts.of(Tracer, Tracer)
    restarted = await tracer.start(call.tab, categories, timeout=call.left)
    data: dict[str, Any] = {
        "ok": True,
        "running": True,
        "categories": list(categories),
        "restarted": restarted,
        "hint": "Do what is slow, then call perf_stop. It ends by itself after 5 minutes.",
    }
    if restarted:
        data["warning"] = "a trace was being recorded already; it has been thrown away"
    return data


@tool(Capability.ACTION, gives=Stopped, toolset="perf", reach="session", structured=True, raw=True)
async def perf_stop(call: Call, args: PerfStop) -> Result:
    """Save the trace, as DevTools' Performance panel opens it. Addresses are untrusted."""
    tracer = call.session.parts.of(Tracer, Tracer)
    try:
        recording = await tracer.stop(timeout=call.left)
    except EngineError as error:
        warning = f"the trace is lost: {error.message}"
        return Result(data={"ok": True, "notRunning": True, "warning": warning})
    if recording is None:
        return Result(data={"ok": True, "notRunning": True})
    with recording:
        found = await asyncio.to_thread(_insights, recording)
        artifact = await save(call, recording.file, path=args.path, default="trace.json")
    summary = {
        "totals": found["totals"],
        "longestTasks": found["longTasks"][:_TOP],
        **({"navigation": found["navigation"]} if "navigation" in found else {}),
    }
    data = {
        "ok": True,
        **saved(call, artifact),
        "eventCount": recording.events,
        "categories": list(recording.categories),
        "durationMs": round(recording.duration_ms, 1),
        "summary": summary,
    }
    if recording.cut:
        data["warning"] = "the trace ended before it was stopped: it was too long or too large"
    return Result(data=data, source="trace", tokens=_TOKENS)


@tool(
    Capability.ACTION,
    gives=InsightsResult,
    toolset="perf",
    reach="session",
    reads=True,
    structured=True,
)
async def perf_insights(call: Call, args: PerfInsights) -> Result:
    """What a saved trace says: long tasks, shifts, what blocked, when. Addresses are untrusted."""
    artifact = call.kernel.artifacts.readable(call.principal, call.session, args.trace_path)

    def read() -> dict[str, Any]:
        with artifact.path.open("rb") as file:
            return insights(events(file))

    try:
        found = await asyncio.to_thread(read)
    except FileNotFoundError:
        raise ArtifactNotFound("the file has just been removed") from None
    return Result(data={"ok": True, "insights": found}, source="trace", tokens=_TOKENS)


@tool(Capability.READ, gives=ThrashResult, toolset="perf", reach="session", structured=True)
async def layout_thrash_trace(call: Call, args: LayoutThrashTrace) -> Result:
    """Watch for layouts that scripts force, and say which. Addresses are untrusted."""
    tracer = call.session.parts.of(Tracer, Tracer)
    async with (
        looking_on(call) as tab,
        tracer.during(tab, CATEGORIES, timeout=call.left) as trace,
    ):
        await call.report(0, args.duration_ms, "recording")
        await asyncio.sleep(args.duration_ms / 1000)
        recording = await trace.stop(timeout=call.left)
    with recording:
        found = await asyncio.to_thread(lambda: thrash(events(recording.file)))
        recording.file.seek(0)
        artifact = await save(call, recording.file, default="layout-thrash.json")
    data = {
        "ok": True,
        "forcedLayoutsCount": found.forced,
        "layoutShiftsCount": found.shifts,
        "eventsByOrigin": found.by_origin(),
        "tracePath": shown_path(call, artifact),
        "uri": artifact.uri,
        "durationMs": args.duration_ms,
    }
    return Result(data=data, source="trace", tokens=_TOKENS)
