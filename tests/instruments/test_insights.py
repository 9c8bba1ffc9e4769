"""What a trace says."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.instruments.insights import cumulative_shift, insights

FRAME = "F1"


def event(name: str, ms: float, frame: str = FRAME, **data: Any) -> dict[str, Any]:
    args = {"frame": frame, "data": data}
    return {"name": name, "ph": "R", "ts": ms * 1000, "pid": 1, "tid": 1, "args": args}


LOADED = [
    event("TracingStartedInBrowser", 1000),
    event(
        "navigationStart",
        1100,
        isLoadingMainFrame=True,
        documentLoaderURL="https://a.example/",
        navigationId="N",
    ),
    event("navigationStart", 900, isLoadingMainFrame=True, documentLoaderURL="", navigationId="0"),
    event(
        "ResourceSendRequest",
        1101,
        requestId="N",
        url="https://a.example/",
        resourceType="Document",
    ),
    event("ResourceReceiveResponse", 1150, requestId="N"),
    event("ResourceFinish", 1160, requestId="N", encodedDataLength=5000),
    event(
        "ResourceSendRequest",
        1170,
        requestId="1.2",
        url="https://a.example/a.css",
        resourceType="Stylesheet",
        renderBlocking="blocking",
    ),
    event("ResourceFinish", 1270, requestId="1.2", encodedDataLength=100),
    event(
        "ResourceSendRequest",
        1170,
        requestId="1.3",
        url="https://a.example/b.js",
        renderBlocking="non_blocking",
    ),
    event("firstContentfulPaint", 1300, navigationId="N"),
    event("firstContentfulPaint", 1200, frame="F2", navigationId="M"),
    event("largestContentfulPaint::Candidate", 1300, navigationId="N", size=10, nodeName="P"),
    event(
        "largestContentfulPaint::Candidate",
        1500,
        navigationId="N",
        size=99,
        nodeName="IMG",
        imageUrl="https://a.example/i.png",
    ),
    event("MarkDOMContent", 1280),
    event("MarkLoad", 1400),
]


def test_a_navigation_with_its_milestones() -> None:
    assert insights(LOADED)["navigation"] == {
        "url": "https://a.example/",
        "navigationStartMs": 100.0,
        "ttfbMs": 50.0,
        "domContentLoadedMs": 180.0,
        "firstContentfulPaintMs": 200.0,
        "largestContentfulPaintMs": 400.0,
        "loadEventMs": 300.0,
    }


def test_what_blocked_and_what_was_painted() -> None:
    told = insights(LOADED)
    assert [(each["url"], each["durationMs"]) for each in told["renderBlocking"]] == [
        ("https://a.example/a.css", 100.0)
    ]
    assert told["lcpCandidates"][-1] == {
        "startMs": 500.0,
        "size": 99,
        "url": "https://a.example/i.png",
        "nodeName": "IMG",
    }
    assert told["totals"]["requests"] == 3
    assert told["totals"]["bytes"] == 5100


def test_shifts_of_the_user_do_not_count_for_the_page() -> None:
    told = insights(
        [
            event("LayoutShift", 10, score=0.1, weighted_score_delta=0.1),
            event("LayoutShift", 20, score=0.5, had_recent_input=True),
        ]
    )
    assert [each["score"] for each in told["layoutShifts"]] == [0.1, 0.5]
    assert told["totals"]["layoutShiftScoreSum"] == 0.6
    assert told["totals"]["cumulativeLayoutShift"] == 0.1


@pytest.mark.parametrize(
    ("shifts", "expected"),
    [
        ([], 0.0),
        ([(0, 1), (500, 1), (3000, 1)], 2.0),
        ([(at, 1.0) for at in range(0, 12_000, 900)], 6.0),
    ],
)
def test_bursts_of_shifts(shifts: list[tuple[float, float]], expected: float) -> None:
    assert cumulative_shift(shifts) == expected


def test_an_empty_trace_says_little() -> None:
    told = insights([])
    assert "navigation" not in told
    assert told["totals"]["events"] == 0


def test_oddities_are_passed_over() -> None:
    odd: list[dict[str, Any]] = [
        {"name": "LayoutShift"},
        {"name": "ResourceFinish", "args": {"data": 3}},
        {"name": ""},
    ]
    assert insights(odd)["totals"]["events"] == 3
