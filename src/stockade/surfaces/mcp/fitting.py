"""Fitting: results with pictures that are small enough for one event of a stream.

The Python SDK gives up on an event of more than 1 MiB. A picture that would make it larger is given
as a smaller JPEG; the one that was taken is kept, and has an address.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from stockade.kernel.results import Reply, warned
from stockade.media.picture import Picture
from stockade.media.pixels import encoded, opened, within

__all__ = ["LARGEST_EVENT", "LARGEST_FILE", "fitted"]

LARGEST_EVENT: Final = 1_000_000
"""Bytes of a message; the limit is 1,048,576, and the rest is for what is around a result."""
LARGEST_FILE: Final = 700_000
"""Bytes of a file that is sent within a message, in base64."""
_QUALITIES: Final = (80, 60, 40)
_SHRINK: Final = 0.8
_FEWEST_BYTES: Final = 10_000


async def fitted(reply: Reply) -> Reply:
    """A reply whose pictures take no more than there is room for."""
    # Text is sent twice where it is data too, and its quotes are escaped.
    text = len(reply.text.encode(errors="replace")) * (3 if reply.structured else 2)
    pictures = sum(len(each.data) for each in reply.images) * 4 // 3
    if not reply.images or text + pictures <= LARGEST_EVENT:
        return reply
    room = max((LARGEST_EVENT - text) * 3 // 4 // len(reply.images), _FEWEST_BYTES)
    images = [
        each if len(each.data) <= room else await asyncio.to_thread(_smaller, each, room)
        for each in reply.images
    ]
    where = (reply.data or {}).get("uri")
    whole = f"; as it was taken it is at {where}" if where else ""
    said = f"the picture is a smaller jpeg, to fit into a message of 1 MiB{whole}"
    return warned(replace(reply, images=tuple(images)), [said])


def _smaller(picture: Picture, most: int) -> Picture:
    """The same as a JPEG of no more bytes: first of lower quality, then of fewer pixels."""
    image = opened(picture.data)
    while True:
        for quality in _QUALITIES:
            data = encoded(image, "jpeg", quality)
            if len(data) <= most:
                return replace(picture, data=data, format="jpeg")
        edge = max(int(max(image.size) * _SHRINK), 1)
        image = within(image, edge, edge * edge)
