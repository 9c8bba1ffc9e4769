"""V8 heap snapshots: objects and what holds them, in arrays rather than in objects of ours."""

from __future__ import annotations

import json
import mmap
from array import array
from collections.abc import Iterator
from operator import le
from pathlib import Path

import msgspec

from stockade.errors import InvalidArgument

__all__ = ["ROOT", "UNREACHED", "HeapGraph"]

_PIECE = 1 << 20
_NODE_FIELDS = ("type", "name", "id", "self_size", "edge_count")
_EDGE_FIELDS = ("type", "name_or_index", "to_node")
_NEVER = -1
_GLOBAL = " [JSGlobalObject]"
UNREACHED = -1
ROOT = -2


class HeapGraph:
    """A snapshot that has been read. Nodes and edges are known by their numbers."""

    def __init__(self, path: Path) -> None:
        """Read a file; a large one takes seconds, so do it in a thread."""
        with path.open("rb") as file:
            if not path.stat().st_size:
                raise _broken()
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                self._load(data)

    def _load(self, data: mmap.mmap) -> None:
        start = data.find(b'"nodes":[')
        if start < 0:
            raise _broken()
        meta = _meta(data[:start])
        node_fields, edge_fields = meta.node_fields, meta.edge_fields
        self.node_types = _names(meta.node_types)
        self.edge_types = _names(meta.edge_types)
        nodes, end = _numbers(data, start + len(b'"nodes":'))
        width = len(node_fields)
        self.types, self.names, self.ids, self.sizes, counts = (
            nodes[node_fields.index(field) :: width] for field in _NODE_FIELDS
        )
        del nodes
        start = data.find(b'"edges":[', end)
        edges, end = _numbers(data, start + len(b'"edges":')) if start >= 0 else (array("q"), end)
        self.edge_kinds, self.edge_names, to = (
            edges[edge_fields.index(field) :: len(edge_fields)] for field in _EDGE_FIELDS
        )
        del edges
        self.targets = array("q", (each // width for each in to))
        self.first_edge = array("q", [0])
        total = 0
        for count in counts:
            total += count
            self.first_edge.append(total)
        start = data.find(b'"strings":[', end)
        self.strings = _strings(data[start + len(b'"strings":') :]) if start >= 0 else []
        self._check(total)

    def _check(self, edges: int) -> None:
        """A file that was cut or made up must not be found out half-way."""
        whole = (
            self.types
            and min(self.types) >= 0
            and min(self.names) >= 0
            and min(self.edge_kinds, default=0) >= 0
            and all(map(le, self.first_edge, self.first_edge[1:]))
            and edges == len(self.targets)
            and max(self.targets, default=0) < len(self.types)
            and min(self.targets, default=0) >= 0
            and max(self.names) < len(self.strings)
            and max(self.types) < len(self.node_types)
            and max(self.edge_kinds, default=0) < len(self.edge_types)
        )
        if not whole:
            raise _broken()

    def __len__(self) -> int:
        """How many objects there are."""
        return len(self.types)

    def type(self, node: int) -> str:
        """What sort of thing a node is."""
        return self.node_types[self.types[node]]

    def name(self, node: int) -> str:
        """The constructor's name, the text of a string, the name of a function."""
        return self.strings[self.names[node]]

    def label(self, node: int) -> str:
        """Type and name in one."""
        return f"{self.type(node)}:{self.name(node)}"

    def edges(self, node: int) -> range:
        """What a node holds."""
        return range(self.first_edge[node], self.first_edge[node + 1])

    def edge(self, edge: int) -> str:
        """How a held object is reached, as it would be written."""
        kind = self.edge_types[self.edge_kinds[edge]]
        name = self.edge_names[edge]
        if kind in {"element", "hidden"}:
            return f"[{name}]"
        text = self.strings[name] if 0 <= name < len(self.strings) else "?"
        return f"<{text}>" if kind in {"internal", "weak"} else f".{text}"

    def holders(self, held: set[int]) -> Iterator[tuple[int, int]]:
        """Who holds one of these nodes, with the edge; weak edges hold nothing."""
        weak = self._weak
        kinds, first, owner = self.edge_kinds, self.first_edge, 0
        for edge, target in enumerate(self.targets):
            if target in held and kinds[edge] != weak:
                while first[owner + 1] <= edge:
                    owner += 1
                yield owner, edge

    def ways(self) -> tuple[array[int], array[int]]:
        """For each node the edge that leads to it on a shortest way from a root, and its owner.

        What the page itself can reach comes first; the engine's own roots are for the rest. In
        place of an edge, a root has `ROOT` and what nothing leads to `UNREACHED`.
        """
        via = array("q", [UNREACHED]) * len(self)
        owners = array("q", [UNREACHED]) * len(self)
        seen = bytearray(len(self))
        for group in (self._windows(), [0]):
            frontier = [node for node in group if not seen[node]]
            for node in frontier:
                seen[node] = 1
                via[node] = ROOT
            self._spread(frontier, seen, via, owners)
        return via, owners

    def _windows(self) -> list[int]:
        """The global objects of the page's frames."""
        names = {number for number, text in enumerate(self.strings) if _GLOBAL in text}
        kind = self._number(self.node_types, "object")
        return [
            node
            for node, name in enumerate(self.names)
            if name in names and self.types[node] == kind
        ]

    def _spread(
        self, frontier: list[int], seen: bytearray, via: array[int], owners: array[int]
    ) -> None:
        targets, kinds, first, weak = self.targets, self.edge_kinds, self.first_edge, self._weak
        while frontier:
            reached = []
            for node in frontier:
                for edge in range(first[node], first[node + 1]):
                    target = targets[edge]
                    if not seen[target] and kinds[edge] != weak:
                        seen[target] = 1
                        via[target], owners[target] = edge, node
                        reached.append(target)
            frontier = reached

    @property
    def _weak(self) -> int:
        return self._number(self.edge_types, "weak")

    @staticmethod
    def _number(names: list[str], name: str) -> int:
        return names.index(name) if name in names else _NEVER


def _broken() -> InvalidArgument:
    return InvalidArgument("that file is no heap snapshot", hint="Take one with `heap_snapshot`.")


class _Meta(msgspec.Struct):
    node_fields: list[str]
    edge_fields: list[str]
    node_types: list[list[str] | str]
    edge_types: list[list[str] | str]


class _Snapshot(msgspec.Struct):
    meta: _Meta


class _Head(msgspec.Struct):
    snapshot: _Snapshot


def _meta(head: bytes) -> _Meta:
    """The description at the beginning, which ends where the nodes begin."""
    try:
        meta = msgspec.json.decode(head.rstrip().rstrip(b",") + b"}", type=_Head).snapshot.meta
    except msgspec.MsgspecError:
        raise _broken() from None
    if not {*_NODE_FIELDS} <= {*meta.node_fields} or not {*_EDGE_FIELDS} <= {*meta.edge_fields}:
        raise _broken()
    return meta


def _names(types: list[list[str] | str]) -> list[str]:
    """The kinds that the first field of each node or edge is one of."""
    return types[0] if types and isinstance(types[0], list) else []


def _numbers(data: mmap.mmap, start: int) -> tuple[array[int], int]:
    """The flat list of numbers whose bracket is at `start`, and where it ends."""
    end = data.find(b"]", start)
    if end < 0:
        raise _broken()
    found = array("q")
    at = start + 1
    try:
        while at < end:
            stop = min(at + _PIECE, end)
            if stop < end:
                # Whole numbers only: a piece ends at a comma.
                stop = data.rfind(b",", at, stop)
                if stop < at:
                    raise _broken()
            found.extend(map(int, data[at:stop].split(b",")))
            at = stop + 1
    except (ValueError, OverflowError):
        if not data[start + 1 : end].strip():
            return found, end
        raise _broken() from None
    return found, end


def _strings(tail: bytes) -> list[str]:
    text = tail.rstrip().removesuffix(b"}").rstrip()
    try:
        return msgspec.json.decode(text, type=list[str])
    except msgspec.MsgspecError:
        pass
    try:
        # Half characters, which only this reader takes.
        found = json.loads(text)
    except ValueError:
        raise _broken() from None
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise _broken()
    return found
