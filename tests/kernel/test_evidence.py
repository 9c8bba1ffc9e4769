"""Evidence: what happened, in few words."""

from __future__ import annotations

import time

from stockade.engines.events import ConsoleMessage, DialogOpened, FrameNavigated, PageError, Request
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
    assert console.errors[0] == "same (3 times)"
    assert len(console.errors) == 6
    assert "6 more" in console.errors[-1]
    assert console.warnings == 3


def test_long_lines_are_cut() -> None:
    happenings = Happenings()
    happenings.note("errors", PageError(text="x" * 1000, url="", line=0, at=0))
    (line,) = evidence.page_errors(happenings)
    assert len(line) == 201


def test_movement_is_told_by_kind() -> None:
    load, push = Happenings(), Happenings()
    load.note("navigations", FrameNavigated(None, "https://a/", same_document=False))  # type: ignore[arg-type]
    push.note("navigations", FrameNavigated(None, "https://a/b", same_document=True))  # type: ignore[arg-type]
    assert evidence.movement("https://a/", "https://a/", load).kind == "full_load"
    assert evidence.movement("https://a/", "https://a/b", push).kind == "spa"
    assert evidence.movement("https://a/", "https://a/#b", push).kind == "hash"
    still = evidence.movement("https://a/", "https://a/", Happenings())
    assert (still.changed, still.kind) == (False, None)


def test_requests_are_summed_up() -> None:
    shown = evidence.network(
        [
            asked(status=200, ended=10.25),
            asked(status=404),
            asked(failure="net::ERR_FAILED"),
            asked("POST", "https://a/orders/7?key=s", status=201, ended=10.5),
            asked(url="data:text/plain,x"),
        ]
    )
    assert shown.summary.total == 4
    assert shown.summary.failed == 2
    assert shown.summary.by_type == {"fetch": 4}
    assert shown.requests is not None
    assert [row.status for row in shown.requests] == [404, None]
    assert shown.mutations is not None
    assert shown.mutations[0].url_pattern == "https://a/orders/:id?…"
    assert shown.mutations[0].duration_ms == 500


def test_dialogs_say_what_became_of_them() -> None:
    happenings = Happenings()
    opened = DialogOpened(None, "prompt", "Name?", "x", "https://a")  # type: ignore[arg-type]
    happenings.note("dialogs", (opened, "accepted"))
    shown = evidence.dialogs(happenings, opened)
    assert [each.handled_as for each in shown] == ["accepted", "raise"]
    assert shown[0].default_value == "x"


def test_what_is_pending_loses_its_query() -> None:
    assert evidence.pending(["GET https://a/b?secret=1", "changes"]) == [
        "GET https://a/b?…",
        "changes",
    ]
    assert len(evidence.pending(["x"] * 50)) == 5
