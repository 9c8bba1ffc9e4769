"""Notes, records and what they come to."""

from __future__ import annotations

from dataclasses import replace

from stockade.policy.principal import Role
from tests.support.callers import Caller


async def test_notes_and_calls_are_found_again_by_those_they_belong_to(mighty: Caller) -> None:
    await mighty.show("<h1>Hello</h1>")
    for _ in range(3):
        await mighty.ok("eval_js", expr="document.querySelector('h1').textContent")
    told = await mighty.ok(
        "diagnostics_note", insight="there is no tool for headings", category="gaps", severity="low"
    )
    assert (told["recorded"], told["category"]) == (True, "gaps")
    found = await mighty.ok("diagnostics_search", tool="eval_js")
    assert (found["count"], found["truncated"]) == (3, False)
    assert all("key" not in each and "tenant" not in each for each in found["records"])
    [note] = (await mighty.ok("diagnostics_search", category="gaps"))["records"]
    assert (note["insight"], note["session"]) == ("there is no tool for headings", "default")
    cut = await mighty.ok("diagnostics_search", tool="eval_js", limit=2, sessionId="default")
    assert (cut["count"], cut["truncated"]) == (2, True)
    assert (await mighty.ok("diagnostics_search", since="2999-01-01T00:00:00Z"))["count"] == 0

    report = await mighty.ok("diagnostics_report", format="full")
    assert report["perTool"]["eval_js"]["count"] == 3
    assert report["topEvalJsPatterns"][0]["count"] == 3
    assert report["missingPrimitiveHypotheses"][0]["bucket"] == "dom-query"
    assert report["notesByCategory"]["gaps"][0]["severity"] == "low"
    assert report["records"][0]["kind"] == "call"
    assert "records" not in await mighty.ok("diagnostics_report")

    stranger = mighty.another()
    assert (await stranger.ok("diagnostics_search", sessionId=note["sessionId"]))["count"] == 0
    operator = replace(mighty, principal=replace(stranger.principal, id="boss", role=Role.OPERATOR))
    assert (await operator.ok("diagnostics_search", sessionId=note["sessionId"]))["count"] > 3


async def test_a_session_that_is_gone_is_still_told_of(mighty: Caller) -> None:
    await mighty.ok("open_session", session="brief")
    await mighty.ok("diagnostics_note", session="brief", insight="soon gone")
    await mighty.ok("close_session", session="brief")
    [note] = [
        each
        for each in (await mighty.ok("diagnostics_search"))["records"]
        if each["kind"] == "note"
    ]
    assert note["insight"] == "soon gone"
