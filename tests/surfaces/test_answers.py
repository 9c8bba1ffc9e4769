"""Answers."""

from __future__ import annotations

import json

from stockade.errors import Busy, StaleRef
from stockade.surfaces.answers import answer, encoded, refusal


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
