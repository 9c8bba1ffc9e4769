"""Quadrilaterals: where a rectangle ends up after any transform, perspective included."""

from __future__ import annotations

from typing import NamedTuple

from stockade.engines.values import Point

__all__ = ["Quad"]

_FLAT = 1e-9


class Quad(NamedTuple):
    """The corners of a transformed rectangle, clockwise from what was its top left."""

    top_left: Point
    top_right: Point
    bottom_right: Point
    bottom_left: Point

    @classmethod
    def from_numbers(cls, numbers: list[float]) -> Quad:
        """Eight numbers, as browsers give them."""
        x, y = numbers[::2], numbers[1::2]
        return cls(*(Point(*pair) for pair in zip(x, y, strict=True)))

    def _projection(self) -> tuple[float, ...]:
        """The nine numbers of the projective map from the unit square to this quad."""
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = self
        sum_x, sum_y = x0 - x1 + x2 - x3, y0 - y1 + y2 - y3
        if abs(sum_x) < _FLAT and abs(sum_y) < _FLAT:
            return (x1 - x0, x3 - x0, x0, y1 - y0, y3 - y0, y0, 0.0, 0.0, 1.0)
        dx1, dx2, dy1, dy2 = x1 - x2, x3 - x2, y1 - y2, y3 - y2
        whole = dx1 * dy2 - dx2 * dy1 or _FLAT
        g = (sum_x * dy2 - dx2 * sum_y) / whole
        h = (dx1 * sum_y - sum_x * dy1) / whole
        return (
            x1 - x0 + g * x1,
            x3 - x0 + h * x3,
            x0,
            y1 - y0 + g * y1,
            y3 - y0 + h * y3,
            y0,
            g,
            h,
            1.0,
        )

    def at(self, u: float, v: float) -> Point:
        """The place of a point given as parts of the rectangle's width and height."""
        a, b, c, d, e, f, g, h, i = self._projection()
        scale = g * u + h * v + i or _FLAT
        return Point((a * u + b * v + c) / scale, (d * u + e * v + f) / scale)

    def locate(self, point: Point) -> Point:
        """The parts of width and height at which `point` lies: what `at` undoes."""
        a, b, c, d, e, f, g, h, i = self._projection()
        x, y = point
        u = (e * i - f * h) * x + (c * h - b * i) * y + (b * f - c * e)
        v = (f * g - d * i) * x + (a * i - c * g) * y + (c * d - a * f)
        w = (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d) or _FLAT
        return Point(u / w, v / w)
