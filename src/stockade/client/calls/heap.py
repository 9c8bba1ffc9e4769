"""Calls of the tools in `heap`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class SnapshotResult(Beside):
    """Where the snapshot is."""

    ok: bool
    path: str
    uri: str
    bytes: int
    hint: str
    warning: NotRequired[str]


class HeapQuery(TypedDict):
    """Which objects."""

    name: NotRequired[str | None]
    type: NotRequired[str | None]
    nameMatch: NotRequired[Literal['exact', 'substring', 'contains', 'regex']]


class HeapSummary(TypedDict):
    """How much there is in all."""

    nodeCount: int
    edgeCount: int
    stringCount: int
    totalSelfSize: int


class Retainer(TypedDict):
    """Something that holds objects that match."""

    retainerName: str
    retainerType: str
    retainerSelfSize: int
    edgesToMatches: int
    sampleHeldNodes: list[str]


class RetainingPath(TypedDict):
    """The shortest way from a root to an object."""

    node: str
    id: int
    selfSize: int
    path: list[str]


class RetainersResult(Beside):
    """Who holds what was asked for."""

    ok: bool
    summary: HeapSummary
    matchCount: int
    matchedSelfSize: int
    retainers: list[Retainer]
    sampleMatches: list[str]
    paths: list[RetainingPath]


class Growth(TypedDict):
    """How one kind of object has changed."""

    node: str
    type: str
    sizeBefore: int
    sizeAfter: int
    deltaBytes: int
    deltaPercent: float | str
    countBefore: int
    countAfter: int
    newCount: int
    newBytes: int


class Grower(TypedDict):
    """What has grown most."""

    node: str
    deltaBytes: int
    deltaPercent: float | str


class GrowthSummary(TypedDict):
    """How all has changed."""

    totalGrowth: int
    top3Growers: list[Grower]
    newObjects: int


class DiffResult(Beside):
    """What has grown."""

    ok: bool
    retainerGrowth: list[Growth]
    summary: GrowthSummary


class HeapCalls(Calls):
    """Methods that call tools."""

    async def heap_snapshot(
        self,
        *,
        path: str | None = None,
        timeout_ms: int | None = None,
    ) -> SnapshotResult:
        """Save a V8 heap snapshot of the tab, as DevTools' Memory panel opens it."""
        answer = await self._call("heap_snapshot", {}, {"path": path, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("SnapshotResult", answer)

    async def heap_retainers(
        self,
        *,
        snapshot_path: str,
        query: HeapQuery,
    ) -> RetainersResult:
        """Who holds objects of a heap snapshot alive, by name or type. Names are untrusted."""
        answer = await self._call("heap_retainers", {"snapshotPath": snapshot_path, "query": query}, {}, in_tab=False)
        return cast("RetainersResult", answer)

    async def memory_diff(
        self,
        *,
        before_path: str,
        after_path: str,
    ) -> DiffResult:
        """What has grown from one heap snapshot to a later one of the same page."""
        answer = await self._call("memory_diff", {"beforePath": before_path, "afterPath": after_path}, {}, in_tab=False)
        return cast("DiffResult", answer)
