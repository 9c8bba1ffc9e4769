"""A veil lies over the right pixels, at any scale."""

from __future__ import annotations

import pytest
from PIL import Image

from stockade.engines.values import Box
from stockade.media.pixels import encoded, opened
from stockade.media.veil import veiled

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


@pytest.mark.parametrize("scale", [0.5, 1, 2])
def test_boxes_of_the_document_are_black_in_its_picture(scale: float) -> None:
    plain = encoded(Image.new("RGB", (round(100 * scale), round(50 * scale)), "white"), "png")
    area = Box(1000, 2000, 100, 50)
    hidden = [Box(1020, 2010, 10, 10), Box(1095, 2040, 500, 500), Box(0, 0, 1001, 2001)]
    picture = veiled(plain, area, hidden, "png", 80)
    image = opened(picture.data).convert("RGB")

    def at(x: float, y: float) -> object:
        return image.getpixel((int(x * scale), int(y * scale)))

    assert [at(20, 10), at(29, 19), at(99, 49), at(0, 0)] == [BLACK] * 4
    assert [at(18, 10), at(31, 19), at(90, 45), at(3, 3)] == [WHITE] * 4


def test_other_formats_and_transparency() -> None:
    clear = encoded(Image.new("RGBA", (20, 20), (0, 0, 0, 0)), "png")
    image = opened(veiled(clear, Box(0, 0, 20, 20), [Box(0, 0, 5, 5)], "png", 80).data)
    assert (image.getpixel((2, 2)), image.getpixel((9, 9))) == ((0, 0, 0, 255), (0, 0, 0, 0))
    for wanted in ("jpeg", "webp"):
        picture = veiled(clear, Box(0, 0, 20, 20), [], wanted, 80)
        assert (picture.format, opened(picture.data).size) == (wanted, (20, 20))
