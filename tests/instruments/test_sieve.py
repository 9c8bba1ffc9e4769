"""What of a browser's trace belongs to one session."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from stockade.errors import InvalidArgument
from stockade.instruments.sieve import events, sift

BROWSER, MINE, OTHERS, POPUP, GPU = 10, 20, 30, 40, 50


def event(name: str, pid: int, ph: str = "I", /, **args: Any) -> dict[str, Any]:
    return {"args": args, "cat": "c", "name": name, "ph": ph, "pid": pid, "tid": 1, "ts": 5}


TRACE = [
    event("process_name", BROWSER, "M", name="Browser"),
    event("thread_name", BROWSER, "M", name="CrBrowserMain"),
    event("thread_name", BROWSER, "M", name="Worker of https://others.example"),
    event("thread_name", MINE, "M", name="CrRendererMain"),
    event("thread_name", OTHERS, "M", name="CrRendererMain"),
    event("TracingStartedInBrowser", BROWSER, data={"frames": [{"frame": "A", "processId": MINE}]}),
    event("Navigate", BROWSER, url="https://others.example/secret"),
    event("Navigate", GPU, url="https://others.example/secret"),
    event("Layout", MINE, data={"frame": "A"}),
    event("Layout", OTHERS, data={"frame": "X"}),
    event("Mark", OTHERS, data={"detail": {"frame": "A"}}),
    event("Layout", POPUP, data={"frame": "P"}),
    event("Paint", POPUP),
    event("FrameCommittedInBrowser", BROWSER, data={"frame": "A", "processId": MINE, "url": "u"}),
    event("Global", 0),
]


def raw(
    listed: list[dict[str, Any]], end: str = '],\n"metadata":{"command_line":"secret"}}'
) -> BytesIO:
    """As Chromium writes it: an event to a line."""
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in listed)
    return BytesIO(('{"traceEvents":[\n' + lines + end).encode())


@pytest.mark.parametrize(
    "end",
    [
        '],\n"metadata":{"command_line":"secret"}}',
        '],"metadata":{"a":[1],"b":"secret"}}',
        "\n]}",
        "]}",
    ],
)
def test_only_what_belongs_to_the_session_is_kept(end: str) -> None:
    out = BytesIO()
    count = sift(raw(TRACE, end), out, {"A", "P"}, {"source": "test"})
    kept = json.loads(out.getvalue())
    assert len(kept["traceEvents"]) == count
    assert {each["pid"] for each in kept["traceEvents"]} == {BROWSER, MINE, POPUP}
    assert [each["name"] for each in kept["traceEvents"] if each["pid"] == BROWSER] == [
        "process_name",
        "thread_name",
        "TracingStartedInBrowser",
        "FrameCommittedInBrowser",
    ]
    assert b"others" not in out.getvalue()
    assert b"secret" not in out.getvalue()
    assert kept["metadata"] == {"source": "test"}


def test_without_frames_nothing_is_kept() -> None:
    out = BytesIO()
    assert sift(raw(TRACE[6:13]), out, set(), {}) == 0
    assert json.loads(out.getvalue())["traceEvents"] == []


def test_what_was_written_can_be_read() -> None:
    out = BytesIO()
    sift(raw(TRACE), out, {"A"}, {})
    assert [each["name"] for each in events(out)][-1] == "FrameCommittedInBrowser"


@pytest.mark.parametrize("content", [TRACE, {"traceEvents": TRACE, "more": 1}])
def test_traces_of_other_programs_are_read(content: Any) -> None:
    assert list(events(BytesIO(json.dumps(content).encode()))) == TRACE


@pytest.mark.parametrize(
    "content", [b"", b"x", b"{}", b"3", b'{"traceEvents":3}', b'{"traceEvents":[\n{"a\n]}']
)
def test_what_is_no_trace_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidArgument):
        list(events(BytesIO(content)))
