"""Just enough of picture formats to ask what a screenshot shows."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple

_PNG = b"\x89PNG\r\n\x1a\n"


class Size(NamedTuple):
    width: int
    height: int


@dataclass(frozen=True)
class Picture:
    """A decoded PNG."""

    size: Size
    _rows: list[bytearray]
    _channels: int

    def pixel(self, x: int, y: int) -> tuple[int, ...]:
        """Red, green, blue, and alpha if there is any."""
        return tuple(self._rows[y][x * self._channels : (x + 1) * self._channels])


def decode_png(data: bytes) -> Picture:
    """Decode eight-bit true colour, without interlace, as Chromium writes it."""
    assert data.startswith(_PNG)
    packed, place = b"", len(_PNG)
    header = b""
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        body = data[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            packed += body
        place += 12 + length
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", header)
    assert (depth, interlace) == (8, 0)
    channels = {2: 3, 6: 4}[colour]
    return Picture(
        Size(width, height),
        _unfilter(zlib.decompress(packed), width * channels, channels),
        channels,
    )


def _unfilter(raw: bytes, stride: int, step: int) -> list[bytearray]:
    rows: list[bytearray] = []
    above = bytearray(stride)
    for start in range(0, len(raw), stride + 1):
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for at in range(stride) if kind else ():
            left = row[at - step] if at >= step else 0
            up, corner = above[at], above[at - step] if at >= step else 0
            row[at] = (row[at] + _predicted(kind, left, up, corner)) & 255
        rows.append(row)
        above = row
    return rows


def _predicted(kind: int, left: int, up: int, corner: int) -> int:
    if kind < 3:
        return left if kind == 1 else up
    if kind == 3:
        return (left + up) // 2
    guess = left + up - corner
    return min((left, up, corner), key=lambda near: abs(guess - near))


def picture_size(data: bytes) -> Size:
    """The size a PNG, JPEG or WebP says it has."""
    if data.startswith(_PNG):
        return Size(*struct.unpack_from(">II", data, 16))
    if data.startswith(b"RIFF"):
        return _webp_size(data)
    assert data.startswith(b"\xff\xd8"), "not a picture"
    place = 2
    while True:
        marker, length = struct.unpack_from(">HH", data, place)
        if marker in {0xFFC0, 0xFFC1, 0xFFC2}:
            height, width = struct.unpack_from(">HH", data, place + 5)
            return Size(width, height)
        place += 2 + length


def _webp_size(data: bytes) -> Size:
    kind = data[12:16]
    if kind == b"VP8X":
        return Size(
            1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
        )
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return Size(1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    width, height = struct.unpack_from("<HH", data, 26)
    return Size(width & 0x3FFF, height & 0x3FFF)


def shows_green(data: bytes) -> bool:
    """Whether any pixel of a picture is rather green: what tests write secrets in."""
    import PIL.Image  # noqa: PLC0415
    from PIL import ImageChops  # noqa: PLC0415

    red, green, _ = PIL.Image.open(BytesIO(data)).convert("RGB").split()
    extrema = ImageChops.subtract(green, red).getextrema()
    return bool(extrema[1] > 60)  # type: ignore[operator]
