"""What happens to sessions, tabs and calls, as lines of the log."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from stockade.kernel.journal import operation
from stockade.masking.scopes import SERVER
from stockade.telemetry import logs
from tests.support.callers import Caller
from tests.support.serving import logging_restored

SECRET = "hunter2hunter2"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    with logging_restored():
        logs.configure("json", stream=stream, journal=True)
        yield stream


def rows(log: io.StringIO) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in log.getvalue().splitlines()]
    return [row for row in found if row["logger"] == logs.JOURNAL]


async def test_a_session_from_its_first_line_to_its_last(caller: Caller, log: io.StringIO) -> None:
    site = caller.site
    site.page("/", "<a href='/next'>Next</a>")
    site.page("/next", "<button>Here</button>")
    await caller.ok("open_session", session="agent1")
    with logs.about(reqId="0af1"):
        await caller.ok("navigate", url=site.url("/"), session="agent1")
        await caller.ok("navigate", url=site.url("/next"), session="agent1")
        await caller.text("snapshot", session="agent1")
        await caller.refused("click", ref="e99", session="agent1")
    (tab,) = caller.kernel.sessions.find(caller.principal, "agent1").tabs
    await caller.ok("close_session", session="agent1")
    told = rows(log)
    assert {row["userId"] for row in told} == {"agent1"}
    assert [row["msg"] for row in told] == [
        "session created",
        "tab created",
        "navigated",
        "navigated",
        "click failed",
        "tab closed",
        "session closed",
    ]
    created, _, navigated, failed = told[1:5]
    assert (created["url"], created["tabId"]) == (site.url("/"), tab.uuid)
    assert (navigated["url"], navigated["tabId"]) == (site.url("/next"), tab.uuid)
    assert (failed["level"], failed["code"]) == ("error", "stale_ref")
    assert "e99" in failed["error"]
    assert {row.get("reqId") for row in told[1:5]} == {"0af1"}
    assert "stack" not in failed


async def test_secrets_are_masked_before_they_are_told(caller: Caller, log: io.StringIO) -> None:
    caller.site.page("/", "hello")
    masker = caller.kernel.masker
    masker.add("PASSWORD", SECRET)
    try:
        await caller.ok("navigate", url=caller.site.url(f"/?q={SECRET}"))
        await caller.refused("click", ref=SECRET)
    finally:
        masker.forget(SERVER)
    assert "<PASSWORD>" in log.getvalue()
    assert SECRET not in log.getvalue()


async def test_whoever_only_makes_calls_hears_no_journal(
    caller: Caller, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.quiet()
    await caller.refused("click", ref="e99")
    assert capsys.readouterr().err == ""


def test_a_line_names_what_was_done_and_not_the_tool() -> None:
    assert operation("camofox_create_tab") == "create tab"
    assert operation("click") == "click"
