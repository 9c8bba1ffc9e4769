"""The analysers of an audit."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.events import Request
from stockade.instruments.analysers import ANALYSERS, Facts, Issue
from stockade.instruments.thrash import Thrash
from stockade.instruments.vitals import Memory, Vitals

URL = "https://a.example/thing"


def resource(url: str = URL, **changes: Any) -> dict[str, Any]:
    plain = {"kind": "link", "start": 10.0, "duration": 20.0, "end": 30.0, "bytes": 100}
    return {"url": url, "blocking": False, **plain, **changes}


def request(**changes: Any) -> Request:
    given = {
        "id": "1",
        "url": URL,
        "method": "GET",
        "type": "Script",
        "started": 0.0,
        "status": 200,
    }
    return Request(**{**given, **changes})


def issues(category: str, vitals: Vitals | None = None, **facts: Any) -> list[Issue]:
    given: dict[str, Any] = {"thrash": Thrash(), "tasks": [], **facts}
    return ANALYSERS[category](Facts(vitals or Vitals(), **given))


@pytest.mark.parametrize("category", ANALYSERS)
def test_nothing_is_wrong_with_nothing(category: str) -> None:
    assert issues(category) == []


@pytest.mark.parametrize(
    ("duration", "severity"), [(20.0, "low"), (200.0, "medium"), (900.0, "high")]
)
def test_what_blocks_longer_is_worse(duration: float, severity: str) -> None:
    vitals = Vitals(resources=[resource(blocking=True, duration=duration), resource()])
    [issue] = issues("render-blocking", vitals)
    assert (issue.severity, issue.target) == (severity, URL)


def test_little_files_are_not_worth_telling() -> None:
    rows = [
        {"url": "big", "totalBytes": 90_000, "usedBytes": 100, "usagePercent": 0.1},
        {"url": "small", "totalBytes": 900, "usedBytes": 1, "usagePercent": 0.1},
        {"url": "good", "totalBytes": 90_000, "usedBytes": 45_000, "usagePercent": 50.0},
    ]
    found = issues("unused-code", coverage={"jsCoverage": rows, "cssCoverage": rows})
    assert [each.target for each in found] == ["big", "big"]


def test_pictures_with_too_many_pixels() -> None:
    picture = {"url": URL, "width": 1000, "height": 1000, "shownWidth": 100, "shownHeight": 100}
    heavy = Vitals(images=[picture], requests=[request(type="Image", bytes=60_000)])
    [issue] = issues("oversize-images", heavy)
    assert issue.details["shownPixels"] == 10_000
    icon = Vitals(images=[picture], requests=[request(type="Image", bytes=600)])
    assert issues("oversize-images", icon) == []


def test_a_few_forced_layouts_are_forgiven() -> None:
    few, many = Thrash(5, 0, {"f": [1.0] * 5}), Thrash(30, 0, {"f": [1.0] * 30})
    assert issues("layout-thrashing", thrash=few) == []
    assert issues("layout-thrashing", thrash=many)[0].severity == "medium"


def test_long_tasks_from_before_and_from_the_trace() -> None:
    frame = {
        "start": 0.0,
        "duration": 400.0,
        "scripts": [{"url": URL, "duration": 290.0, "forced": 0}],
    }
    early = {"start": 1.0, "duration": 300.0}
    vitals = Vitals(long_tasks=[early, {"start": 9000.0, "duration": 62.0}], slow_frames=[frame])
    found = issues("long-tasks", vitals, tasks=[{"durationMs": 60.0, "url": "late"}])
    assert [(each.severity, each.target) for each in found] == [("high", URL), ("low", "late")]


def test_growth_is_suspect_only_when_it_is_much() -> None:
    small, large = Memory(10 << 20, 1000, 10), Memory(40 << 20, 1100, 12, detached=2000)
    found = issues("leak-suspects", before=small, after=large)
    assert len(found) == 2
    assert "heap" in found[0].title
    assert issues("leak-suspects", before=small, after=small) == []


@pytest.mark.parametrize(
    ("control", "count"),
    [
        ("", 1),
        ("no-store", 1),
        ("max-age=60", 1),
        ("no-store, max-age=99999999", 1),
        ("public, max-age=31536000", 0),
        ("immutable", 0),
    ],
)
def test_what_could_be_kept(control: str, count: int) -> None:
    headers = {"Cache-Control": control} if control else {}
    vitals = Vitals(requests=[request(response_headers=headers)])
    assert len(issues("cache-opportunities", vitals)) == count


def test_only_files_can_be_kept() -> None:
    odd = [request(type="Document"), request(status=404), request(url="data:text/css,x")]
    assert issues("cache-opportunities", Vitals(requests=odd)) == []


def test_fonts_that_come_late_or_hide_text() -> None:
    vitals = Vitals(
        resources=[resource(f"{URL}.woff2?v=1", start=700.0, end=2000.0), resource(start=900.0)],
        fonts=[
            {"family": "Late", "status": "loaded", "display": "block"},
            {"family": "Unused", "status": "unloaded", "display": "block"},
            {"family": "Good", "status": "loaded", "display": "swap"},
        ],
    )
    assert [each.target for each in issues("font-loading", vitals)] == [f"{URL}.woff2?v=1", "Late"]


def test_the_worst_come_first_and_not_too_many() -> None:
    resources = [resource(blocking=True, duration=float(ms)) for ms in range(0, 1000, 20)]
    found = issues("render-blocking", Vitals(resources=resources))
    assert len(found) == 20
    assert found[0].severity == "high"
