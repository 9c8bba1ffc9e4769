"""An archive is what the viewer of traces reads."""

from __future__ import annotations

import json
from io import BytesIO
from zipfile import ZipFile

from stockade.instruments.trace_archive import Line, Screen, Traced, TracedCall, write_archive


def test_everything_is_told_in_order() -> None:
    calls = [
        TracedCall("c2", "click", {"ref": "e3"}, "t1", 11, 12, parent="c1", error="gone"),
        TracedCall("c1", "batch", {}, "", 10.5, 13),
    ]
    traced = Traced(
        "u1",
        "HeadlessChrome/1",
        10,
        (1280, 720),
        calls=calls,
        screens=[Screen("t1", 11.5, 640, 360, "a.jpeg")],
        lines=[
            Line("t1", 11.25, "warn", "careful", "http://x/", 3),
            Line("t1", 11.75, "uncaught", "oh \ud800", "http://x/", 4),
        ],
        exchanges=[{"_started": 11, "request": {"url": "http://x/"}}],
    )
    file = BytesIO()
    write_archive(file, traced, [("a.jpeg", b"jpeg"), ("b", b"body"), ("b", b"body")])
    with ZipFile(file) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [
            "trace.trace",
            "trace.network",
            "resources/a.jpeg",
            "resources/b",
        ]
        assert archive.read("resources/a.jpeg") == b"jpeg"
        head, *rows = map(json.loads, archive.read("trace.trace").splitlines())
        (request,) = map(json.loads, archive.read("trace.network").splitlines())
    assert (head["type"], head["version"], head["title"]) == ("context-options", 7, "u1")
    assert head["options"]["viewport"] == {"width": 1280, "height": 720}
    assert [(row["type"], row.get("callId")) for row in rows] == [
        ("before", "c1"),
        ("before", "c2"),
        ("console", None),
        ("screencast-frame", None),
        ("event", None),
        ("after", "c2"),
        ("after", "c1"),
    ]
    outer, inner, said, screen, _, failed, _ = rows
    assert "pageId" not in outer
    assert (inner["parentId"], inner["pageId"], inner["params"]) == ("c1", "page@t1", {"ref": "e3"})
    assert (inner["startTime"], failed["endTime"]) == (11_000, 12_000)
    assert (said["messageType"], screen["sha1"]) == ("warning", "a.jpeg")
    assert failed["error"]["message"] == "gone"
    assert request["type"] == "resource-snapshot"
    assert request["snapshot"] == {"_monotonicTime": 11_000, "request": {"url": "http://x/"}}
