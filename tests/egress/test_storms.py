"""Storms of verdicts."""

from __future__ import annotations

from stockade.egress.protocol import Verdict
from stockade.egress.storms import Storm


def verdict(n: int = 0) -> Verdict:
    return Verdict("s", True, False, "port", "no", "open it", f"http://a{n}.test", "a.test", 81)


def test_ten_thousand_alike_are_some_and_a_sum() -> None:
    told: list[Verdict] = []
    storm = Storm(told.append)
    for _ in range(10_000):
        storm.note(verdict())
    assert len(told) <= 500
    storm.settle()
    assert sum(each.times for each in told) == 10_000
    assert len(told) <= 501
    storm.note(verdict())
    assert told[-1].times == 1


def test_ten_thousand_different_ones_are_bounded_too() -> None:
    told: list[Verdict] = []
    storm = Storm(told.append)
    for n in range(10_000):
        storm.note(verdict(n))
    storm.settle()
    assert sum(each.times for each in told) == 10_000
    assert len(told) <= 1000
