"""Failures: only what may be the browser's fault counts, and only in a row."""

from __future__ import annotations

import pytest

from stockade.errors import (
    AddressDenied,
    BrowserGone,
    DeadlineExceeded,
    InvalidArgument,
    NavigationFailed,
    ProtocolFault,
    ScriptFailed,
    StaleRef,
    TabClosed,
    TabCrashed,
)
from stockade.sessions.failures import Failures

LATE = DeadlineExceeded("late")


@pytest.mark.parametrize("error", [LATE, ProtocolFault("odd"), TabCrashed("crash")])
def test_what_may_be_the_browsers_fault(error: Exception) -> None:
    failures = Failures(3)
    assert [failures.call_ended(error, 7) for _ in range(3)] == [False, False, True]
    assert (failures.count, failures.others_work) == (3, False)
    failures.forget()
    assert failures.count == 0


@pytest.mark.parametrize(
    "error",
    [
        NavigationFailed("net::ERR_NAME_NOT_RESOLVED"),
        NavigationFailed("net::ERR_CONNECTION_RESET"),
        NavigationFailed("net::ERR_CERT_AUTHORITY_INVALID"),
        ScriptFailed("thrown"),
        StaleRef("gone"),
        None,
    ],
)
def test_what_shows_that_it_works(error: Exception | None) -> None:
    failures = Failures(3)
    for _ in range(3):
        failures.call_ended(LATE, 7)
        failures.call_ended(LATE, 7)
        assert not failures.call_ended(error, 8)
        assert failures.count == 0


@pytest.mark.parametrize(
    "error",
    [
        InvalidArgument("no"),
        AddressDenied("no"),
        TabClosed("gone"),
        BrowserGone("gone"),
        DeadlineExceeded("not seen", waitedFor="text"),
    ],
)
def test_what_says_nothing_about_it(error: Exception) -> None:
    failures = Failures(2)
    failures.call_ended(LATE, 7)
    assert not failures.call_ended(error, 8)
    assert failures.call_ended(LATE, 8)


def test_a_call_that_needed_no_answer_proves_nothing() -> None:
    failures = Failures(2)
    failures.call_ended(LATE, 7)
    failures.call_ended(None, 7)
    assert failures.call_ended(LATE, 7)


def test_beginnings_are_counted_apart() -> None:
    failures = Failures(2)
    assert not failures.start_ended(LATE)
    failures.call_ended(None, 8)
    assert failures.start_ended(LATE)
    assert (failures.count, failures.others_work) == (2, True)
    assert not failures.start_ended(None)
    assert failures.count == 0
