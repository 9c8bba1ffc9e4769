"""Who holds what, and what has grown."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

from stockade.engines.port import Page
from stockade.instruments.heap import growth, picture, retainers
from stockade.instruments.heap_graph import HeapGraph
from tests.instruments.test_heap_graph import SMALL, snapshot, written


async def test_a_picture_is_written_as_it_comes(page: Page) -> None:
    file = BytesIO()
    await picture(page.devtools[0], file, timeout=20)
    assert json.loads(file.getvalue())["snapshot"]["node_count"] > 1000


def test_retainers_with_the_way_to_each(tmp_path: Path) -> None:
    graph = HeapGraph(written(tmp_path / "a", SMALL))
    found = retainers(graph, name="Leak", type=None, match="exact")
    assert found["matchCount"] == 1
    assert [row["retainerName"] for row in found["retainers"]] == [
        "object:Cache",
        "synthetic:(GC roots)",
    ]
    assert found["paths"][0]["path"] == [
        "object:Window [JSGlobalObject] / shop",
        ".cache → object:Cache",
        "[7] → object:Leak",
    ]


def test_all_of_a_type(tmp_path: Path) -> None:
    graph = HeapGraph(written(tmp_path / "a", SMALL))
    assert retainers(graph, name=None, type="object", match="exact")["matchCount"] == 4
    assert retainers(graph, name=None, type="closure", match="exact")["paths"] == []


def test_an_evil_expression_takes_no_time(tmp_path: Path) -> None:
    odd = snapshot([("object", "a" * 40 + "!", 1)], [])
    graph = HeapGraph(written(tmp_path / "a", odd))
    assert retainers(graph, name="^(a|a)*$", type=None, match="regex")["matchCount"] == 0


def test_growth_tells_new_from_old(tmp_path: Path) -> None:
    before = HeapGraph(written(tmp_path / "a", snapshot([("object", "Row", 5000)] * 2, [])))
    later = snapshot(
        [("object", "Row", 5000)] * 5 + [("string", f"s{n}", 900) for n in range(3)], []
    )
    diff = growth(before, HeapGraph(written(tmp_path / "b", later)))
    rows = {row["node"]: row for row in diff["retainerGrowth"]}
    assert rows["object:Row"]["deltaBytes"] == 15_000
    assert rows["object:Row"]["deltaPercent"] == 150.0
    assert (rows["object:Row"]["newCount"], rows["object:Row"]["newBytes"]) == (3, 15_000)
    assert rows["string:(string)"]["deltaPercent"] == "+inf"
    assert diff["summary"]["totalGrowth"] == 17_700
    assert [each["node"] for each in diff["summary"]["top3Growers"]] == [
        "object:Row",
        "string:(string)",
    ]
