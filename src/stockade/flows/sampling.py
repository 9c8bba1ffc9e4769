"""Sampling: one number of a page over time, measured in the page itself."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from stockade.engines.port import Frame
from stockade.errors import DeadlineExceeded, EngineError, InvalidArgument, NavigationRace
from stockade.page.agent import PageAgent

__all__ = ["MOST_POINTS", "Metric", "Sampler", "Series", "sampling", "summary"]

Metric = Literal[
    "scrollTop",
    "scrollLeft",
    "scrollHeight",
    "scrollWidth",
    "clientWidth",
    "clientHeight",
    "bboxX",
    "bboxY",
    "bboxWidth",
    "bboxHeight",
]
METRICS: tuple[str, ...] = get_args(Metric)
MOST_POINTS = 2000
_FETCH_MS = 250
"""How much can be lost when a document goes away without a word."""


@dataclass
class Series:
    """What was measured, and why it ended."""

    points: list[tuple[float, float]] = field(default_factory=list)
    ended: str = ""
    """`done`, `full`, or what came between: `navigated`, `detached`."""


@dataclass(frozen=True)
class Sampler:
    """A measurement under way in a document."""

    agent: PageAgent
    frame: Frame
    key: str

    async def rest(self, *, timeout: float) -> Series:
        """Everything it measures until it ends."""
        series = Series()
        while not series.ended:
            try:
                part = await self._ask("fetch", cap=_FETCH_MS, timeout=timeout)
            except NavigationRace:
                series.ended = "navigated"
            else:
                series.points += [(at, value) for at, value in part["points"]]
                series.ended = part["ended"]
        return series

    async def _ask(self, step: str, *, timeout: float, **more: Any) -> Any:
        return await self.agent.call(
            self.frame, "sample.js", step=step, key=self.key, timeout=timeout, **more
        )


@asynccontextmanager
async def sampling(
    agent: PageAgent,
    *,
    metric: Metric,
    seconds: float,
    interval: float | None,
    ref: str | None = None,
    caller: str,
    timeout: float,
) -> AsyncIterator[Sampler]:
    """A measurement that has begun; an `interval` of none means every painted frame."""
    if ref is None and metric.startswith("bbox"):
        raise InvalidArgument(f"{metric} is of an element", hint="Give a ref or a selector.")
    frame, number = agent.locate(ref) if ref is not None else (agent.page.main_frame, None)
    sampler = Sampler(agent, frame, secrets.token_hex(8))
    await sampler._ask(  # noqa: SLF001
        "begin",
        ref=number,
        caller=caller,
        metric=metric,
        durationMs=seconds * 1000,
        everyFrame=interval is None,
        intervalMs=(interval or 0.0) * 1000,
        most=MOST_POINTS,
        timeout=timeout,
    )
    try:
        yield sampler
    finally:
        # A document that is gone has taken the sampler along.
        with suppress(EngineError, DeadlineExceeded):
            await sampler._ask("end", timeout=1.0)  # noqa: SLF001


def summary(points: list[tuple[float, float]]) -> dict[str, Any]:
    """A series in a few numbers; none of them where nothing was measured."""
    if not points:
        return {"count": 0, "distinctCount": 0, "firstChangeTMs": None}
    values = [value for _, value in points]
    changed = next((at for at, value in points if value != values[0]), None)
    return {
        "count": len(points),
        "min": min(values),
        "max": max(values),
        "first": values[0],
        "last": values[-1],
        "distinctCount": len(set(values)),
        "firstChangeTMs": changed,
    }
