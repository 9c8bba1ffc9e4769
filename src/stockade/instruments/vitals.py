"""What a tab can tell about its own speed and size, from before anybody asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from stockade.engines.events import Request
from stockade.engines.port import DevTools, Page
from stockade.errors import DeadlineExceeded, EngineError
from stockade.page.scripts import script

__all__ = ["Memory", "Vitals", "memory", "vitals"]

_MOST_FRAMES = 10
_PATIENCE = 5.0


@dataclass(frozen=True)
class Memory:
    """How much a page holds, after the rubbish was taken out."""

    heap: int
    nodes: int
    listeners: int
    detached: int = 0
    """Elements that are in no document any more, and still held."""


@dataclass
class Vitals:
    """What the documents of a tab tell, the main one's times, and the answers to its requests."""

    resources: list[dict[str, Any]] = field(default_factory=list)
    images: list[dict[str, Any]] = field(default_factory=list)
    fonts: list[dict[str, Any]] = field(default_factory=list)
    long_tasks: list[dict[str, Any]] = field(default_factory=list)
    slow_frames: list[dict[str, Any]] = field(default_factory=list)
    first_paint: float | None = None
    requests: list[Request] = field(default_factory=list)


async def vitals(page: Page) -> Vitals:
    """Ask every document; one that does not answer is left out."""
    found = Vitals(requests=list(page.requests))
    for frame in page.frames[:_MOST_FRAMES]:
        try:
            told = await frame.call(script("vitals"), timeout=_PATIENCE)
        except (EngineError, DeadlineExceeded):
            continue
        found.resources += told["resources"]
        found.images += told["images"]
        found.fonts += told["fonts"]
        found.slow_frames += told["slowFrames"]
        if frame.parent is None:
            found.long_tasks = told["longTasks"]
            found.first_paint = told["firstPaint"]
    return found


async def memory(devtools: DevTools, *, detached: bool = False, timeout: float) -> Memory:
    """Take out the rubbish, and weigh the rest."""
    await devtools.send("HeapProfiler.collectGarbage", timeout=timeout)
    heap = await devtools.send("Runtime.getHeapUsage", timeout=timeout)
    counters = await devtools.send("Memory.getDOMCounters", timeout=timeout)
    return Memory(
        int(heap["usedSize"]),
        int(counters["nodes"]),
        int(counters["jsEventListeners"]),
        await _detached(devtools, timeout) if detached else 0,
    )


async def _detached(devtools: DevTools, timeout: float) -> int:
    try:
        await devtools.send("DOM.enable", timeout=timeout)
        answer = await devtools.send("DOM.getDetachedDomNodes", timeout=timeout)
        await devtools.send("DOM.disable", timeout=timeout)
    except EngineError:
        return 0
    return sum(len(tree.get("retainedNodeIds", ())) for tree in answer["detachedNodes"])
