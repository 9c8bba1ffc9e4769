"""Lines out of a stream of bytes, each of bounded length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["LONGEST_LINE", "Lines", "TooLong"]

LONGEST_LINE = 4 * 1024 * 1024


@dataclass(frozen=True)
class TooLong:
    """Stands for a line that was longer than allowed, and was thrown away."""


class Lines:
    """Cuts bytes into lines; of one that is too long, nothing is kept."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._begun = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> Iterator[bytes | TooLong]:
        """The lines that `data` completes, without their ends."""
        first, *others = data.split(b"\n")
        yield from self._extend(first)
        for other in others:
            if not self._skipping:
                yield bytes(self._begun)
            self._begun.clear()
            self._skipping = False
            yield from self._extend(other)

    def _extend(self, part: bytes) -> Iterator[TooLong]:
        if self._skipping:
            return
        if len(self._begun) + len(part) > self._longest:
            self._begun.clear()
            self._skipping = True
            yield TooLong()
        else:
            self._begun += part

    def rest(self) -> bytes:
        """What came after the last line end, once nothing more will."""
        rest = bytes(self._begun)
        self._begun.clear()
        return rest
