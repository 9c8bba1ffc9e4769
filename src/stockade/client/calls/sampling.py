"""Calls of the tools in `sampling`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls
from stockade.client.calls.action_results import Network


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class Reduced(TypedDict):
    """A series in a few numbers."""

    count: int
    distinctCount: int
    firstChangeTMs: float | None
    min: NotRequired[float]
    max: NotRequired[float]
    first: NotRequired[float]
    last: NotRequired[float]


class Point(TypedDict):
    """One measurement."""

    tMs: float
    value: float


class Sampled(Beside):
    """A number over time."""

    metric: str
    scope: Literal['element', 'window']
    durationMs: int
    mode: Literal['raf', 'interval']
    count: int
    summary: Reduced
    intervalMs: NotRequired[int]
    series: NotRequired[list[Point]]
    autoSummarised: NotRequired[bool]
    truncated: NotRequired[bool]
    ended: NotRequired[str]


class Action(TypedDict):
    """A call of a tool that acts."""

    tool: str
    args: NotRequired[dict[str, Any]]


class ActedAndSampled(Beside):
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


class Watched(Beside):
    """What came and went."""

    durationMs: int
    samples: int
    regions: list[SeenRegion]
    console: WatchedConsole
    network: Network
    wsFrames: list[StreamRow]
    ended: NotRequired[str]


class SamplingCalls(Calls):
    """Methods that call tools."""

    async def sample(
        self,
        target: str | None = None,
        *,
        metric: Literal['scrollTop', 'scrollLeft', 'scrollHeight', 'scrollWidth', 'clientWidth', 'clientHeight', 'bboxX', 'bboxY', 'bboxWidth', 'bboxHeight'],
        duration_ms: int,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        every_frame: bool | None = None,
        interval_ms: int | None = None,
        summary: bool | None = None,
    ) -> Sampled:
        """Measure a number of an element or the page over time, in the page."""
        answer = await self._call("sample", {"metric": metric, "durationMs": duration_ms}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "everyFrame": every_frame, "intervalMs": interval_ms, "summary": summary}, in_tab=True, target=target)
        return cast("Sampled", answer)

    async def act_and_sample(
        self,
        target: str | None = None,
        *,
        metric: Literal['scrollTop', 'scrollLeft', 'scrollHeight', 'scrollWidth', 'clientWidth', 'clientHeight', 'bboxX', 'bboxY', 'bboxWidth', 'bboxHeight'],
        duration_ms: int,
        action: Action,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        every_frame: bool | None = None,
        interval_ms: int | None = None,
        summary: bool | None = None,
    ) -> ActedAndSampled:
        """Run an action ({tool,args}) while a number is measured, as sample does."""
        answer = await self._call("act_and_sample", {"metric": metric, "durationMs": duration_ms, "action": action}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "everyFrame": every_frame, "intervalMs": interval_ms, "summary": summary}, in_tab=True, target=target)
        return cast("ActedAndSampled", answer)

    async def watch(
        self,
        *,
        duration_ms: int,
        sample_ms: int | None = None,
    ) -> Watched:
        """Look on: regions that come and go, console, network. Page text is untrusted."""
        answer = await self._call("watch", {"durationMs": duration_ms}, {"sampleMs": sample_ms}, in_tab=True)
        return cast("Watched", answer)


class SamplingServerCalls(Calls):
    """Methods that call tools."""

    async def cross_session_sample(
        self,
        target: str | None = None,
        *,
        metric: Literal['scrollTop', 'scrollLeft', 'scrollHeight', 'scrollWidth', 'clientWidth', 'clientHeight', 'bboxX', 'bboxY', 'bboxWidth', 'bboxHeight'],
        duration_ms: int,
        action: Action,
        action_session: str,
        sample_session: str,
        session: str | None = None,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        every_frame: bool | None = None,
        interval_ms: int | None = None,
        summary: bool | None = None,
    ) -> ActedAndSampled:
        """Run an action in one session while a number is measured in another."""
        answer = await self._call("cross_session_sample", {"metric": metric, "durationMs": duration_ms, "action": action, "actionSession": action_session, "sampleSession": sample_session}, {"session": session, "ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "everyFrame": every_frame, "intervalMs": interval_ms, "summary": summary}, in_tab=True, target=target)
        return cast("ActedAndSampled", answer)
