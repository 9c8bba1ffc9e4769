"""Answers."""

from __future__ import annotations

import json

import pytest
from starlette.requests import Request

from stockade.errors import Busy, LimitReached, QuotaExceeded, StaleRef, StockadeError, Stopping
from stockade.surfaces.answers import answer, encoded, is_known, refusal, tagged, waiting


def test_half_a_character_does_not_break_an_answer() -> None:
    assert json.loads(encoded({"title": "a\ud800b — ok"})) == {"title": "a?b — ok"}


def test_an_answer_is_json() -> None:
    response = answer({"ok": True}, 201, {"a": "b"})
    assert (response.status_code, bytes(response.body)) == (201, b'{"ok":true}')
    assert response.headers["content-type"] == "application/json"
    assert response.headers["a"] == "b"


def test_an_error_has_the_status_of_its_code_and_the_one_shape() -> None:
    response = refusal(StaleRef("e3 is gone", ref="e3"))
    assert response.status_code == 409
    body = json.loads(bytes(response.body))
    assert (body["ok"], body["error"], body["code"]) == (False, "e3 is gone", "stale_ref")
    assert body["retryable"] is False
    assert body["failure"]["source"] == "app"
    assert refusal(Busy("x"), status=503).status_code == 503


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (Busy("x"), "1"),
        (LimitReached("x", retryAfter=17), "17"),
        (Stopping("x"), "1"),
        (QuotaExceeded("x"), None),
        (StaleRef("x"), None),
        (None, None),
    ],
)
def test_who_may_come_back_is_told_when(error: StockadeError | None, seconds: str | None) -> None:
    assert waiting(error).get("retry-after") == seconds
    if error is not None:
        assert refusal(error).headers.get("retry-after") == seconds


def asked(known: str) -> Request:
    return Request({"type": "http", "headers": [(b"if-none-match", known.encode())]})


def test_what_is_known_is_not_sent_again() -> None:
    tag = tagged(asked(""), b"{}").headers["etag"]
    assert tagged(asked(""), b"[]").headers["etag"] != tag
    for known in (tag, f'"a", {tag}', f"W/{tag}", "*"):
        assert is_known(asked(known), tag)
        assert tagged(asked(known), b"{}").status_code == 304
    for unknown in ("", '"a"', tag.strip('"')):
        assert not is_known(asked(unknown), tag)
        assert tagged(asked(unknown), b"{}").status_code == 200
