"""An audit: watching and judging."""

from __future__ import annotations

from stockade.instruments.analysers import ANALYSERS, Facts, Issue
from stockade.instruments.audit import judge, score, watch
from stockade.instruments.coverage import Coverage
from stockade.instruments.thrash import Thrash
from stockade.instruments.tracing import Tracer
from stockade.instruments.vitals import Vitals
from tests.support.asking import tab_of
from tests.support.callers import Caller


def test_the_score_goes_by_severity_and_each_category_only_so_far() -> None:
    high, medium, low = (Issue(each, "t", "a") for each in ("high", "medium", "low"))
    assert score({}) == 100
    assert score({"a": [high], "b": [medium, low]}) == 85
    assert score({"a": [high] * 20}) == 70
    assert score({each: [high] * 20 for each in ANALYSERS}) == 0


def test_remedies_are_told_once() -> None:
    blocking = {
        "kind": "css",
        "start": 0.0,
        "duration": 9.0,
        "end": 9.0,
        "bytes": 1,
        "blocking": True,
    }
    vitals = Vitals(resources=[{"url": f"https://a.example/{n}", **blocking} for n in range(9)])
    told = judge(Facts(vitals, Thrash(), []), ["render-blocking"], full=False)
    assert len(told["byCategory"]["render-blocking"]["issues"]) == 3
    assert len(told["byCategory"]["render-blocking"]["remediations"]) == 1
    assert told["summary"]["issueCount"] == 9
    assert len(told["summary"]["topIssues"]) == 5
    full = judge(Facts(vitals, Thrash(), []), ["render-blocking"], full=True)
    assert len(full["byCategory"]["render-blocking"]["issues"]) == 9


async def test_nothing_is_left_on(caller: Caller) -> None:
    await caller.show("<p>page</p>")
    tab, tracer = tab_of(caller), Tracer()
    audit = await watch(tab, tracer, set(ANALYSERS), 0.05, timeout=20)
    audit.recording.file.close()
    assert audit.warnings == []
    assert audit.facts.coverage is not None
    assert audit.facts.before is not None
    assert not tracer.running
    assert tab.parts.get(Coverage) is None
