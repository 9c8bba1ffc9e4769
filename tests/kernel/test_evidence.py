"""Evidence: what happened, in few words."""

from __future__ import annotations

import time

from stockade.engines.events import (
    ConsoleMessage,
    DialogOpened,
    FrameNavigated,
    PageError,
    Request,
    StreamFrame,
)
from stockade.kernel import evidence
from stockade.sessions.happenings import Happenings


def said(level: str, text: str) -> ConsoleMessage:
    return ConsoleMessage(level=level, text=text, url="", line=0, at=time.time())


def asked(method: str = "GET", url: str = "https://a/b", **given: object) -> Request:
    request = Request(id="r1", url=url, method=method, type="Fetch", started=10.0)
    for name, value in given.items():
        setattr(request, name, value)
    return request


def test_console_lines_are_counted_and_few() -> None:
    happenings = Happenings()
    for index in range(3):
        happenings.note("console", said("error", "same\nstack"))
        happenings.note("console", said("warning", f"w{index}"))
    for index in range(10):
        happenings.note("console", said("error", f"other {index}"))
    console = evidence.console(happenings)
    assert console is not None
    assert console.errors is not None
    assert console.errors[0] == "same (3 times)"
    assert len(console.errors) == 6
    assert "6 more" in console.errors[-1]
    assert console.warnings == 3
    assert evidence.console(Happenings()) is None


def test_long_lines_are_cut() -> None:
    happenings = Happenings()
    happenings.note("errors", PageError(text="x" * 1000, url="", line=0, at=0))
    (line,) = evidence.page_errors(happenings)
    assert len(line) == 201


def test_movement_is_told_by_kind() -> None:
    load, push = Happenings(), Happenings()
    load.note("navigations", FrameNavigated(None, "https://a/", same_document=False))  # type: ignore[arg-type]
    push.note("navigations", FrameNavigated(None, "https://a/b", same_document=True))  # type: ignore[arg-type]
    for happened, after, kind in (
        (load, "https://a/", "full_load"),
        (push, "https://a/b", "spa"),
        (push, "https://a/#b", "hash"),
    ):
        told = evidence.movement("https://a/", after, happened)
        assert told is not None
        assert (told.changed, told.kind, told.start, told.to) == (True, kind, "https://a/", after)
        brief = evidence.movement("https://a/", after, happened, addresses=False)
        assert brief is not None
        assert (brief.kind, brief.start, brief.to) == (kind, None, None)
    assert evidence.movement("https://a/", "https://a/", Happenings()) is None


def test_requests_that_read_alike_are_one_row() -> None:
    saved = [asked("PUT", f"https://a/drafts/{number}", status=204) for number in range(7)]
    shown = evidence.network([*saved, asked("PUT", "https://a/drafts/8", status=500)])
    assert shown is not None
    assert shown.mutations is not None
    assert [(row.status, row.times) for row in shown.mutations] == [(204, 7), (500, None)]
    assert shown.summary is None


def test_requests_that_failed_or_changed_something_are_told_once() -> None:
    requests = [
        asked(status=200, ended=10.25),
        asked(status=404),
        asked(failure="net::ERR_FAILED"),
        asked("POST", "https://a/orders/7?key=s", status=201, ended=10.5),
        asked("PUT", "https://a/orders/8", failure="net::ERR_FAILED"),
        asked(url="data:text/plain,x"),
    ]
    shown = evidence.network(requests)
    assert shown is not None
    assert shown.summary is None
    assert shown.requests is not None
    assert [row.status for row in shown.requests] == [404, None]
    assert shown.mutations is not None
    assert [(row.ok, row.failure) for row in shown.mutations] == [
        (True, None),
        (False, "net::ERR_FAILED"),
    ]
    assert shown.mutations[0].url_pattern == "https://a/orders/:id?…"
    counted = evidence.summary(requests)
    assert (counted.total, counted.failed, counted.by_type) == (5, 3, {"fetch": 5})


def test_requests_that_just_bring_something_are_not_told() -> None:
    assert evidence.network([asked(status=200)]) is None


def test_more_requests_than_are_shown_are_counted() -> None:
    shown = evidence.network([asked(status=404) for _ in range(9)])
    assert shown is not None
    assert shown.requests is not None
    assert shown.summary is not None
    assert (len(shown.requests), shown.summary.failed) == (5, 9)


def test_messages_of_streams_are_counted_without_their_payload() -> None:
    frame = StreamFrame(
        url="wss://a/", direction="sent", kind="ws", payload="AAAA", at=0.0, request="1"
    )
    shown = evidence.network([], [frame] * 51)
    assert shown is not None
    assert shown.model_dump(exclude_none=True) == {"ws_total": 51}


def test_dialogs_say_what_became_of_them() -> None:
    happenings = Happenings()
    opened = DialogOpened(None, "prompt", "Name?", "x", "https://a")  # type: ignore[arg-type]
    happenings.note("dialogs", (opened, "accepted"))
    shown = evidence.dialogs(happenings.dialogs, opened)
    assert [each.handled_as for each in shown] == ["accepted", "raise"]
    assert shown[0].default_value == "x"


def test_what_is_pending_loses_its_query() -> None:
    assert evidence.pending(["GET https://a/b?secret=1", "changes"]) == [
        "GET https://a/b?…",
        "changes",
    ]
    assert len(evidence.pending(["x"] * 50)) == 5
