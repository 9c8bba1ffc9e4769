"""Bodies of requests and answers, as results and files may show them."""

from __future__ import annotations

import base64

from stockade.masking.background import run_if_large
from stockade.masking.masker import Masker

__all__ = ["is_text", "masked", "masked_here", "shown"]

_TEXT_TYPES = ("text/", "application/json", "application/javascript", "application/xml")
_TEXT_ENDINGS = ("+json", "+xml", "javascript", "x-www-form-urlencoded", "graphql", "x-ndjson")
_CONTROLS = frozenset(range(32)) - {9, 10, 12, 13, 27}


async def masked(masker: Masker, content: bytes) -> bytes:
    """Bytes without secrets; those that are no text stay exactly as they are."""
    return await run_if_large(len(content), lambda: masked_here(masker, content))


def masked_here(masker: Masker, content: bytes) -> bytes:
    """The same for who is in a thread already."""
    text = content.decode("utf-8", "surrogateescape")
    return masker.exact(text).encode("utf-8", "surrogateescape")


def is_text(content: bytes, mime_type: str = "") -> bool:
    """Whether a body is best shown as text: by its type, and only if it is UTF-8."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    kind = mime_type.partition(";")[0].strip().lower()
    if kind.startswith(_TEXT_TYPES) or kind.endswith(_TEXT_ENDINGS):
        return True
    return not _CONTROLS.intersection(content[:4096])


def shown(content: bytes, mime_type: str = "") -> tuple[str, bool]:
    """A body as JSON can hold it, and whether that is base64."""
    if is_text(content, mime_type):
        return content.decode(), False
    return base64.b64encode(content).decode(), True
