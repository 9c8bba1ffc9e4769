"""Navigation reasons: why pages are about to load documents, told before those are requested."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = ["NavigationReasons"]

_MOST_REMEMBERED: Final = 200


class NavigationReasons:
    """What the frames of a context said of requests that are still to come."""

    def __init__(self) -> None:
        self._reasons: dict[tuple[str, str], str] = {}

    def note(self, frame: str, url: str, reason: str) -> None:
        """A page is about to load an address in a frame, which may be one of another tab."""
        key = frame, _bare(url)
        self._reasons.pop(key, None)
        self._reasons[key] = reason
        while len(self._reasons) > _MOST_REMEMBERED:
            del self._reasons[next(iter(self._reasons))]

    def take(self, frames: Iterable[str], url: str) -> str:
        """The reason for a request that one of these frames made; empty if no page asked for it."""
        found = [self._reasons.pop((frame, _bare(url)), "") for frame in frames]
        return next(filter(None, found), "")


def _bare(url: str) -> str:
    """An address without its fragment, and without its scheme, which the browser may make safer."""
    return url.partition("#")[0].partition(":")[2]
