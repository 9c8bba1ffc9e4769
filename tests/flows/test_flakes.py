"""Runs compared, without a browser."""

from __future__ import annotations

from typing import Any

from stockade.flows.flakes import cached_resolvers, first_divergence, signature, steps

CALLS: list[dict[str, Any]] = [{"tool": "click", "args": {"named": "buy"}}, {"tool": "press"}]


def row(tool: str, *, ok: bool = True, **more: Any) -> dict[str, Any]:
    return {"tool": tool, "ok": ok, **more}


def test_signatures_hold_what_came_and_leave_out_what_differs_anyway() -> None:
    def result(ref: str, query: str) -> dict[str, Any]:
        return {
            "navigation": {"kind": "spa", "to": f"http://x.example:1/cart{query}"},
            "structure": {"appeared": [{"role": "dialog", "name": "Thanks", "ref": ref}]},
        }

    buy = 'button "Buy"'
    one = signature(row("click", target=buy, result=result("e1", "?t=1")))
    assert one == signature(row("click", target=buy, result=result("e9", "?t=2")))
    assert one == 'click: button "Buy", spa to /cart, +dialog Thanks'
    assert signature(row("click", ok=False, error={"code": "stale_ref"})) == "click: stale_ref"
    assert signature(row("snapshot", result="text")) == "snapshot: ok"


def test_runs_that_agree_have_no_divergence() -> None:
    runs = [[row("click", ok=False), row("press")]] * 3
    rolled = steps(CALLS, runs)
    assert rolled[0]["successRate"] == 0
    assert first_divergence(CALLS, runs, rolled) is None
    assert cached_resolvers(CALLS, runs, rolled) == []


def test_a_step_nobody_reached() -> None:
    rolled = steps(CALLS, [[row("click")]])
    assert (rolled[1]["runs"], rolled[1]["successRate"]) == (0, None)
    found = cached_resolvers(CALLS, [[row("click")]], rolled)
    assert found[0]["selectorHint"] == "named:buy"
