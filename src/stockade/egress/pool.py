"""The pool: connections of one session to servers, kept for its next request."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from stockade.egress.limits import KEPT, KEPT_SECONDS
from stockade.egress.streams import Stream

__all__ = ["Pool"]


class Pool:
    """By where they lead: an address that was judged, and a port."""

    def __init__(self) -> None:
        self._kept: list[tuple[Hashable, Stream]] = []

    def take(self, keys: Iterable[Hashable]) -> tuple[Stream, Hashable] | None:
        """The one that was used last of those that lead there, if it is still good."""
        wanted = set(keys)
        for at in range(len(self._kept) - 1, -1, -1):
            if self._kept[at][0] in wanted:
                key, stream = self._kept.pop(at)
                if stream.quiet:
                    return stream, key
                stream.abort()
        return None

    def keep(self, key: Hashable, stream: Stream) -> None:
        """Keep one that its server leaves open."""
        if not stream.quiet:
            stream.abort()
            return
        stream.wait_until(KEPT_SECONDS)
        self._kept = [(each, kept) for each, kept in self._kept if kept.alive]
        self._kept.append((key, stream))
        while len(self._kept) > KEPT:
            self._kept.pop(0)[1].abort()
