"""Fitting: results that are small enough for one event of a stream.

The Python SDK gives up on an event of more than 1 MiB. A picture that would make it larger is given
as a smaller JPEG; the one that was taken is kept, and has an address. Data is sent once in place of
twice, and text that is too long even so is cut.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any, Final

from stockade.kernel.results import Reply, compact, fit, warned
from stockade.kernel.tokens import estimate
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
_SURELY_FITS: Final = LARGEST_EVENT // 14
"""Characters of a text that fits whatever it is escaped to, and sent twice."""
_END_OF_PAGE: Final = "</page "
_CUT: Final = "cut, to fit into a message of 1 MiB: ask for less at a time"


async def fitted(reply: Reply) -> Reply:
    """A reply that takes no more than there is room for."""
    if len(reply.text) > _SURELY_FITS:
        reply = await asyncio.to_thread(_shortened, reply)
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


# --- text ---------------------------------------------------------------------------------------


def _shortened(reply: Reply) -> Reply:
    room = LARGEST_EVENT - (_FEWEST_BYTES * 4 // 3) * len(reply.images)
    if _sent(reply) <= room:
        return reply
    reply = replace(reply, structured=False)
    if _sent(reply) <= room:
        return reply
    share = 1.0
    shorter = reply
    while (size := _sent(shorter)) > room:
        share *= min(room / size, _SHRINK)
        shorter = warned(_part(reply, share), [_CUT])
    return shorter


def _sent(reply: Reply) -> int:
    """Bytes of what is said, in a message."""
    data = _written(reply.data) if reply.structured else 0
    return _written(reply.text) + _written(reply.aside) + data


def _written(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode(errors="replace"))


def _part(reply: Reply, share: float) -> Reply:
    """About that much of what is said, with the marks of what a page says."""
    if reply.data is None:
        body, line, last = reply.text.rpartition("\n")
        if not last.startswith(_END_OF_PAGE):
            body, line, last = reply.text, "", ""
        return replace(reply, text=f"{body[: int(len(body) * share)]}…{line}{last}")
    if set(reply.data) == {"rows"}:
        rows = reply.data["rows"]
        # The newest are those that stay.
        kept = [dict(each) for each in rows[-max(int(len(rows) * share), 1) :]]
        if "untrusted" in rows[0]:
            kept[0] = {"untrusted": rows[0]["untrusted"], **kept[0]}
        kept = fit({"rows": kept}, int(estimate(reply.text) * share))["rows"]
        return replace(reply, text=compact(kept), data={"rows": kept})
    data = fit(reply.data, int(estimate(reply.text) * share))
    return replace(reply, text=compact(data), data=data)


# --- pictures -----------------------------------------------------------------------------------


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
