"""Transformed rectangles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.engines.geometry import Quad
from stockade.engines.values import Point


def test_a_plain_rectangle() -> None:
    quad = Quad.from_numbers([10, 20, 110, 20, 110, 70, 10, 70])
    assert quad.at(0, 0) == Point(10, 20)
    assert quad.at(0.5, 0.5) == Point(60, 45)
    assert quad.locate(Point(35, 32.5)) == pytest.approx(Point(0.25, 0.25))


def test_a_perspective_keeps_its_corners() -> None:
    quad = Quad(Point(0, 0), Point(100, 20), Point(90, 80), Point(5, 100))
    for (u, v), corner in zip(((0, 0), (1, 0), (1, 1), (0, 1)), quad, strict=True):
        assert quad.at(u, v) == pytest.approx(corner)


@given(
    u=st.floats(0, 1),
    v=st.floats(0, 1),
    bend=st.tuples(*(st.floats(-15, 15) for _ in range(8))),
)
def test_locate_undoes_at(u: float, v: float, bend: tuple[float, ...]) -> None:
    corners = [0, 0, 100, 0, 100, 80, 0, 80]
    quad = Quad.from_numbers([a + b for a, b in zip(corners, bend, strict=True)])
    assert quad.locate(quad.at(u, v)) == pytest.approx(Point(u, v), abs=1e-6)
