"""A veil: black over parts of a picture, in its pixels."""

from __future__ import annotations

import math
from collections.abc import Iterable

from stockade.engines.values import Box, ImageFormat
from stockade.media.picture import Picture
from stockade.media.pixels import encoded, opened

__all__ = ["veiled"]


def veiled(
    pixels: bytes, area: Box, hidden: Iterable[Box], format: ImageFormat, quality: int
) -> Picture:
    """Paint over boxes of the document in a lossless picture of an area of it."""
    from PIL import ImageDraw  # noqa: PLC0415

    image = opened(pixels)
    across, down = image.width / area.width, image.height / area.height
    draw = ImageDraw.Draw(image)
    black = (0, 0, 0, 255)[: len(image.getbands())]
    for box in hidden:
        left = max(math.floor((box.x - area.x) * across), 0)
        top = max(math.floor((box.y - area.y) * down), 0)
        right = min(math.ceil((box.x + box.width - area.x) * across), image.width)
        bottom = min(math.ceil((box.y + box.height - area.y) * down), image.height)
        if left < right and top < bottom:
            draw.rectangle((left, top, right - 1, bottom - 1), fill=black)
    return Picture(encoded(image, format, quality), format)
