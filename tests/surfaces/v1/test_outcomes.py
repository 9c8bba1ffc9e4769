"""Outcomes: kept for a day, within bounds that no caller can push others over."""

from __future__ import annotations

import pytest

from stockade.surfaces.v1 import outcomes as module
from stockade.surfaces.v1.outcomes import KEPT_SECONDS, LARGEST, Outcome, Outcomes


class Hand:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def outcomes(clock: Hand) -> Outcomes:
    return Outcomes(clock)


def keep(outcomes: Outcomes, who: str, key: str, size: int = 0) -> Outcome:
    outcome = Outcome("POST /x", b"", 200)
    outcomes.begin((who, key), outcome)
    outcome.add(b"x" * size)
    outcomes.keep((who, key), outcome)
    return outcome


def test_a_request_is_known_while_it_runs_and_after(outcomes: Outcomes) -> None:
    outcome = Outcome("POST /x")
    assert outcomes.find(("a", "1")) is None
    outcomes.begin(("a", "1"), outcome)
    assert outcomes.find(("a", "1")) is outcome
    assert outcomes.find(("b", "1")) is None
    assert not outcome.done
    outcomes.keep(("a", "1"), outcome)
    assert outcomes.find(("a", "1")) is outcome
    assert outcome.done
    assert outcome.ended.is_set()


def test_what_came_to_nothing_is_forgotten(outcomes: Outcomes) -> None:
    outcome = Outcome("POST /x")
    outcomes.begin(("a", "1"), outcome)
    outcomes.end(("a", "1"), outcome)
    assert outcomes.find(("a", "1")) is None
    assert outcome.ended.is_set()


def test_a_day_is_long_enough(outcomes: Outcomes, clock: Hand) -> None:
    keep(outcomes, "a", "1")
    clock.now = KEPT_SECONDS - 1
    keep(outcomes, "a", "2")
    assert outcomes.find(("a", "1")) is not None
    clock.now = KEPT_SECONDS
    assert outcomes.find(("a", "1")) is None
    assert outcomes.find(("a", "2")) is not None
    clock.now = 3 * KEPT_SECONDS
    assert outcomes.find(("a", "2")) is None
    assert not outcomes._shares


def test_one_caller_has_a_share(outcomes: Outcomes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SHARE", 2)
    keep(outcomes, "b", "0")
    for key in "123":
        keep(outcomes, "a", key)
    assert [outcomes.find(("a", key)) is not None for key in "123"] == [False, True, True]
    assert outcomes.find(("b", "0")) is not None
    monkeypatch.setattr(module, "_SHARE_BYTES", 3000)
    keep(outcomes, "a", "4", 2000)
    assert [outcomes.find(("a", key)) is not None for key in "234"] == [False, True, True]


@pytest.mark.parametrize(("bound", "most"), [("_MOST", 3), ("_MOST_BYTES", 4000)])
def test_who_has_most_gives_way(
    outcomes: Outcomes, monkeypatch: pytest.MonkeyPatch, bound: str, most: int
) -> None:
    monkeypatch.setattr(module, bound, most)
    for who, key in ("a1", "a2", "a3", "b1"):
        keep(outcomes, who, key, 600)
    assert outcomes.find(("a", "1")) is None
    assert outcomes.find(("b", "1")) is not None


def test_of_what_is_too_large_only_that_it_was_is_kept() -> None:
    outcome = Outcome("POST /x")
    outcome.add(b"x" * LARGEST)
    assert not outcome.too_large
    outcome.add(b"x")
    outcome.add(b"x")
    assert outcome.too_large
    assert not outcome.body
