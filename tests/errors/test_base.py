"""The error tree, and how its members are told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from stockade import errors
from stockade.errors import StaleRef, StockadeError
from stockade.kernel.codes import CODES, code_of, error_body, error_of

SHARED = {
    "engine_error": {"EngineError", "ProtocolFault"},  # a caller can do nothing about either
    "not_found": {"TargetNotFound", "Missing"},  # what was asked for is not there
}


def family(kind: type[StockadeError]) -> Iterator[type[StockadeError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from family(child)


ALL = [kind for kind in family(StockadeError) if not kind.__module__.startswith("tests.")]


def drawn() -> Iterator[tuple[str, str]]:
    """Each class in the picture at the top of the module, with its parent there."""
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"(?P<branch>(?:[│ ]   )*(?:[├└]── )?)(?P<name>[A-Z]\w+)(?:  |$)", line)
        if found is None:
            continue
        depth = len(found["branch"]) // 4
        del above[depth:]
        yield found["name"], above[-1] if above else "Exception"
        above.append(found["name"])


def test_the_drawing_is_the_tree() -> None:
    real = [(kind.__name__, kind.__bases__[0].__name__) for kind in ALL]
    assert list(drawn()) == real


def test_there_is_one_tree_in_one_place() -> None:
    assert all(getattr(errors, kind.__name__) is kind for kind in ALL)
    assert all(len(kind.__bases__) == 1 for kind in ALL)


def test_a_code_means_one_thing() -> None:
    codes = Counter(kind.code for kind in ALL)
    shared = {code for code, count in codes.items() if count > 1}
    assert {code: {kind.__name__ for kind in ALL if kind.code == code} for code in shared} == SHARED
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", code) for code in codes)


def test_every_code_has_its_row_and_every_row_its_code() -> None:
    assert CODES.keys() == {kind.code for kind in ALL}


@pytest.mark.parametrize("kind", ALL)
def test_every_error_is_explained(kind: type[StockadeError]) -> None:
    assert kind.__doc__
    assert not kind.default_hint or kind.default_hint.endswith(".")


@pytest.mark.parametrize("kind", ALL)
def test_the_body_is_the_same_for_all(kind: type[StockadeError]) -> None:
    error = kind("it did not work", tab="t1")
    body = error_body(error)
    assert body.pop("failure") == {"source": kind.source}
    assert body.pop("hint", "") == kind.default_hint
    assert body == {
        "ok": False,
        "error": "it did not work",
        "code": kind.code,
        "retryable": kind.retryable,
        "tab": "t1",
    }


def test_a_row_says_how_each_surface_tells_it() -> None:
    for row in CODES.values():
        assert 400 <= row.status < 600
        assert 1 < row.exit < 64
    assert code_of(StaleRef("gone")) is CODES["stale_ref"]


@pytest.mark.parametrize("kind", ALL)
def test_an_error_can_say_more_exactly_whose_doing_it_is(kind: type[StockadeError]) -> None:
    assert (kind.source == "unknown") == (kind is StockadeError)
    error = kind("it did not work", source="unknown", retryable=not kind.retryable)
    body = error_body(error)
    assert (body["retryable"], body["failure"]) == (not kind.retryable, {"source": "unknown"})
    again = error_of(body)
    assert (again.retryable, again.source) == (error.retryable, error.source)


def test_details_never_take_the_place_of_the_rest() -> None:
    error = StockadeError("a", ok=True, error="b", code="c", failure="d", more=1)
    body = error_body(error)
    assert (body["ok"], body["error"], body["code"], body["retryable"]) == (
        False,
        "a",
        "error",
        False,
    )
    assert body["failure"] == {"source": "unknown"}
    assert body["more"] == 1


def test_a_hint_of_its_own_stands_before_the_usual_one() -> None:
    assert StaleRef("gone").hint == StaleRef.default_hint
    assert StaleRef("gone", hint="Look again.").hint == "Look again."


def test_as_a_dictionary() -> None:
    assert StockadeError("a").as_dict() == {"code": "error", "message": "a", "retryable": False}
    assert StaleRef("gone", hint="Look again.", ref="e3").as_dict() == {
        "code": "stale_ref",
        "message": "gone",
        "retryable": False,
        "hint": "Look again.",
        "details": {"ref": "e3"},
    }
    assert str(StaleRef("gone", ref="e3")) == "gone"
