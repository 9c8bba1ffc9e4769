"""What is told of calls, and what it comes to."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from stockade.flows.diagnosis import bucket, outline, report, script_of


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("document.querySelectorAll('a').length", "dom-query"),
        ("[...document.body.children].map(e => e.innerText)", "dom-query"),
        ("localStorage.getItem('token')", "storage-access"),
        ("document.cookie", "storage-access"),
        ("getComputedStyle(document.querySelector('h1')).color", "computed-style"),
        ("document.querySelector('#a').getBoundingClientRect()", "computed-style"),
        ("document.querySelector('button').click()", "callback-trigger"),
        ("el.dispatchEvent(new Event('input'))", "callback-trigger"),
        ("'serviceWorker' in navigator", "feature-detect"),
        ("typeof window.fetch", "feature-detect"),
        ("1 + 1", "custom"),
    ],
)
def test_scripts_are_told_apart_by_what_they_are_for(source: str, kind: str) -> None:
    assert bucket(source) == kind


def test_a_script_is_told_by_its_head() -> None:
    source = "document.title; " * 20
    told = script_of(source)
    assert told == {
        "sha256": hashlib.sha256(source.encode()).hexdigest(),
        "length": 320,
        "head": source[:80],
        "bucket": "dom-query",
    }


def test_arguments_keep_their_structure_alone() -> None:
    told = outline({"url": "https://a.example/?key=hunter2", "n": 3, "deep": {"list": ["x", None]}})
    assert told["n"] == 3
    assert told["url"]["length"] == 30
    assert told["deep"]["list"] == [{"sha256": hashlib.sha256(b"x").hexdigest(), "length": 1}, None]
    assert "hunter2" not in str(told)
    lone = outline({"text": "\ud800"})
    assert lone["text"]["length"] == 1


def test_large_and_deep_arguments_are_cut() -> None:
    assert outline(list(range(30)))[-1] == {"more": 10}
    assert outline({str(n): n for n in range(30)})["…"] == 10
    deep: Any = "x"
    for _ in range(50):
        deep = {"in": deep}
    assert str(outline(deep)).count("in") == 6
    assert outline({"k" * 500: 1}) == {"k" * 60: 1}
    assert outline({"odd": object()}) == {"odd": {"kind": "object"}}


def test_what_recurs_is_told() -> None:
    script = script_of("document.querySelector('h1').textContent")
    calls: list[dict[str, Any]] = [
        {"kind": "call", "tool": "eval_js", "ok": True, "ms": float(n), "script": script}
        for n in range(1, 5)
    ]
    calls.append(
        {
            "kind": "call",
            "tool": "click",
            "ok": False,
            "ms": 2,
            "failureKind": "capability_disabled",
        }
    )
    calls.append({"kind": "note", "category": "selectors", "insight": "rows move", "at": "now"})
    told = report(calls)
    assert told["perTool"] == {
        "click": {"count": 1, "failureCount": 1, "p50Duration": 2, "p95Duration": 2},
        "eval_js": {"count": 4, "failureCount": 0, "p50Duration": 3, "p95Duration": 4},
    }
    assert told["capabilityDenials"] == {"click": 1}
    assert told["notesByCategory"] == {"selectors": [{"at": "now", "insight": "rows move"}]}
    [pattern] = told["topEvalJsPatterns"]
    assert (pattern["bucket"], pattern["count"]) == ("dom-query", 4)
    [missing] = told["missingPrimitiveHypotheses"]
    assert (missing["bucket"], missing["count"]) == ("dom-query", 4)
    assert "extract" in missing["hypothesis"]
    assert report([])["perTool"] == {}
