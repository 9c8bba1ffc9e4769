"""Calls that do not always do the same."""

from __future__ import annotations

from typing import Any

from tests.support.callers import Caller

FLAKY = """<button onclick="const n = +(localStorage.n || 0); localStorage.n = n + 1;
if (n % 2 === 0) this.insertAdjacentHTML('afterend', '<p role=alert>Saved</p>')">Save</button>"""


def calls(caller: Caller) -> list[dict[str, Any]]:
    return [
        {"tool": "navigate", "args": {"url": caller.site.url("/page")}},
        {"tool": "click", "args": {"selector": "button"}, "label": "save"},
        {"tool": "verify_count", "args": {"text": "Saved", "n": 1}},
    ]


async def test_the_first_divergence_is_found(caller: Caller) -> None:
    caller.site.page("/page", FLAKY)
    report = await caller.ok("flake_check", calls=calls(caller), n=4)
    assert (report["runsCompleted"], report["allGreen"]) == (4, False)
    check = report["steps"][2]
    assert (check["runs"], check["ok"], check["successRate"]) == (4, 2, 0.5)
    assert check["errors"] == ["expected 1 of text Saved, found 0"]
    assert report["firstDivergence"] == {
        "step": 2,
        "tool": "verify_count",
        "kind": "outcome",
        "run": 1,
    }
    save = report["steps"][1]
    assert (save["label"], len(save["signatures"])) == ("save", 2)
    assert [run["failedAt"] for run in report["runs"]] == [None, 2, None, 2]
    assert report["runs"][1]["results"][2]["failure"]["kind"] == "count"
    assert [each["step"] for each in report["cachedResolvers"]] == []


async def test_steady_calls_end_early_and_can_be_found_again(caller: Caller) -> None:
    caller.site.page("/page", "<button>Save</button>")
    steady = [calls(caller)[0], {"tool": "find", "args": {"query": "Save"}}, calls(caller)[1]]
    report = await caller.ok("flake_check", calls=steady, n=20, stopOnAllGreen=3)
    assert (report["runsCompleted"], report["shortCircuitedAfter"]) == (3, 3)
    assert report["allGreen"]
    assert report["firstDivergence"] is None
    found, clicked = report["cachedResolvers"]
    assert found["ref"].startswith("e")
    assert "Save" in found["selectorHint"]
    assert (clicked["selectorHint"], clicked["agreedRuns"]) == ("button", 3)
    report = await caller.ok("flake_check", calls=steady[:1], n=5, stopOnAllGreen=True)
    assert report["runsCompleted"] == 3


async def test_what_goes_well_in_two_ways_is_told_too(caller: Caller) -> None:
    caller.site.page("/page", FLAKY)
    report = await caller.ok("flake_check", calls=calls(caller)[:2], n=3)
    assert report["allGreen"]
    assert report["firstDivergence"]["kind"] == "signature"


async def test_bounds(caller: Caller) -> None:
    for wrong in ({"n": 2}, {"n": 21}, {"n": 3, "calls": []}):
        refusal = await caller.refused("flake_check", **{"calls": [{"tool": "snapshot"}], **wrong})
        assert refusal["code"] == "invalid_argument"
    inner = [{"tool": "batch", "args": {"calls": []}}]
    assert (await caller.refused("flake_check", calls=inner, n=3))["code"] == "invalid_argument"
