"""How much of its code a page uses."""

from __future__ import annotations

from typing import Any

from stockade.instruments.coverage import Coverage, Script, Sheet, report, used_spans
from tests.support.asking import tab_of
from tests.support.callers import Caller


def function(*ranges: tuple[int, int, int]) -> dict[str, Any]:
    keys = ("startOffset", "endOffset", "count")
    return {"ranges": [dict(zip(keys, each, strict=True)) for each in ranges]}


def test_blocks_within_functions_within_scripts() -> None:
    told = [function((0, 100, 1)), function((10, 60, 3), (20, 30, 0)), function((70, 90, 0))]
    assert used_spans(told) == [(0, 20), (30, 70), (90, 100)]


def test_what_is_not_told_of_is_assumed() -> None:
    assert used_spans([function((10, 20, 0))], 50) == [(0, 10), (20, 50)]
    assert used_spans([function((10, 20, 0))]) == []


def test_scripts_of_one_address_are_told_together() -> None:
    told = report(
        [
            Script("https://a.example/", 100, 3, [(0, 50)]),
            Script("https://a.example/", 50, 9, [(0, 50)]),
            Script("https://a.example/x.js", 1000, 0, []),
            Script("https://a.example/none.js", 0),
        ],
        [],
    )
    rows = {each["url"]: each for each in told["jsCoverage"]}
    assert told["jsCoverage"][0]["url"] == "https://a.example/x.js"
    assert rows["https://a.example/"]["deadRanges"] == [{"start": 50, "end": 100, "line": 3}]
    assert rows["https://a.example/"]["usagePercent"] == 66.7
    assert rows["https://a.example/none.js"]["usagePercent"] == 100


def test_of_many_ranges_the_largest_stay_in_order() -> None:
    used = [(at, at + 1) for at in range(0, 2000, 10)]
    [row] = report([Script("u", 5000, 0, used)], [])["jsCoverage"]
    assert len(row["deadRanges"]) == 50
    assert row["deadRanges"][-1] == {"start": 1991, "end": 5000}


def test_rules_within_rules() -> None:
    text = ".a { top: 0; & b { top: 1 } } .c {}"
    [row] = report([], [Sheet("u", text, {0})])["cssCoverage"]
    assert (row["usedRules"], row["totalRules"]) == (1, 3)
    assert row["usedBytes"] == len(".a { top: 0; & b { top: 1 } }") - len("& b { top: 1 }")


async def test_the_past_counts_when_asked_for(caller: Caller) -> None:
    await caller.show("<p>page</p><script>function dead() { return 1 } window.ran = 1;</script>")
    coverage = Coverage(tab_of(caller), past=True)
    await coverage.start(timeout=5)
    scripts, _ = await coverage.stop(timeout=10)
    [script] = [each for each in scripts if each.url == caller.site.url("/page")]
    assert script.used[0][1] - script.used[0][0] > 0
    assert 0 < report([script], [])["jsCoverage"][0]["usagePercent"] < 100
