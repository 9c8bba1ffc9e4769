"""A rate limit on wrong tokens, by address.

A token is always looked at, and one that is right always passes: whoever shares an address with
somebody who guesses is not locked out. Whoever is wrong too often is told to wait in place of being
told that the token is wrong.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from stockade.errors import LimitReached

__all__ = ["Throttle"]

_ALLOWED = 20
_WINDOW = 60.0
_MOST = 4096


class Throttle:
    """Counts wrong tokens per address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wrong(self, address: str) -> None:
        """A token was wrong.

        Raises:
            LimitReached: too many from this address were, of late.
        """
        now = self._clock()
        count, until = self._wrong.pop(address, (0, 0.0))
        count, until = (count + 1, until) if until > now else (1, now + _WINDOW)
        self._wrong[address] = count, until
        if len(self._wrong) > _MOST:
            self._wrong.popitem(last=False)
        if count > _ALLOWED:
            left = until - now
            raise LimitReached(
                "too many wrong tokens came from this address",
                hint=f"Wait {left:.0f} seconds, or use a token that is right.",
                retryAfter=max(1, round(left)),
            )
