"""What a session's calls cost."""

from __future__ import annotations

from stockade.flows.metrics import CallCounts


def test_calls_add_up_by_tool() -> None:
    counts = CallCounts()
    counts.add("click", 12.5, "ok", 100)
    counts.add("click", 7.5, "stale_ref", 20)
    counts.add("eval_js", 1, "capability_disabled", 30)
    assert counts.calls == {"click": 2, "eval_js": 1}
    assert counts.milliseconds == {"click": 20, "eval_js": 1}
    assert counts.errors == {"click": 1, "eval_js": 1}
    assert (counts.denials, counts.tokens) == (1, 150)
