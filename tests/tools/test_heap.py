"""Heap snapshots: taken, asked who holds what, and compared."""

from __future__ import annotations

import asyncio
import json
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import Any, BinaryIO

import pytest

from stockade.masking.heaps import mask_heap
from stockade.masking.masker import Masker
from tests.support.asking import page_says, session_of
from tests.support.callers import Caller

LEAKY = """<h1>Orders</h1><button onclick="more()">More</button>
<script>
class ForgottenOrder { constructor(n) { this.lines = new Array(50).fill(n); this.détail = 'ü'; } }
window.archive = { kept: new Map() };
function more() { for (let i = 0; i < 200; i += 1) archive.kept.set({}, new ForgottenOrder(i)); }
more();
</script>"""


def file_of(caller: Caller, told: dict[str, Any]) -> Path:
    return caller.kernel.artifacts.named(session_of(caller), told["path"]).path


async def test_a_snapshot_is_what_devtools_opens(mighty: Caller) -> None:
    await mighty.show(LEAKY)
    told = await mighty.ok("heap_snapshot", path="before.heapsnapshot")
    content = file_of(mighty, told).read_bytes()
    assert told["bytes"] == len(content) > 100_000
    snapshot = json.loads(content)
    fields = len(snapshot["snapshot"]["meta"]["node_fields"])
    assert len(snapshot["nodes"]) == fields * snapshot["snapshot"]["node_count"]
    assert "ForgottenOrder" in snapshot["strings"]


async def test_a_snapshot_has_no_secrets_and_remains_one(mighty: Caller) -> None:
    mighty.kernel.masker.add("PASSWORD", "hunter2-of-heaps")
    await mighty.show(
        LEAKY
        + "<script>window.word = 'it is ' + 'hunter2-of-' + 'heaps'; word.trim()</script><p>hunter2-of-heaps</p>"
    )
    told = await mighty.ok("heap_snapshot")
    content = file_of(mighty, told).read_bytes()
    assert b"hunter2-of-heaps" not in content
    assert any("<PASSWORD>" in each for each in json.loads(content)["strings"])
    found = await mighty.ok(
        "heap_retainers", snapshotPath=told["path"], query={"name": "ForgottenOrder"}
    )
    assert found["matchCount"] >= 200


async def test_a_secret_does_not_make_it_slow(mighty: Caller) -> None:
    await mighty.show(f"{LEAKY}<script>for (let i = 0; i < 300; i += 1) more()</script>")
    clock = asyncio.get_running_loop().time

    async def taken() -> float:
        began = clock()
        told = await mighty.ok("heap_snapshot")
        assert told["bytes"] > 8_000_000
        return clock() - began

    plain = await taken()
    mighty.kernel.masker.add("PASSWORD", "hunter2-of-heaps")
    assert await taken() < 6 * plain + 1


async def test_its_deadline_ends_it(mighty: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Masking is under way when the time is up: it ends with the call, and does not go on."""
    mighty.kernel.masker.add("PASSWORD", "hunter2-of-heaps")
    await mighty.show(LEAKY)
    ended = Event()

    def endless(masker: Masker, source: BinaryIO, _: BinaryIO) -> None:
        try:
            while True:
                source.seek(0)
                mask_heap(masker, source, BytesIO())
        finally:
            ended.set()

    monkeypatch.setattr("stockade.tools.heap.mask_heap", endless)
    refused = await mighty.refused("heap_snapshot", timeoutMs=4000)
    assert refused["code"] == "timeout"
    assert ended.is_set()


MATCHES = [
    ("ForgottenOrder", "exact", 200),
    ("ForgottenOrde", "exact", 0),
    ("gottenOrd", "substring", 200),
    ("gottenOrd", "contains", 200),
    ("^Forgotten(Order|Bill)$", "regex", 200),
]


async def test_who_holds_an_object_is_told_with_the_way_to_it(caller: Caller) -> None:
    await caller.show(LEAKY)
    told = await caller.ok("heap_snapshot")

    async def found(**query: str) -> dict[str, Any]:
        return await caller.ok("heap_retainers", snapshotPath=told["path"], query=query)

    orders = await found(name="ForgottenOrder", type="object")
    assert orders["matchCount"] == 200
    assert orders["retainers"][0]["edgesToMatches"] >= 200
    way = " ".join(orders["paths"][0]["path"])
    assert ".archive" in way
    assert ".kept" in way
    assert orders["paths"][0]["path"][-1].endswith("object:ForgottenOrder")
    for name, match, count in MATCHES:
        assert (await found(name=name, nameMatch=match, type="object"))["matchCount"] == count
    for query in ({}, {"name": "(", "nameMatch": "regex"}, {"name": "x", "nameMatch": "like"}):
        refused = await caller.refused("heap_retainers", snapshotPath=told["path"], query=query)
        assert refused["code"] == "invalid_argument"


async def test_growth_is_told_by_constructor(caller: Caller) -> None:
    await caller.show(LEAKY)
    before = await caller.ok("heap_snapshot")
    await caller.ok("click", selector="role=button")
    after = await caller.ok("heap_snapshot")
    assert before["path"] != after["path"]
    diff = await caller.ok("memory_diff", beforePath=before["path"], afterPath=after["path"])
    rows = {row["node"]: row for row in diff["retainerGrowth"]}
    row = rows["object:ForgottenOrder"]
    assert (row["countBefore"], row["countAfter"], row["newCount"]) == (200, 400, 200)
    assert row["deltaBytes"] == row["sizeAfter"] - row["sizeBefore"] > 0
    assert row["deltaPercent"] == 100.0
    assert len(diff["summary"]["top3Growers"]) == 3
    assert diff["summary"]["totalGrowth"] > 0
    assert await page_says(caller, "() => archive.kept.size") == 400


async def test_a_name_of_ones_own_needs_file_io(caller: Caller) -> None:
    await caller.show(LEAKY)
    refused = await caller.refused("heap_snapshot", path="mine.heapsnapshot")
    assert refused["code"] == "capability_disabled"


async def test_what_is_no_snapshot_is_refused(caller: Caller) -> None:
    await caller.show("<p>page</p>")
    session = session_of(caller)
    for number, content in enumerate(
        [b"", b"no json", b'{"nodes":[1]}', b'{"snapshot":{"meta":{}},\n"nodes":[1,2]}']
    ):
        name = f"odd{number}.heapsnapshot"
        caller.kernel.artifacts.save(session, name, content)
        query = {"name": "x"}
        refused = await caller.refused("heap_retainers", snapshotPath=name, query=query)
        assert refused["code"] == "invalid_argument"
    missing = await caller.refused("memory_diff", beforePath="none", afterPath="none")
    assert missing["code"] == "artifact_not_found"
