"""A throttle on wrong tokens: guessing is hopeless, but each guess asks the database."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable

from stockade.errors import LimitReached

__all__ = ["Throttle"]

_ALLOWED = 20
_WINDOW = 60.0
_MOST = 4096


class Throttle:
    """Counts wrong tokens per address; a token that was right before is never held up."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._known: OrderedDict[bytes, None] = OrderedDict()

    def check(self, address: str, token: str) -> None:
        """Refuse an address that has been wrong too often of late."""
        count, until = self._wrong.get(address, (0, 0.0))
        left = until - self._clock()
        if count >= _ALLOWED and left > 0 and _digest(token) not in self._known:
            raise LimitReached(
                "too many wrong tokens came from this address",
                hint=f"Wait {left:.0f} seconds, or use a token that is right.",
                retryAfter=max(1, round(left)),
            )

    def wrong(self, address: str, token: str) -> None:
        """A token was refused."""
        self._known.pop(_digest(token), None)
        now = self._clock()
        count, until = self._wrong.pop(address, (0, 0.0))
        self._wrong[address] = (count + 1, until) if until > now else (1, now + _WINDOW)
        _trim(self._wrong)

    def right(self, token: str) -> None:
        """A token was accepted."""
        digest = _digest(token)
        self._known[digest] = None
        self._known.move_to_end(digest)
        _trim(self._known)


def _trim(kept: OrderedDict[str, tuple[int, float]] | OrderedDict[bytes, None]) -> None:
    if len(kept) > _MOST:
        kept.popitem(last=False)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="replace")).digest()
