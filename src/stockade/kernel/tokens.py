"""Tokens: how much of a model's attention a text costs, by the page agent's own measure."""

from __future__ import annotations

from typing import Final

__all__ = ["cost", "cut", "estimate"]

_PER_TOKEN: Final = 4
_MORE_IF_WIDE: Final = 3
_WIDE: Final = (
    (0x1100, 0x11FF),
    (0x2E80, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF00, 0xFFEF),
)
_ELLIPSIS = "…"


def _byte_classes() -> tuple[bytes, bytes]:
    """For each high and each low byte of a unit a set of bits; a wide one has one in common."""
    high, low = bytearray(256), bytearray(256)
    whole = 1
    for each in range(256):
        low[each] = whole
    bit = whole
    for first, last in _WIDE:
        pages = range(first >> 8, (last >> 8) + 1)
        for page in pages:
            members = range(
                max(first, page << 8) & 0xFF, (min(last, (page << 8) | 0xFF) & 0xFF) + 1
            )
            if len(members) == 256:  # noqa: PLR2004
                high[page] = whole
                continue
            bit <<= 1
            high[page] = bit
            for each in members:
                low[each] |= bit
    return bytes(high), bytes(low)


_HIGH, _LOW = _byte_classes()


def cost(text: str) -> int:
    """Four times what a text is in tokens: 1 for each UTF-16 unit, 4 for each CJK character."""
    if text.isascii():
        return len(text)
    units = text.encode("utf-16-le", "surrogatepass")
    # All units at once, as one large number: page texts are long, and this is on the loop.
    high = int.from_bytes(units[1::2].translate(_HIGH), "little")
    low = int.from_bytes(units[::2].translate(_LOW), "little")
    return len(units) // 2 + _MORE_IF_WIDE * (high & low).bit_count()


def estimate(text: str) -> int:
    """About how many tokens `text` is: a quarter for each UTF-16 unit, CJK characters whole."""
    return -(-cost(text) // _PER_TOKEN)


def cut(text: str, tokens: int) -> str:
    """The beginning of `text` that fits into `tokens`, with an ellipsis where it was cut."""
    # No more characters than that fit, whatever they are.
    low, high = 0, max(tokens, 0) * _PER_TOKEN
    if len(text) <= high:
        if estimate(text) <= tokens:
            return text
        high = len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate(text[:middle] + _ELLIPSIS) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low] + _ELLIPSIS if low else ""
