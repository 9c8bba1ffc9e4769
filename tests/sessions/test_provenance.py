from __future__ import annotations

from stockade.sessions.provenance import Provenance


def test_the_first_call_that_had_a_hand_in_an_origin_is_named() -> None:
    marks = Provenance()
    assert marks.altered_by("https://a.test") == ""
    marks.note("eval_js", ["https://a.test", "null", ""])
    marks.note("caches_put", ["https://a.test"])
    assert marks.altered_by("https://a.test") == "eval_js"
    assert marks.altered_by("https://b.test") == ""
    assert marks.altered_by("null") == ""


def test_one_that_reaches_everything() -> None:
    marks = Provenance()
    marks.note("route")
    marks.note("ws_intercept")
    assert marks.altered_by("https://anywhere.test") == "route"


def test_what_is_kept_of_it_holds_elsewhere() -> None:
    marks = Provenance()
    marks.note("eval_js", ["https://a.test"])
    later = Provenance()
    later.take_over(marks.marks)
    assert later.altered_by("https://a.test") == "eval_js"
    assert later.altered_by("https://b.test") == ""
    marks.note("route")
    later.take_over(marks.marks)
    assert later.altered_by("https://b.test") == "route"
    assert Provenance().marks == {}
