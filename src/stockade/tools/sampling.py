"""Looking on: numbers over time, what comes and goes, and what an action changes."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.flows.answers import Wanted, listening
from stockade.flows.differences import difference
from stockade.flows.sampling import Metric, Series, sampling, summary
from stockade.flows.watching import watch as watch_tab
from stockade.kernel import evidence
from stockade.kernel.action_result import Network
from stockade.kernel.arguments import Arguments, Coordinates, InTab, OnTarget
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Reply, Result, plain
from stockade.kernel.sanitise import shown_url
from stockade.kernel.targets import looking_on, target_of
from stockade.kernel.tool import tool
from stockade.page.probe import point_probe
from stockade.policy.capabilities import Capability
from stockade.sessions.happenings import Happenings, Recorder
from stockade.urls import origin_of

__all__ = [
    "act_and_diff",
    "act_and_sample",
    "act_and_wait_for_network",
    "cross_session_sample",
    "sample",
    "watch",
]

_LONGEST_SAMPLE = 30_000
_LONGEST_WATCH = 60_000
_LONGEST_WAIT = 120_000
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


class Action(Arguments):
    """A call of a tool that acts."""

    tool: str = Field(max_length=100)
    args: dict[str, Any] = Field(default_factory=dict)


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


class ActAndDiff(InTab):
    """What to do, and where to look."""

    action: Action
    scope: Annotated[str | None, Field(max_length=40, description="a ref")] = None


class Match(Arguments):
    """Which answer."""

    url_pattern: Annotated[str | None, Field(min_length=1, max_length=2000)] = None
    method: Annotated[str | None, Field(min_length=1, max_length=20)] = None
    status: Annotated[int | None, Field(ge=100, le=599)] = None


class ActAndWait(InTab):
    """What to do, and which answer to wait for."""

    action: Action
    match: Match
    timeout_ms: int = Field(10_000, ge=1, le=_LONGEST_WAIT)

    @property
    def lasts(self) -> float:
        return 30.0


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


class ClassDelta(TypedDict):
    """Classes that came and went."""

    added: list[str]
    removed: list[str]


class ChangedElement(TypedDict):
    """An element that is another now; each delta is left out where it is empty."""

    path: str
    tag: str
    testId: NotRequired[str]
    classDelta: NotRequired[ClassDelta]
    styleDelta: NotRequired[dict[str, dict[str, str | None]]]
    attrDelta: NotRequired[dict[str, dict[str, str | None]]]
    textDelta: NotRequired[dict[str, str]]
    valueDelta: NotRequired[dict[str, str]]
    frame: NotRequired[str]


class Moved(TypedDict):
    """The top of what came or went."""

    path: str
    tag: str
    testId: NotRequired[str]
    text: NotRequired[str]
    frame: NotRequired[str]


class Counts(TypedDict):
    """How many there are in all."""

    changed: int
    added: int
    removed: int


class Diff(TypedDict):
    """Elements that changed, came and went."""

    changed: list[ChangedElement]
    added: list[Moved]
    removed: list[Moved]
    counts: Counts
    notes: NotRequired[list[str]]


class ActedAndDiffed(TypedDict):
    """What came of the action, and what it changed."""

    ok: bool
    action: dict[str, Any]
    diff: Diff


class Answered(TypedDict):
    """The answer, if it came."""

    matched: bool
    method: NotRequired[str]
    url: NotRequired[str]
    status: NotRequired[int]
    failure: NotRequired[str]


class ActedAndAnswered(TypedDict):
    """What came of the action, and the answer."""

    ok: bool
    action: dict[str, Any]
    network: Answered


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


def _required(call: Call, action: Action) -> None:
    registry = call.kernel.registry
    if not registry.knows(action.tool):
        return
    found = registry.find(action.tool)
    nests = "action" in found.arguments.model_fields or "calls" in found.arguments.model_fields
    if found.reads or nests or not found.inner:
        raise InvalidArgument(
            f"{action.tool} is not an action that can be part of {call.tool.name}"
        )


def _where(args: InTab) -> dict[str, Any]:
    return {"session": args.session, **({"tab": args.tab} if args.tab is not None else {})}


async def _act(call: Call, action: Action, where: dict[str, Any]) -> Reply:
    reply: Reply = await call.inner(action.tool, {**where, **action.args})
    return reply


def _data(reply: Reply) -> dict[str, Any]:
    return reply.data if reply.data is not None else {"text": reply.text}


def _beside(replies: tuple[Reply, ...]) -> dict[str, Any]:
    """The pictures and files of inner calls."""
    return {
        "images": tuple(image for reply in replies for image in reply.images),
        "links": tuple(link for reply in replies for link in reply.links),
    }


async def _acted_and_sampled(
    call: Call, args: ActAndSample, acting: dict[str, Any], watching: dict[str, Any], source: str
) -> Result:
    """Act once the measurement has begun, and wait until both are over."""
    _required(call, args.action)
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
            acted = await _act(call, args.action, acting)
    sampled = measuring.result()
    if acted is None:
        # Nothing could be measured, so nothing was done either.
        raise sampled.error or InvalidArgument("nothing could be measured")
    return Result(
        data={
            "ok": acted.ok and sampled.ok,
            "action": _data(acted),
            "sample": _data(sampled),
        },
        source=source,
        tokens=_ROOM,
        ok=acted.ok and sampled.ok,
        **_beside((acted,)),
    )


@tool(Capability.READ, gives=ActedAndSampled, toolset="web", held_by_dialog=False)
async def act_and_sample(call: Call, args: ActAndSample) -> Result:
    """Run an action ({tool,args}) while a number is measured, as sample does."""
    where = _where(args)
    return await _acted_and_sampled(call, args, where, where, origin_of(call.tab.url))


@tool(Capability.READ, gives=ActedAndSampled, toolset="web", reach="server")
async def cross_session_sample(call: Call, args: CrossSample) -> Result:
    """Run an action in one session while a number is measured in another."""
    session = await call.kernel.sessions.reach(call.principal, args.sample_session)
    watching = {**_where(args), "session": args.sample_session}
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
        data: dict[str, Any] = {
            "durationMs": args.duration_ms,
            "samples": seen.samples,
            "regions": seen.regions,
            "console": {
                **plain(evidence.console(happenings)),
                "pageErrors": evidence.page_errors(happenings),
            },
            "network": plain(evidence.network(happenings.requests)),
            "wsFrames": _streams(happenings),
        }
        if seen.ended:
            data["ended"] = seen.ended
        return Result(data=data, source=origin_of(tab.url), tokens=8000)


# --- an action, and what came of it -----------------------------------------------------------


@tool(Capability.READ, gives=ActedAndDiffed, toolset="web", held_by_dialog=False)
async def act_and_diff(call: Call, args: ActAndDiff) -> Result:
    """Run an action and list the elements it changed, added and removed. They are untrusted."""
    _required(call, args.action)
    async with difference(
        call.tab.agent, scope=args.scope, caller=call.caller, timeout=call.left
    ) as found:
        acted = await _act(call, args.action, _where(args))
    diff: dict[str, Any] = {**found.rows, "counts": found.counts}
    if found.notes:
        diff["notes"] = found.notes
    return Result(
        data={"ok": acted.ok, "action": _data(acted), "diff": diff},
        source=origin_of(call.tab.url),
        tokens=8000,
        ok=acted.ok,
        **_beside((acted,)),
    )


@tool(Capability.READ, gives=ActedAndAnswered, toolset="web", held_by_dialog=False)
async def act_and_wait_for_network(call: Call, args: ActAndWait) -> Result:
    """Run an action and wait for an answer from the network, which may come meanwhile."""
    _required(call, args.action)
    wanted = Wanted(args.match.url_pattern, args.match.method, args.match.status)
    clock = asyncio.get_running_loop().time
    ends = clock() + args.timeout_ms / 1000
    with listening(call.tab.page, wanted) as answers:
        acted = await _act(call, args.action, _where(args))
        found = await answers.first(timeout=ends - clock() if acted.ok else 0.0)
    answer: dict[str, Any] = {"matched": found is not None}
    if found is not None:
        answer |= {"method": found.method, "url": shown_url(found.url)}
        if found.status is not None:
            answer["status"] = found.status
        if found.failure:
            answer["failure"] = found.failure
    ok = acted.ok and found is not None
    return Result(
        data={"ok": ok, "action": _data(acted), "network": answer},
        source=origin_of(call.tab.url),
        ok=ok,
        **_beside((acted,)),
    )
