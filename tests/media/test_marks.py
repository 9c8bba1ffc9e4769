"""Marks on a picture: all there, and legible."""

from __future__ import annotations

from itertools import combinations

from PIL import Image

from stockade.engines.values import Box
from stockade.media import marks as module
from stockade.media.marks import Mark, painted
from stockade.media.picture import Picture
from stockade.media.pixels import encoded
from tests.support.pictures import decode_png

BLANK = Picture(encoded(Image.new("RGB", (300, 200), "white"), "png"), "png")


def test_a_box_and_its_label_are_painted() -> None:
    picture = decode_png(painted(BLANK, [Mark(Box(100, 100, 50, 30), "1")]).data)
    colour = picture.pixel(100, 115)
    assert colour != (255, 255, 255)
    assert picture.pixel(149, 115) == colour
    assert picture.pixel(125, 115) == (255, 255, 255)
    assert any(picture.pixel(101, y) == colour for y in range(85, 99)), "the label stands above"


def places(boxes: list[Box]) -> list[Box]:
    taken: list[Box] = []
    for number, box in enumerate(boxes):
        taken.append(module._place(Mark(box, str(number)), (20, 14), (300, 200), taken, boxes))
    return taken


def test_labels_never_cover_each_other() -> None:
    heap = [Box(100, 100, 30, 20) for _ in range(30)]
    for one, other in combinations(places(heap), 2):
        assert not module._overlap(one, other)


def test_labels_stay_in_the_picture_and_off_other_boxes() -> None:
    column = [Box(0, row, 40, 14) for row in range(0, 196, 14)]
    for place in places(column):
        assert 0 <= place.x <= 280
        assert 0 <= place.y <= 186
        assert not any(module._overlap(place, box) for box in column)


def test_colours_differ() -> None:
    assert len({module._colour(number) for number in range(50)}) == 50
