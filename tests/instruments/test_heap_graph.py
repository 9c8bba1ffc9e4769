"""V8 heap snapshots, read into arrays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stockade.errors import InvalidArgument
from stockade.instruments.heap_graph import ROOT, UNREACHED, HeapGraph

NODE_TYPES = ["hidden", "synthetic", "object", "string"]
EDGE_TYPES = ["property", "element", "internal", "weak"]


def snapshot(
    nodes: list[tuple[str, str, int]], edges: list[tuple[int, str, int, str]]
) -> dict[str, Any]:
    """A snapshot in V8's own form: nodes as (type, name, size), edges as (from, how, to, name)."""
    strings: list[str] = []

    def number(text: str) -> int:
        if text not in strings:
            strings.append(text)
        return strings.index(text)

    flat_nodes, flat_edges = [], []
    for index, (kind, name, size) in enumerate(nodes):
        mine = [edge for edge in edges if edge[0] == index]
        row = [NODE_TYPES.index(kind), number(name), 2 * index + 1, size, len(mine), 0, 0]
        flat_nodes += row
        for _, how, to, label in mine:
            shown = int(label) if how == "element" else number(label)
            flat_edges += [EDGE_TYPES.index(how), shown, to * 7]
    fields = ["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"]
    meta = {
        "node_fields": fields,
        "node_types": [NODE_TYPES, "string", "number"],
        "edge_fields": ["type", "name_or_index", "to_node"],
        "edge_types": [EDGE_TYPES, "string_or_number", "node"],
    }
    return {
        "snapshot": {"meta": meta, "node_count": len(nodes), "edge_count": len(edges)},
        "nodes": flat_nodes,
        "edges": flat_edges,
        "trace_tree": [],
        "strings": strings,
    }


def written(path: Path, content: dict[str, Any]) -> Path:
    """As V8 writes it: each list on lines of its own."""
    parts = [
        f'"{key}":{json.dumps(value, separators=(",", ":"))}' for key, value in content.items()
    ]
    path.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")
    return path


SMALL = snapshot(
    [
        ("synthetic", "", 0),
        ("synthetic", "(GC roots)", 0),
        ("object", "Window [JSGlobalObject] / shop", 10),
        ("object", "Cache", 20),
        ("object", "Leak", 30),
        ("object", "Adrift", 40),
    ],
    [
        (0, "element", 1, "1"),
        (0, "property", 2, "window"),
        (1, "internal", 4, "handle"),
        (2, "property", 3, "cache"),
        (3, "element", 4, "7"),
        (3, "weak", 5, "note"),
    ],
)


def test_nodes_edges_and_names(tmp_path: Path) -> None:
    graph = HeapGraph(written(tmp_path / "a", SMALL))
    assert len(graph) == 6
    assert [graph.label(node) for node in (2, 4)] == [
        "object:Window [JSGlobalObject] / shop",
        "object:Leak",
    ]
    assert list(graph.ids) == [1, 3, 5, 7, 9, 11]
    assert [graph.edge(edge) for edge in graph.edges(3)] == ["[7]", "<note>"]
    assert [graph.targets[edge] for edge in graph.edges(0)] == [1, 2]


def test_holders_hold_strongly(tmp_path: Path) -> None:
    graph = HeapGraph(written(tmp_path / "a", SMALL))
    assert [owner for owner, _ in graph.holders({4, 5})] == [1, 3]


def test_the_shortest_way_is_the_pages_own(tmp_path: Path) -> None:
    graph = HeapGraph(written(tmp_path / "a", SMALL))
    via, owners = graph.ways()
    assert [owners[node] for node in (4, 3)] == [3, 2]
    assert graph.edge(via[4]) == "[7]"
    assert (via[2], via[0], via[5]) == (ROOT, ROOT, UNREACHED)


def test_half_characters_are_read(tmp_path: Path) -> None:
    odd = snapshot([("string", "half \ud83d", 1)], [])
    graph = HeapGraph(written(tmp_path / "a", odd))
    assert graph.name(0) == "half \ud83d"


def test_numbers_are_read_in_pieces(tmp_path: Path) -> None:
    many = snapshot([("object", "Thing", size) for size in range(100_000)], [])
    graph = HeapGraph(written(tmp_path / "a", many))
    assert sum(graph.sizes) == sum(range(100_000))


@pytest.mark.parametrize(
    "change",
    [
        {"nodes": SMALL["nodes"][:-7]},
        {"nodes": [2, 99, 1, 1, 0, 0, 0]},
        {"edges": SMALL["edges"][:-3]},
        {"edges": [*SMALL["edges"][:-1], 7_000_000]},
        {"strings": []},
        {"strings": [1]},
        {"snapshot": {"meta": {"node_fields": ["type"]}}},
        {"snapshot": []},
    ],
)
def test_what_does_not_fit_together_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        HeapGraph(written(tmp_path / "a", {**SMALL, **change}))
