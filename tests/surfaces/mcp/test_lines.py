from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.surfaces.mcp.lines import Lines, TooLong


def test_lines_come_out_however_the_bytes_arrive() -> None:
    lines = Lines()
    assert list(lines.feed(b"one\ntw")) == [b"one"]
    assert list(lines.feed(b"o\n\nthree")) == [b"two", b""]
    assert lines.rest() == b"three"
    assert lines.rest() == b""


def test_a_line_that_is_too_long_is_told_once_and_skipped() -> None:
    lines = Lines(longest=5)
    assert list(lines.feed(b"123456")) == [TooLong()]
    assert list(lines.feed(b"789" * 100)) == []
    assert list(lines.feed(b"0\nnext\n12345\n")) == [b"next", b"12345"]
    assert lines.rest() == b""


def test_nothing_of_a_line_that_is_too_long_is_kept() -> None:
    lines = Lines(longest=1000)
    for _ in range(100):
        list(lines.feed(b"x" * 999))
        assert len(lines._begun) <= 1000


@given(st.lists(st.binary(max_size=20)), st.integers(1, 30))
def test_splitting_anywhere_makes_no_difference(parts: list[bytes], longest: int) -> None:
    whole, pieces = Lines(longest), Lines(longest)
    data = b"".join(parts)
    expected = [*whole.feed(data), whole.rest()]
    found = [line for part in parts for line in pieces.feed(part)]
    assert [*found, pieces.rest()] == expected


@pytest.mark.parametrize("size", [5, 6])
def test_the_limit_is_the_length_of_the_longest_line(size: int) -> None:
    lines = Lines(longest=5)
    found = list(lines.feed(b"x" * size + b"\n"))
    assert found == ([b"x" * 5] if size == 5 else [TooLong()])
