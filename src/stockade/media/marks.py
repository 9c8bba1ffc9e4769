"""Marks: numbered boxes painted on a picture, with labels that do not cover each other."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stockade.engines.values import Box
from stockade.media.picture import Picture
from stockade.media.pixels import encoded, opened

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont

__all__ = ["Mark", "painted"]

_FONT_SIZE = 14
_PADDING = 2
_GOLDEN = 0.618033988749895
"""Colours that follow one another this way are far apart."""


@dataclass(frozen=True)
class Mark:
    """A box of the picture, and what to write at it."""

    box: Box
    label: str


def painted(picture: Picture, marks: list[Mark]) -> Picture:
    """A PNG of the picture with the marks on it."""
    from PIL import ImageDraw, ImageFont  # noqa: PLC0415

    image = opened(picture.data).convert("RGB")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(_FONT_SIZE)
    for number, mark in enumerate(marks):
        x, y, width, height = mark.box
        draw.rectangle((x, y, x + width - 1, y + height - 1), outline=_colour(number), width=2)
    taken: list[Box] = []
    boxes = [mark.box for mark in marks]
    for number, mark in enumerate(marks):
        place = _place(mark, _size(mark.label, font), image.size, taken, boxes)
        taken.append(place)
        colour = _colour(number)
        x, y, width, height = place
        draw.rectangle((x, y, x + width - 1, y + height - 1), fill=colour)
        draw.text((x + _PADDING, y + _PADDING), mark.label, fill="white", font=font, anchor="lt")
    return Picture(encoded(image, "png"), "png")


def _colour(number: int) -> tuple[int, int, int]:
    """Dark enough for white letters."""
    red, green, blue = colorsys.hsv_to_rgb(number * _GOLDEN % 1, 0.95, 0.6)
    return int(red * 255), int(green * 255), int(blue * 255)


def _size(label: str, font: FreeTypeFont | ImageFont) -> tuple[int, int]:
    left, top, right, bottom = font.getbbox(label, anchor="lt")
    return round(right - left) + 2 * _PADDING + 1, round(bottom - top) + 2 * _PADDING + 1


def _place(
    mark: Mark, size: tuple[int, int], picture: tuple[int, int], taken: list[Box], boxes: list[Box]
) -> Box:
    """Where a label goes: beside its box, clear of other labels, and of boxes if it can."""
    x, y, width, height = mark.box
    wide, high = size
    wishes = [
        (x, y - high),
        (x + width, y),
        (x, y + height),
        (x - wide, y),
        (x + width - wide, y - high),
        (x + width - wide, y + height),
        (x, y),
        (x + width - wide, y + height - high),
    ]
    most_x, most_y = max(picture[0] - wide, 0), max(picture[1] - high, 0)
    inside = [Box(min(max(a, 0), most_x), min(max(b, 0), most_y), wide, high) for a, b in wishes]
    for obstacles in ((*taken, *boxes), taken):
        for place in inside:
            if not any(_overlap(place, other) for other in obstacles):
                return place
    # Nothing beside it is free: the nearest place that is.
    anywhere = (
        Box(a, b, wide, high)
        for a in range(0, int(most_x) + 1, wide)
        for b in range(0, int(most_y) + 1, high)
    )
    free = [place for place in anywhere if not any(_overlap(place, other) for other in taken)]
    return min(free, key=lambda at: (at.x - x) ** 2 + (at.y - y) ** 2, default=inside[0])


def _overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )
