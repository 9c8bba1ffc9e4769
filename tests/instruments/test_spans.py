"""Stretches of a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stockade.instruments.spans import gaps, innermost, length, union


def test_the_innermost_range_decides() -> None:
    ranges = [(0, 100, True), (10, 50, False), (20, 30, True), (60, 70, False)]
    assert innermost(ranges) == [(0, 10), (20, 30), (50, 60), (70, 100)]


def test_ranges_that_begin_or_end_together() -> None:
    assert innermost([(0, 10, False), (0, 4, True), (8, 10, True)]) == [(0, 4), (8, 10)]
    assert innermost([(0, 10, True), (0, 10, False)]) == []
    assert innermost([(0, 5, True), (5, 10, False), (10, 12, True)]) == [(0, 5), (10, 12)]
    assert innermost([]) == []


def test_what_lies_between() -> None:
    assert gaps([(2, 4), (3, 6), (8, 9)], 10) == [(0, 2), (6, 8), (9, 10)]
    assert gaps([], 3) == [(0, 3)]
    assert gaps([(0, 3)], 3) == []


SPANS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda each: (min(each), max(each) + 1))
)


@given(SPANS)
def test_a_union_has_the_same_characters(spans: list[tuple[int, int]]) -> None:
    characters = {at for start, end in spans for at in range(start, end)}
    merged = union(spans)
    assert {at for start, end in merged for at in range(start, end)} == characters
    assert length(spans) == len(characters)
    assert length(gaps(spans, 40)) == 40 - len(characters)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5), st.booleans()), max_size=5))
def test_nested_ranges_agree_with_painting(shape: list[tuple[int, int, bool]]) -> None:
    start, end = 0, 60
    nested = []
    for inset, trim, used in shape:
        start, end = start + inset, end - trim
        if start < end:
            nested.append((start, end, used))
    painted = [False] * 60
    for begin, stop, used in nested:
        painted[begin:stop] = [used] * (stop - begin)
    assert length(innermost(nested)) == sum(painted)
