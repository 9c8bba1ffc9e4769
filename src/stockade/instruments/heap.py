"""The memory of a page: pictures of it, who holds what, and what has grown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any, BinaryIO, Literal

from pydantic import StringConstraints, TypeAdapter

from stockade.engines.port import DevTools
from stockade.errors import InvalidArgument
from stockade.instruments.heap_graph import UNREACHED, HeapGraph

__all__ = ["NameMatch", "growth", "picture", "retainers"]

NameMatch = Literal["exact", "substring", "contains", "regex"]

_MOST_RETAINERS = 50
_MOST_HELD = 5
_MOST_MATCHES = 10
_MOST_PATHS = 10
_LONGEST_PATH = 40
_LONGEST_NAME = 200
_MOST_GROWERS = 100
_NOISE = 1024
"""Bytes below which a change is not told."""


async def picture(devtools: DevTools, file: BinaryIO, *, timeout: float) -> None:
    """Write a snapshot of the heap, piece by piece as it comes.

    The domain stays enabled, which costs nothing by itself: disabled, it would forget the ids of
    objects, and a later snapshot could not be compared.
    """
    off = devtools.on(
        "HeapProfiler.addHeapSnapshotChunk",
        lambda event: _write(file, event["chunk"]),
    )
    try:
        await devtools.send("HeapProfiler.enable", timeout=timeout)
        await devtools.send(
            "HeapProfiler.takeHeapSnapshot", {"reportProgress": False}, timeout=timeout
        )
    finally:
        off()


def _write(file: BinaryIO, piece: str) -> None:
    file.write(piece.encode("utf-8", "surrogatepass"))


# --- who holds what -----------------------------------------------------------------------------


def retainers(
    graph: HeapGraph, *, name: str | None, type: str | None, match: NameMatch
) -> dict[str, Any]:
    """Who holds the objects of that name and type, and the shortest ways to them from a root."""
    found = _matching(graph, name, type, match)
    held = set(found)
    edges: Counter[int] = Counter()
    samples: dict[int, list[str]] = {}
    for owner, edge in graph.holders(held):
        if owner == graph.targets[edge]:
            continue
        edges[owner] += 1
        some = samples.setdefault(owner, [])
        if len(some) < _MOST_HELD:
            some.append(_short(f"{graph.edge(edge)} → {graph.label(graph.targets[edge])}"))
    ranked = sorted(edges, key=lambda node: (-graph.sizes[node], -edges[node]))
    return {
        "summary": {
            "nodeCount": len(graph),
            "edgeCount": len(graph.targets),
            "stringCount": len(graph.strings),
            "totalSelfSize": sum(graph.sizes),
        },
        "matchCount": len(found),
        "matchedSelfSize": sum(graph.sizes[node] for node in found),
        "retainers": [
            {
                "retainerName": _short(graph.label(node)),
                "retainerType": graph.type(node),
                "retainerSelfSize": graph.sizes[node],
                "edgesToMatches": edges[node],
                "sampleHeldNodes": samples[node],
            }
            for node in ranked[:_MOST_RETAINERS]
        ],
        "sampleMatches": [_short(graph.label(node)) for node in found[:_MOST_MATCHES]],
        "paths": _paths(graph, found),
    }


def _matching(graph: HeapGraph, name: str | None, type: str | None, match: NameMatch) -> list[int]:
    wanted_types = {number for number, each in enumerate(graph.node_types) if type in {None, each}}
    if name is None:
        return [node for node, kind in enumerate(graph.types) if kind in wanted_types]
    fits = _fitting(name, match)
    wanted = {number for number, text in enumerate(graph.strings) if fits(text)}
    return [
        node
        for node, (number, kind) in enumerate(zip(graph.names, graph.types, strict=True))
        if number in wanted and kind in wanted_types
    ]


def _fitting(name: str, match: NameMatch) -> Callable[[str], bool]:
    if match == "exact":
        return name.__eq__
    if match != "regex":
        return lambda text: name in text
    try:
        # An engine without backtracking: texts of a page cannot make it take for ever.
        pattern = TypeAdapter[str](Annotated[str, StringConstraints(pattern=name)])
    except Exception:  # noqa: BLE001 - what it raises for a bad pattern has no public name
        raise InvalidArgument(
            "query.name is no regular expression", hint="Look-around is not supported."
        ) from None
    return pattern.validator.isinstance_python


def _paths(graph: HeapGraph, found: list[int]) -> list[dict[str, Any]]:
    if not found:
        return []
    via, owners = graph.ways()
    reached = [node for node in found if via[node] != UNREACHED]
    paths = []
    for node in sorted(reached, key=lambda node: -graph.sizes[node])[:_MOST_PATHS]:
        steps: list[str] = []
        at = node
        while via[at] >= 0 and len(steps) < _LONGEST_PATH:
            steps.append(_short(f"{graph.edge(via[at])} → {graph.label(at)}"))
            at = owners[at]
        steps.append(_short(graph.label(at)))
        paths.append(
            {
                "node": _short(graph.label(node)),
                "id": graph.ids[node],
                "selfSize": graph.sizes[node],
                "path": steps[::-1],
            }
        )
    return paths


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else text[:_LONGEST_NAME] + "…"


# --- what has grown -----------------------------------------------------------------------------


def growth(before: HeapGraph, after: HeapGraph) -> dict[str, Any]:
    """What takes more room in the second snapshot, by type and constructor.

    An object keeps its id from one snapshot of a page to the next, so what is new is told apart
    from what was there before.
    """
    old, new = _groups(before, frozenset()), _groups(after, frozenset(before.ids))
    rows = [_row(key, old.get(key, _NOTHING), new.get(key, _NOTHING)) for key in old | new]
    total = sum(row["deltaBytes"] for row in rows)
    told = [row for row in rows if abs(row["deltaBytes"]) >= _NOISE]
    told.sort(key=lambda row: (-row["deltaBytes"], row["node"]))
    growers = [row for row in told if row["deltaBytes"] > 0][:3]
    keys = ("node", "deltaBytes", "deltaPercent")
    return {
        "retainerGrowth": told[:_MOST_GROWERS],
        "summary": {
            "totalGrowth": total,
            "top3Growers": [{key: row[key] for key in keys} for row in growers],
            "newObjects": sum(each[2] for each in new.values()),
        },
    }


_NOTHING = (0, 0, 0, 0)


def _groups(
    graph: HeapGraph, known: frozenset[int]
) -> dict[tuple[str, str], tuple[int, int, int, int]]:
    """By type and name: how many, how large, and both of those that were not known."""
    counts: dict[tuple[int, int], list[int]] = {}
    for kind, name, number, size in zip(
        graph.types, graph.names, graph.ids, graph.sizes, strict=True
    ):
        row = counts.setdefault((kind, name), [0, 0, 0, 0])
        row[0] += 1
        row[1] += size
        if number not in known:
            row[2] += 1
            row[3] += size
    found: dict[tuple[str, str], tuple[int, int, int, int]] = {}
    for (kind, name), (count, size, fresh, fresh_size) in counts.items():
        type_ = graph.node_types[kind]
        # Texts and code are each one of a kind: told one by one they would hide what grows.
        text = graph.strings[name] if type_ in _NAMED else f"({type_})"
        was = found.get((type_, text), _NOTHING)
        found[type_, text] = (
            was[0] + count,
            was[1] + size,
            was[2] + fresh,
            was[3] + fresh_size,
        )
    return found


_NAMED = frozenset({"object", "closure", "native", "hidden", "array", "synthetic", "object shape"})


def _row(
    key: tuple[str, str], old: tuple[int, int, int, int], new: tuple[int, int, int, int]
) -> dict[str, Any]:
    delta = new[1] - old[1]
    percent: float | str = "+inf" if new[1] else 0.0
    if old[1]:
        percent = round(100 * delta / old[1], 1)
    return {
        "node": _short(":".join(key)),
        "type": key[0],
        "sizeBefore": old[1],
        "sizeAfter": new[1],
        "deltaBytes": delta,
        "deltaPercent": percent,
        "countBefore": old[0],
        "countAfter": new[0],
        "newCount": new[2],
        "newBytes": new[3],
    }
