"""Looking on: numbers over time, and what comes and goes."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.flows.sampling import Metric, Series, sampling, summary
from stockade.flows.watching import watch as watch_tab
from stockade.kernel import evidence
from stockade.kernel.action_result import Console, Network
from stockade.kernel.arguments import Coordinates, InTab, OnTarget
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Reply, Result, plain
from stockade.kernel.sanitise import shown_url
from stockade.kernel.targets import looking_on, target_of
from stockade.kernel.tool import tool
from stockade.page.probe import point_probe
from stockade.policy.capabilities import Capability
from stockade.sessions.happenings import Happenings, Recorder
from stockade.tools.effects import Action, act, beside, data_of, ensure_acts
from stockade.urls import origin_of

__all__ = [
    "act_and_sample",
    "cross_session_sample",
    "sample",
    "watch",
]

_LONGEST_SAMPLE = 30_000
_LONGEST_WATCH = 60_000
_SHORTEST_INTERVAL = 16
_MOST_INLINE = 300
_ROOM = 30_000
_MOST_FRAMES = 100
_LONGEST_PAYLOAD = 200

_Session = Annotated[str, Field(max_length=100)]


class Sample(OnTarget):
    """What to measure, of what, and for how long."""

    metric: Metric
    duration_ms: int = Field(ge=1, le=_LONGEST_SAMPLE)
    every_frame: bool = False
    interval_ms: int = Field(100, ge=1, le=_LONGEST_SAMPLE)
    summary: Annotated[
        bool | None, Field(description="without the series; by itself above 300 points")
    ] = None

    @property
    def lasts(self) -> float:
        return self.duration_ms / 1000


class ActAndSample(Sample):
    """What to do while it is measured."""

    action: Action


class CrossSample(ActAndSample):
    """What to do in one session while another is measured."""

    action_session: _Session
    sample_session: _Session


class Watch(InTab):
    """For how long, and how often to look for what no change tells of."""

    duration_ms: int = Field(ge=1, le=_LONGEST_WATCH)
    sample_ms: int = Field(250, ge=20, le=_LONGEST_WATCH)

    @property
    def lasts(self) -> float:
        return self.duration_ms / 1000


class Point(TypedDict):
    """One measurement."""

    tMs: float
    value: float


class Reduced(TypedDict):
    """A series in a few numbers."""

    count: int
    distinctCount: int
    firstChangeTMs: float | None
    min: NotRequired[float]
    max: NotRequired[float]
    first: NotRequired[float]
    last: NotRequired[float]


class Sampled(TypedDict):
    """A number over time."""

    metric: str
    scope: Literal["element", "window"]
    durationMs: int
    mode: Literal["raf", "interval"]
    count: int
    summary: Reduced
    intervalMs: NotRequired[int]
    series: NotRequired[list[Point]]
    autoSummarised: NotRequired[bool]
    truncated: NotRequired[bool]
    ended: NotRequired[str]


class ActedAndSampled(TypedDict):
    """What came of the action, and the number meanwhile."""

    ok: bool
    action: dict[str, Any]
    sample: dict[str, Any]


class SeenRegion(TypedDict):
    """A region, from when it appeared until it was gone."""

    role: str
    name: str
    ref: str
    appearedAtMs: float
    disappearedAtMs: float | None


class WatchedConsole(TypedDict):
    """What the page complained of."""

    errors: list[str]
    warnings: int
    pageErrors: list[str]


class StreamRow(TypedDict):
    """One message."""

    url: str
    dir: str
    kind: str
    payload: str
    ts: str


class Watched(TypedDict):
    """What came and went."""

    durationMs: int
    samples: int
    regions: list[SeenRegion]
    console: WatchedConsole
    network: Network
    wsFrames: list[StreamRow]
    ended: NotRequired[str]


# --- measuring --------------------------------------------------------------------------------


async def _subject(call: Call, args: Sample) -> str | None:
    found = await target_of(call, args)
    if not isinstance(found, Coordinates):
        return found
    there = await point_probe(
        call.tab.agent, found.x, found.y, caller=call.caller, timeout=call.left
    )
    if not there.stack:
        raise InvalidArgument("nothing is at that point")
    return there.stack[0].ref


@tool(Capability.READ, gives=Sampled, toolset="web", reach="session", reads=True)
async def sample(call: Call, args: Sample) -> Result:
    """Measure a number of an element or the page over time, in the page."""
    async with looking_on(call) as tab:
        ref = await _subject(call, args)
        interval = max(args.interval_ms, _SHORTEST_INTERVAL)
        async with sampling(
            tab.agent,
            metric=args.metric,
            seconds=args.duration_ms / 1000,
            interval=None if args.every_frame else interval / 1000,
            ref=ref,
            caller=call.caller,
            timeout=call.left,
        ) as sampler:
            await call.report(0, args.duration_ms, "sampling")
            series = await sampler.rest(timeout=call.left)
    data: dict[str, Any] = {
        "metric": args.metric,
        "scope": "window" if ref is None else "element",
        "durationMs": args.duration_ms,
        "mode": "raf" if args.every_frame else "interval",
        **({} if args.every_frame else {"intervalMs": interval}),
        "count": len(series.points),
        "summary": summary(series.points),
    }
    return Result(data={**data, **_shown(series, args)}, tokens=_ROOM)


def _shown(series: Series, args: Sample) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    if args.summary is None and len(series.points) > _MOST_INLINE:
        shown["autoSummarised"] = True
    elif not args.summary:
        shown["series"] = [{"tMs": at, "value": value} for at, value in series.points]
    if series.ended == "full":
        shown["truncated"] = True
    elif series.ended != "done":
        shown["ended"] = series.ended
    return shown


async def _acted_and_sampled(
    call: Call, args: ActAndSample, acting: dict[str, Any], watching: dict[str, Any], source: str
) -> Result:
    """Act once the measurement has begun, and wait until both are over."""
    ensure_acts(call, args.action)
    asked = args.model_dump(
        by_alias=True,
        exclude_none=True,
        include=set(Sample.model_fields) - {"session", "tab"},
    )
    begun = asyncio.Event()

    async def begins(_done: float, _total: float | None, _words: str) -> None:
        begun.set()

    async def measured() -> Reply:
        try:
            return await call.kernel.call(
                call.principal,
                "sample",
                {**watching, **asked},
                toolsets=call.toolsets,
                parent=call,
                progress=begins,
            )
        finally:
            begun.set()

    acted: Reply | None = None
    async with asyncio.TaskGroup() as group:
        measuring = group.create_task(measured())
        await begun.wait()
        if not measuring.done():
            acted = await act(call, args.action, acting)
    sampled = measuring.result()
    if acted is None:
        # Nothing could be measured, so nothing was done either.
        raise sampled.error or InvalidArgument("nothing could be measured")
    return Result(
        data={
            "ok": acted.ok and sampled.ok,
            "action": data_of(acted),
            "sample": data_of(sampled),
        },
        source=source,
        tokens=_ROOM,
        ok=acted.ok and sampled.ok,
        **beside((acted,)),
    )


@tool(Capability.READ, gives=ActedAndSampled, toolset="web", held_by_dialog=False, effect="wraps")
async def act_and_sample(call: Call, args: ActAndSample) -> Result:
    """Run an action ({tool,args}) while a number is measured, as sample does."""
    where = args.place
    return await _acted_and_sampled(call, args, where, where, origin_of(call.tab.url))


@tool(Capability.READ, gives=ActedAndSampled, toolset="web", reach="server", effect="wraps")
async def cross_session_sample(call: Call, args: CrossSample) -> Result:
    """Run an action in one session while a number is measured in another."""
    session = await call.kernel.sessions.reach(call.principal, args.sample_session)
    watching = {**args.place, "session": args.sample_session}
    source = origin_of(session.current.url) if session.current is not None else ""
    return await _acted_and_sampled(call, args, {"session": args.action_session}, watching, source)


# --- watching ---------------------------------------------------------------------------------


def _streams(happenings: Happenings) -> list[dict[str, Any]]:
    return [
        {
            "url": shown_url(each.url),
            "dir": "sent" if each.direction == "sent" else "recv",
            "kind": each.kind,
            "payload": each.payload[:_LONGEST_PAYLOAD],
            "ts": instant(each.at),
        }
        for each in list(happenings.frames)[-_MOST_FRAMES:]
    ]


@tool(Capability.READ, gives=Watched, toolset="web", reach="session", reads=True)
async def watch(call: Call, args: Watch) -> Result:
    """Look on: regions that come and go, console, network. Page text is untrusted."""
    async with looking_on(call) as tab:
        recorder = Recorder(tab.page)
        try:
            await call.report(0, args.duration_ms, "watching")
            seen = await watch_tab(
                tab.agent,
                caller=call.caller,
                seconds=args.duration_ms / 1000,
                sample_ms=args.sample_ms,
            )
        finally:
            recorder.close()
        happenings = recorder.take()
        said = evidence.console(happenings) or Console()
        data: dict[str, Any] = {
            "durationMs": args.duration_ms,
            "samples": seen.samples,
            "regions": seen.regions,
            "console": {
                "errors": said.errors or [],
                "warnings": said.warnings or 0,
                "pageErrors": evidence.page_errors(happenings),
            },
            "network": {
                **plain(evidence.network(happenings.requests) or Network()),
                "summary": plain(evidence.summary(happenings.requests)),
            },
            "wsFrames": _streams(happenings),
        }
        if seen.ended:
            data["ended"] = seen.ended
        return Result(data=data, source=origin_of(tab.url), tokens=8000)
