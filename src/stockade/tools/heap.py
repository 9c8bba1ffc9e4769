"""The memory of a page."""

from __future__ import annotations

import asyncio
import tempfile
from functools import partial
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import ArtifactNotFound, InvalidArgument
from stockade.instruments.heap import NameMatch, growth, picture, retainers
from stockade.instruments.heap_graph import HeapGraph
from stockade.kernel.arguments import Arguments, InSession, InTab
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.saving import save, saved
from stockade.kernel.tool import tool
from stockade.masking.background import run_in_background
from stockade.masking.heaps import mask_heap
from stockade.policy.capabilities import Capability

__all__ = ["heap_retainers", "heap_snapshot", "memory_diff"]

_TOKENS = 8000
_LARGE = 120.0
"""Seconds more: a large heap takes a while to write down, and to read."""

_Path = Annotated[str, Field(min_length=1, max_length=1000)]


class HeapSnapshot(InTab):
    """Where to put it."""

    path: Annotated[str | None, Field(max_length=1000, description="needs file-io")] = None
    timeout_ms: int | None = Field(None, ge=1, le=3_600_000)

    @property
    def lasts(self) -> float:
        """A large heap takes a while."""
        return 0.0 if self.timeout_ms is not None else _LARGE


class HeapQuery(Arguments):
    """Which objects."""

    name: Annotated[str | None, Field(max_length=1000)] = None
    type: Annotated[str | None, Field(max_length=100, description="object, closure, …")] = None
    name_match: NameMatch = "exact"


class HeapRetainers(InSession):
    """Which objects of which snapshot."""

    snapshot_path: _Path
    query: HeapQuery

    @property
    def lasts(self) -> float:
        """A large heap takes a while."""
        return _LARGE


class MemoryDiff(InSession):
    """Two snapshots of the same page."""

    before_path: _Path
    after_path: _Path

    @property
    def lasts(self) -> float:
        """Two large heaps take a while."""
        return 2 * _LARGE


class SnapshotResult(TypedDict):
    """Where the snapshot is."""

    ok: bool
    path: str
    uri: str
    bytes: int
    hint: str
    warning: NotRequired[str]


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


class RetainersResult(TypedDict):
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


class DiffResult(TypedDict):
    """What has grown."""

    ok: bool
    retainerGrowth: list[Growth]
    summary: GrowthSummary


def _read(call: Call, name: str) -> HeapGraph:
    artifact = call.kernel.artifacts.readable(call.principal, call.session, name)
    try:
        return HeapGraph(artifact.path)
    except FileNotFoundError:
        raise ArtifactNotFound("the file has just been removed") from None


@tool(
    Capability.ACTION,
    gives=SnapshotResult,
    toolset="perf",
    structured=True,
    raw=True,
    effect="looks",
)
async def heap_snapshot(call: Call, args: HeapSnapshot) -> dict[str, Any]:
    """Save a V8 heap snapshot of the tab, as DevTools' Memory panel opens it."""
    if args.path is not None:
        call.policy.require(Capability.FILE_IO, f"{call.tool.name} with a path")
    page = call.tab.page
    place = call.session.limits.scratch
    with tempfile.TemporaryFile(dir=place) as file, tempfile.TemporaryFile(dir=place) as masked:
        await picture(page.devtools[0], file, timeout=call.left)
        file.seek(0)
        if not call.masker.idle:
            await run_in_background(partial(mask_heap, call.masker, file, masked))
            masked.seek(0)
        whole = file if call.masker.idle else masked
        artifact = await save(call, whole, path=args.path, default="heap.heapsnapshot", masked=True)
    data: dict[str, Any] = {
        "ok": True,
        **saved(call, artifact),
        "hint": "heap_retainers says who holds an object; memory_diff what has grown since.",
    }
    if len(page.devtools) > 1:
        data["warning"] = "frames of other sites have heaps of their own, which are not in it"
    return data


@tool(
    Capability.ACTION,
    gives=RetainersResult,
    toolset="perf",
    reach="session",
    reads=True,
    structured=True,
    raw=True,
)
async def heap_retainers(call: Call, args: HeapRetainers) -> Result:
    """Who holds objects of a heap snapshot alive, by name or type. Names are untrusted."""
    query = args.query
    if query.name is None and query.type is None:
        raise InvalidArgument("query needs a name or a type")

    def find() -> dict[str, Any]:
        graph = _read(call, args.snapshot_path)
        return retainers(graph, name=query.name, type=query.type, match=query.name_match)

    found = await asyncio.to_thread(find)
    return Result(data={"ok": True, **found}, source="heap snapshot", tokens=_TOKENS)


@tool(
    Capability.READ, gives=DiffResult, toolset="perf", reach="session", reads=True, structured=True
)
async def memory_diff(call: Call, args: MemoryDiff) -> Result:
    """What has grown from one heap snapshot to a later one of the same page."""

    def compare() -> dict[str, Any]:
        before, after = _read(call, args.before_path), _read(call, args.after_path)
        return growth(before, after)

    found = await asyncio.to_thread(compare)
    return Result(data={"ok": True, **found}, source="heap snapshot", tokens=_TOKENS)
