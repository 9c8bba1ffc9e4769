"""The shapes of answers: which keys a small JSON answer has, and nothing of what they hold."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import msgspec

from stockade.engines.events import Request
from stockade.engines.port import Page
from stockade.errors import DeadlineExceeded, EngineError

__all__ = ["response_shapes", "shape"]

_MOST_KEYS = 20
_LONGEST_KEY = 40
_LARGEST_BODY = 64 << 10
_MOST_BODIES = 5
_PATIENCE = 0.25


def shape(body: bytes) -> list[str]:
    """The keys of a JSON object, or of the first object in a list as `[].key`."""
    try:
        value: Any = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []
    before = ""
    if isinstance(value, list) and value:
        value, before = value[0], "[]."
    if not isinstance(value, dict):
        return []
    return [before + key[:_LONGEST_KEY] for key in list(value)[:_MOST_KEYS]]


async def response_shapes(page: Page, requests: Iterable[Request]) -> dict[str, list[str]]:
    """What the answers to requests that may have changed something look like, by request."""
    small = [
        each
        for each in requests
        if each.ended is not None
        and not each.failure
        and "json" in each.mime_type
        and 0 < each.bytes <= _LARGEST_BODY
    ][:_MOST_BODIES]

    async def read(request: Request) -> tuple[str, list[str]]:
        try:
            return request.id, shape(await page.response_body(request.id, timeout=_PATIENCE))
        except (EngineError, DeadlineExceeded):
            # The document went on and its bodies with it.
            return request.id, []

    return {key: keys for key, keys in await asyncio.gather(*map(read, small)) if keys}
