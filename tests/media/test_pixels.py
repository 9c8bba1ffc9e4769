"""Pictures are opened with limits."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image

from stockade.errors import InvalidArgument
from stockade.media.pixels import encoded, opened, within
from tests.support.pictures import picture_size


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_there_and_back(kind: str) -> None:
    picture = Image.new("RGBA", (30, 20), (200, 10, 10, 255))
    content = encoded(picture, kind)  # type: ignore[arg-type]
    assert picture_size(content) == (30, 20)
    red, *_ = opened(content).convert("RGB").getpixel((5, 5))  # type: ignore[misc]
    assert abs(red - 200) < 10


def huge() -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"0" * 99))


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"junk", "damaged"), (b"\x89PNG\r\n\x1a\n", "damaged"), (huge(), "too-large")],
)
def test_what_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        opened(content)
    assert caught.value.details["reason"] == reason


def test_other_kinds_are_not_even_tried() -> None:
    file = BytesIO()
    Image.new("RGB", (5, 5)).save(file, "TIFF")
    with pytest.raises(InvalidArgument):
        opened(file.getvalue())


def test_pictures_are_made_smaller_and_never_larger() -> None:
    picture = Image.new("RGB", (400, 100))
    assert within(picture, 200, 10**9).size == (200, 50)
    assert within(picture, 10**9, 10_000).size == (200, 50)
    assert within(picture, 10**9, 10**9) is picture
