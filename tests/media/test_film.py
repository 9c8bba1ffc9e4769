"""Films hold each picture for its real time."""

from __future__ import annotations

from io import BytesIO
from typing import Any, cast

import av
import pytest
from PIL import Image

from stockade.errors import Unsupported
from stockade.media import film as module
from stockade.media.film import Film, require_codec
from stockade.media.picture import Picture
from stockade.media.pixels import encoded


def picture(colour: str, size: tuple[int, int] = (160, 120)) -> Picture:
    return Picture(encoded(Image.new("RGB", size, colour), "jpeg"), "jpeg")


def frames(film: Film) -> list[Any]:
    with av.open(BytesIO(film.file.read()), "r") as container:
        return [cast("Any", frame) for frame in container.decode(video=0)]


def test_pictures_come_when_they_came_and_the_last_one_stays() -> None:
    film = Film(161, 121)
    for colour, at in (("red", 0), ("lime", 500), ("blue", 510)):
        film.add(picture(colour), at)
    film.finish(3000)
    shown = frames(film)
    assert [round(frame.time * 1000) for frame in shown] == [0, 500, 510, 3000]
    assert (shown[0].width, shown[0].height) == (160, 120)
    pixels = [frame.to_image().getpixel((80, 60)) for frame in shown]
    assert [max(range(3), key=pixel.__getitem__) for pixel in pixels] == [0, 1, 2, 2]
    film.discard()


def test_another_shape_is_shown_whole_on_black() -> None:
    film = Film(200, 100)
    film.add(picture("white", (50, 50)), 0)
    film.finish(10)
    image = frames(film)[0].to_image()
    assert image.getpixel((100, 50))[0] > 200
    assert image.getpixel((10, 50))[0] < 50
    film.discard()


def test_two_pictures_of_one_moment_and_none_at_all() -> None:
    film = Film(64, 64)
    film.add(picture("red"), 5)
    film.add(picture("blue"), 5)
    film.finish(5)
    assert [round(frame.time * 1000) for frame in frames(film)] == [5, 6]
    empty = Film(64, 64)
    empty.finish(100)
    assert len(frames(empty)) == 2
    for each in (film, empty):
        each.discard()


def test_the_extra_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(module, "import_module", missing)
    with pytest.raises(Unsupported) as caught:
        require_codec()
    assert "stockade[video]" in caught.value.hint
